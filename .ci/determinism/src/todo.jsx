// React with what is concurrent: transitions, deferred values, lazy parts.
import React, { useState, useReducer, useTransition, useDeferredValue, Suspense, lazy, useEffect, memo } from 'react';
import * as client from 'react-dom/client';
import * as dom from 'react-dom';
const Stats = lazy(() => import('./stats.jsx'));
const reduce = (list, a) => a.add ? [...list, { id: crypto.randomUUID(), text: a.add, at: Date.now() }] : list.map(t => ({ ...t, done: true }));
const Slow = memo(({ q }) => <ul style={{ columns: 4, fontSize: 9 }}>{Array.from({ length: 120 }, (_, i) => <Row key={i} i={i} q={q} />)}</ul>);
const Row = ({ i, q }) => { const end = performance.now() + 0.2; for (let n = 0; performance.now() < end && n < 1500;) n++; const t = `item ${i} ${(i * 2654435761 >>> 0).toString(16)}`; return t.includes(q) ? <li>{t}</li> : null; };
function App() {
  const [list, send] = useReducer(reduce, []), [text, setText] = useState(''), [stats, setStats] = useState(false), [pending, start] = useTransition(), q = useDeferredValue(text), [s, setS] = useState(0);
  useEffect(() => { const h = setInterval(() => setS(x => x + 1), 1000); return () => clearInterval(h); }, []);
  return <div><h1>todos {React.version}</h1><form onSubmit={e => { e.preventDefault(); send({ add: text }); setText(''); }}><input id="new" autoFocus value={text} onChange={e => setText(e.target.value)} /><button id="add">add</button></form>
    <ol>{list.map(t => <li key={t.id} style={t.done ? { textDecoration: 'line-through' } : {}}>{t.text} <small>{t.id.slice(0, 8)} {new Date(t.at).toISOString()}</small></li>)}</ol>
    <p>{s} s {pending ? 'pending' : ''}</p><button id="all" onClick={() => start(() => send({}))}>all</button><button id="stats" onClick={() => start(() => setStats(x => !x))}>stats</button>
    {stats && <Suspense fallback="loading"><Stats list={list} /></Suspense>}<Slow q={q} /></div>;
}
(client.createRoot ?? dom.createRoot)(document.getElementById('root')).render(<React.StrictMode><App /></React.StrictMode>);
