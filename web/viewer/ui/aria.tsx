import type { JSX } from "preact";
import { app } from "../model/app";
import { ariaLines, type AriaLine } from "../model/aria";
import type { Derived } from "../model/derived";
import { moment } from "../model/time";
import { useAnswer } from "./hooks";

const MOST = 5000;
const PHASES = ["", "before the step", "during the step", "after the step"];

async function load(url: string): Promise<AriaLine[]> {
  const r = await fetch(url, { credentials: "omit" });
  if (!r.ok) throw { text: "The recorder did not keep this tree." };
  return ariaLines(await r.text());
}

/** The accessibility tree that was recorded with a step. */
export function AriaTree({ d }: { d: Derived }): JSX.Element {
  const t = d.t, row = d.ariaOf(app.selected);
  const url = app.resource(t.text(t.stills, "entry", row));
  const { value, error } = useAnswer<AriaLine[]>(`aria/${url}`, () => load(url));
  const own = t.num(t.stills, "action", row) === app.selected;
  return (
    <div class="ariatree scroll pad" tabIndex={0} aria-label="Recorded accessibility tree">
      <p class="dim">{own ? PHASES[t.num(t.stills, "phase", row)] ?? "" : "of another step"} · {moment(t.num(t.stills, "time", row))}</p>
      {error ? <div class="empty"><span>{error}</span></div> : !value ? <div class="empty">Reading…</div> : value.length === 0 ? <div class="empty"><span>The page had nothing in its accessibility tree.</span></div> : (
        <ul>{value.slice(0, MOST).map((l, i) => <li key={i} class="mono" style={{ paddingLeft: `${Math.min(l.depth, 30) * 14}px` }} title={l.box}><span class="role">{l.role}</span>{l.name ? <b> "{l.name}"</b> : null}{l.states ? <span class="dim"> {l.states}</span> : null}{l.text ? <span> {l.text}</span> : null}</li>)}</ul>
      )}
      {value && value.length > MOST ? <p class="dim">{(value.length - MOST).toLocaleString("en")} more</p> : null}
    </div>
  );
}
