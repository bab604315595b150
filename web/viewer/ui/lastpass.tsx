import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { headline, plain } from "../model/reasons";
import { ago } from "../start/screen";

interface Change { section: string; step?: string; kind: string; effect: string; what: string; path?: string; a?: string; b?: string; countA?: number; countB?: number; pair?: number }

export interface LastPass { reading: boolean; id: string; name: string; place: string; recorded: number; later: boolean; first: number; step: string; changes: Change[]; more: number }

const AGAIN = 1200; // ms until traces that are still being read are asked for again
const known = new Map<string, LastPass>();

/** The last run in which this test passed, once it is known; undefined while, or if, it is not. */
export function useLastPass(): LastPass | undefined {
  const t = app.trace, key = t?.complete && !app.offline ? `${t.id}/${t.epoch}` : "";
  const [got, set] = useState<{ key: string; v: LastPass }>();
  useEffect(() => {
    if (key === "" || !t) return;
    let here = true, timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (tries: number): void => {
      app.connection.get<LastPass>(t, "lastpass", -1, localStorage.getItem("tracedeck-noise-rules") ?? "").then((v) => {
        if (!here) return;
        if (v.reading && tries > 0) { timer = setTimeout(() => ask(tries - 1), AGAIN); return; }
        known.set(key, v);
        set({ key, v });
      }, () => undefined); // without an answer nothing is shown
    };
    const before = known.get(key);
    if (before) set({ key, v: before }); else ask(100);
    return () => { here = false; clearTimeout(timer); };
  }, [key]);
  return got?.key === key && got.v.id !== "" ? got.v : undefined;
}

/** Opens the comparison with the last pass, at a pair of steps. */
export function compareWithPass(v: LastPass, step = v.first): void {
  const t = app.trace!, traces = app.welcome!.traces;
  if (!traces.some((k) => k.id === v.id)) traces.push({ id: v.id, name: v.name, live: false });
  app.goCompare(v.id, t.id);
  if (step >= 0) app.comparison!.follow({ a: v.id, b: t.id, step });
}

const KIND: Record<string, string> = { steps: "step", errors: "error", network: "request", websocket: "WebSocket", dom: "page" };

const SIGN: Record<string, string> = { added: "+", removed: "−", changed: "~", moved: "↕" };

/** What differs from the last passing run; nothing where none is known. */
export function SincePass({ error }: { error: string }): JSX.Element | null {
  const v = useLastPass();
  if (!v) return null;
  const own = headline(error);
  const list = v.changes.filter((c) => c.section !== "errors" || own === "" || !plain(c.b ?? "").includes(own));
  return (
    <section class="sect sincepass"><h2><span>What differs from the last passing run</span><button class="linkish" onClick={() => compareWithPass(v)}>compare ›</button></h2>
      <div class="dim">{v.later ? "A later run passed" : "It passed"}{v.recorded > 0 ? ` ${ago(v.recorded)}` : ""}: <span class="mono breaks">{v.place}</span></div>
      {v.first >= 0 ? <button class="cause pass" onClick={() => compareWithPass(v)}><span class="mono dim">first step</span><span class="warn" aria-hidden="true">~</span><span class="what">{v.step}</span></button> : <div>No step differs.</div>}
      {list.map((c, i) => (
        <button key={i} class="cause pass" onClick={() => compareWithPass(v, c.pair ?? v.first)}>
          <span class="dim">{KIND[c.section] ?? c.section}</span><span class={c.effect === "regressed" ? "err" : "warn"} aria-hidden="true">{SIGN[c.kind] ?? "~"}</span>
          <span class="what breaks">{c.section === "steps" && c.step && c.what !== "step" ? <><b>{c.step}</b> </> : null}{c.what}{c.path ? ` ${c.path}` : ""}{c.a || c.b ? <span class="mono"> {cut(c.a)}{c.a && c.b ? " → " : ""}{cut(c.b)}</span> : null}</span>
        </button>
      ))}
      {v.more > 0 ? <div class="dim">{v.more.toLocaleString("en")} more in the comparison</div> : null}
    </section>
  );
}

function cut(text = ""): string {
  const line = plain(text).split("\n")[0];
  return line.length > 140 ? `${line.slice(0, 140)}…` : line;
}
