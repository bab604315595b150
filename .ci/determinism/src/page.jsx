import React, { Suspense, use, useEffect, useState } from 'react';
const later = new Map();
const wait = (ms, v) => { const k = ms + v; if (!later.has(k)) later.set(k, new Promise(done => setTimeout(() => done(v), ms))); return later.get(k); };
const Part = ({ ms, name }) => { const v = use(wait(ms, name)); const [n, setN] = useState(0); return <p><button id={name} onClick={() => setN(n + 1)}>{v} {n}</button></p>; };
export const Page = () => { const [s, setS] = useState(''); useEffect(() => { const t = setInterval(() => setS(String(performance.now())), 333); return () => clearInterval(t); }, []);
  return <main><h1>streamed {s}</h1>{['one', 'two', 'three'].map((name, i) => <Suspense key={name} fallback={<p>loading {name}</p>}><Part ms={40 * i + 10} name={name} /></Suspense>)}</main>; };
