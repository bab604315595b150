import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { app } from "../model/app";
import type { Trace } from "../model/trace";
import { size } from "./page";

/** How many recorded pages are kept, those that were seen last. */
const KEEP = 4;
/** How long the page before stays while the wanted one loads, in ms. */
const PATIENCE = 400;

interface Kept { key: string; row: number; loaded: boolean; used: number }

/**
 * Recorded pages of one trace, of which one is seen. Those of the steps before
 * and after are loaded behind it, so that walking from step to step is quick,
 * and the one that was seen stays until its successor has loaded.
 */
export function SnapshotFrames({ t, row, scale, soon, class: c }: { t: Trace; row: number; scale: number; soon: number[]; class?: string }): JSX.Element {
  const [kept, setKept] = useState<Kept[]>([]);
  const clock = useRef(0);
  const seen = useRef("");
  const name = (r: number): string => `${t.id}/${t.epoch}/${r}`;
  const key = name(row);
  const here = kept.find((k) => k.key === key);
  const list = here ? kept : [...kept.filter((k) => k.key.startsWith(`${t.id}/${t.epoch}/`)), { key, row, loaded: false, used: 0 }];
  const [late, setLate] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setLate(key), PATIENCE);
    return () => clearTimeout(timer);
  }, [key]);
  const add = (rows: number[]): void => setKept((old) => {
    const now = old.filter((k) => k.key.startsWith(`${t.id}/${t.epoch}/`));
    for (const r of rows) {
      const k = now.find((o) => o.row === r);
      if (k) k.used = ++clock.current; else now.push({ key: name(r), row: r, loaded: false, used: ++clock.current });
    }
    while (now.length > KEEP) now.splice(now.indexOf(now.reduce((x, y) => (y.used < x.used ? y : x))), 1); // in place: a frame that moves loads anew
    return now;
  });
  useEffect(() => add([row]), [key]);
  useEffect(() => {
    if (!here?.loaded) return;
    const timer = setTimeout(() => add([...soon.slice().reverse(), row]), 30);
    return () => clearTimeout(timer);
  }, [key, here?.loaded, soon.join()]);
  if (here?.loaded || late === key || !list.some((k) => k.key === seen.current)) seen.current = key;
  return (
    <>
      {list.map((k) => {
        const [w, h] = size(t.num(t.snapshots, "width", k.row), t.num(t.snapshots, "height", k.row));
        const url = t.text(t.snapshots, "url", k.row);
        const shown = k.key === seen.current;
        return <iframe key={k.key} sandbox="" inert title={`Recorded page: ${url}`} {...app.pageOf(t, k.row)} class={`${c ?? ""} ${shown ? "shown" : "waiting"}`} aria-hidden={!shown} data-row={k.row} data-loaded={k.loaded}
          onLoad={() => { if (!k.loaded) setKept((old) => old.map((o) => (o.key === k.key ? { ...o, loaded: true } : o))); }}
          style={{ width: `${w}px`, height: `${h}px`, transform: `scale(${scale})` }} />;
      })}
    </>
  );
}
