import React, { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import DatePicker from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
function App() {
  const [day, setDay] = useState(new Date()), [now, setNow] = useState(new Date());
  useEffect(() => { const t = setInterval(() => setNow(new Date()), 250); return () => clearInterval(t); }, []);
  return <div><p>{now.toISOString()} {now.toLocaleString()} <button id="today" onClick={() => setDay(new Date())}>today</button></p><DatePicker id="day" selected={day} onChange={setDay} /><input id="native" type="date" /><p>{day && day.toISOString()}</p></div>;
}
createRoot(document.getElementById('root')).render(<App />);
