// Springs, layout animations, dragging, a list of which only a part is there.
import React, { useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { motion, AnimatePresence } from 'motion/react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { DndContext, useDraggable, useDroppable, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
function Piece() { const { attributes, listeners, setNodeRef, transform } = useDraggable({ id: 'piece' }); return <div id="piece" ref={setNodeRef} {...listeners} {...attributes} style={{ width: 60, height: 30, background: '#f90', transform: transform && `translate(${transform.x}px,${transform.y}px)`, touchAction: 'none' }}>drag</div>; }
function Hole({ children }) { const { setNodeRef, isOver } = useDroppable({ id: 'hole' }); return <div id="hole" ref={setNodeRef} style={{ width: 150, height: 60, background: isOver ? '#cfc' : '#eee', transition: 'background .8s' }}>{children}</div>; }
function App() {
  const [list, setList] = useState([1, 2, 3]), [open, setOpen] = useState(false), [inside, setInside] = useState(false), box = useRef(null), sensors = useSensors(useSensor(PointerSensor));
  const rows = useVirtualizer({ count: 5000, getScrollElement: () => box.current, estimateSize: i => 20 + i % 3 * 6, overscan: 4 });
  return <div><button id="add" onClick={() => setList([...list, list.length + 1])}>add</button><button id="mix" onClick={() => setList([...list].sort(() => Math.random() - .5))}>mix</button><button id="drop" onClick={() => setList(list.slice(1))}>drop</button><button id="open" onClick={() => setOpen(!open)}>open</button>
    <AnimatePresence>{open && <motion.div key="p" initial={{ opacity: 0, scale: .2 }} animate={{ opacity: 1, scale: 1, rotate: 8 }} exit={{ opacity: 0, x: 200 }} transition={{ type: 'spring', stiffness: 30 }} style={{ width: 120, height: 50, background: '#69c' }} />}</AnimatePresence>
    <div style={{ display: 'flex', gap: 6 }}><AnimatePresence>{list.map(n => <motion.div layout key={n} id={'t' + n} initial={{ y: -40, opacity: 0 }} animate={{ y: 0, opacity: 1 }} exit={{ opacity: 0 }} whileHover={{ scale: 1.4 }} transition={{ type: 'spring', stiffness: 40, damping: 6 }} style={{ width: 40, height: 40, background: `hsl(${n * 50} 70% 60%)` }}>{n}</motion.div>)}</AnimatePresence></div>
    <DndContext sensors={sensors} onDragEnd={e => setInside(!!e.over)}>{inside ? <Hole><Piece /></Hole> : <><Piece /><Hole /></>}</DndContext>
    <div id="box" ref={box} style={{ height: 160, overflow: 'auto' }}><div style={{ height: rows.getTotalSize(), position: 'relative' }}>{rows.getVirtualItems().map(r => <div key={r.key} style={{ position: 'absolute', top: 0, transform: `translateY(${r.start}px)`, height: r.size }}>row {r.index} {new Date().getMilliseconds()}</div>)}</div></div></div>;
}
createRoot(document.getElementById('root')).render(<App />);
