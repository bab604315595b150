import React, { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { DataGrid } from '@mui/x-data-grid';
import { Button, Dialog, Snackbar, Switch } from '@mui/material';
const rows = Array.from({ length: 300 }, (_, id) => ({ id, name: 'name ' + id * 7919 % 300, price: id * 37 % 101, ok: id % 3 === 0 }));
const columns = [{ field: 'id', width: 80 }, { field: 'name', width: 180 }, { field: 'price', type: 'number', width: 120 }, { field: 'ok', type: 'boolean', width: 100 }];
function App() {
  const [open, setOpen] = useState(false), [bar, setBar] = useState(false), [dense, setDense] = useState(false);
  return <div><Button id="open" onClick={() => setOpen(true)}>dialog</Button><Button id="bar" onClick={() => setBar(true)}>bar</Button><Switch id="dense" checked={dense} onChange={e => setDense(e.target.checked)} />
    <div style={{ height: 420 }}><DataGrid rows={rows} columns={columns} density={dense ? 'compact' : 'standard'} checkboxSelection /></div>
    <Dialog open={open} onClose={() => setOpen(false)}><p>A dialog</p><Button id="close" onClick={() => setOpen(false)}>close</Button></Dialog><Snackbar open={bar} autoHideDuration={1500} onClose={() => setBar(false)} message="saved" /></div>;
}
createRoot(document.getElementById('root')).render(<App />);
