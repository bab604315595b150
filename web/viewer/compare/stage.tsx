import type { JSX } from "preact";
import { Kbd } from "../ui/kbd";
import { useEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { NONE, Phase } from "../model/schema";
import type { Trace } from "../model/trace";
import { roving } from "../ui/details";
import { SnapshotFrames } from "../ui/frames";
import { useAnswer, useApp, useSize } from "../ui/hooks";
import { size } from "../ui/page";
import { CPHASES, MODES, type Comparison, type CPhase, type Mode } from "./model";

const PHASE_NAME: Record<CPhase, string> = { before: "Before", during: "Action", after: "After", screenshot: "Screenshot" };
const MODE_NAME: Record<Mode, string> = { side: "Side by side", swipe: "Swipe", blend: "Blend", blink: "Blink", pixels: "Pixels" };
const PHASE: Record<string, number> = { before: Phase.before, during: Phase.during, after: Phase.after };

/** What one side shows: a recorded page or a picture. */
interface View { t: Trace; own: boolean; snapshot: number; entry: string; width: number; height: number; soon: number[] }

function picture(c: Comparison, t: Trace, row: number): string {
  const d = c.derived(t);
  const still = d.still(row);
  if (still !== NONE) return t.text(t.stills, "entry", still);
  const end = t.actionEnd(row), page = t.num(t.actions, "page", row);
  const frame = d.frameAt(end, page) !== NONE ? d.frameAt(end, page) : d.frameAt(end);
  return frame === NONE ? "" : t.text(t.frames, "entry", frame);
}

function viewOf(c: Comparison, side: "a" | "b"): View | undefined {
  const t = c[side], d = c.derived(t);
  const { row, own } = c.nearest(c.at, side);
  if (row === NONE) return undefined;
  const phase = own || c.phase === "screenshot" ? c.phase : "after";
  const snapshot = phase === "screenshot" ? NONE : d.snapshot(row, PHASE[phase]);
  const entry = picture(c, t, row);
  if (snapshot === NONE && entry === "") return undefined;
  const [width, height] = snapshot === NONE ? [0, 0] : size(t.num(t.snapshots, "width", snapshot), t.num(t.snapshots, "height", snapshot));
  const soon = !c.moved ? [] : [c.at + 1, c.at - 1].flatMap((i) => { const r = c.pairs[i]?.[side] ?? NONE; return r < 0 || c.phase === "screenshot" ? [] : [d.snapshot(r, PHASE[c.phase])]; }).filter((r) => r !== NONE);
  return { t, own, snapshot, entry, width, height, soon };
}

export function Stage(): JSX.Element {
  useApp(() => [app.comparison?.version, app.comparison?.at, app.comparison?.phase, app.comparison?.mode, app.comparison?.split, app.comparison?.region]);
  const c = app.comparison!;
  const [box, width, height] = useSize<HTMLDivElement>();
  const a = c.at >= 0 ? viewOf(c, "a") : undefined, b = c.at >= 0 ? viewOf(c, "b") : undefined;
  return (
    <section class="panel pagepane" aria-label="Recorded pages" id="page">
      <div class="tabs wrap">
        <div role="tablist" class="tabset" aria-label="Moment of the step" onKeyDown={roving}>
          {CPHASES.map((p, i) => <button key={p} role="tab" class={`tab ${p === c.phase ? "on" : ""}`} aria-selected={p === c.phase} tabIndex={p === c.phase ? 0 : -1} aria-controls="stage" onClick={() => c.set({ phase: p })}>{PHASE_NAME[p]} <kbd class="wideonly">{i + 1}</kbd></button>)}
        </div>
        <span class="sp" />
        <div class="segments" role="group" aria-label="How to compare">
          {MODES.map((m) => <button key={m} aria-pressed={m === c.mode} class={m === c.mode ? "on" : ""} onClick={() => c.set({ mode: m })}>{MODE_NAME[m]}</button>)}
        </div>
      </div>
      <div class="stage both" id="stage" role="tabpanel" aria-label={`${PHASE_NAME[c.phase]}, ${MODE_NAME[c.mode]}`} ref={box}>
        {!a && !b ? <div class="empty"><b>No picture of the page for this step</b><span>Neither trace has a snapshot or a screenshot of it.</span></div>
          : c.mode === "side" ? <><Half letter="A" v={a} width={width / 2} height={height} /><Half letter="B" v={b} width={width / 2} height={height} /></>
          : !a || !b ? <Half letter={a ? "A" : "B"} v={a ?? b} width={width} height={height} />
          : c.mode === "pixels" ? <Pixels c={c} a={a} b={b} width={width} height={height} />
          : <Over c={c} a={a} b={b} width={width} height={height} />}
      </div>
    </section>
  );
}

const PAD = 24, HEAD = 24;

function Half({ letter, v, width, height }: { letter: string; v: View | undefined; width: number; height: number }): JSX.Element {
  if (!v) return <div class="half"><div class="empty"><b>{letter} has nothing to show</b><span>Neither this step nor one before it has a picture.</span></div></div>;
  const scale = v.snapshot === NONE ? 1 : Math.max(0.05, Math.min(1, (width - PAD) / v.width, (height - PAD - HEAD) / v.height));
  return (
    <div class="half">
      <div class="halfhead"><b class={`letter ${letter.toLowerCase()}`}>{letter}</b>{v.own ? null : <span class="dim">no such step; the page before it</span>}</div>
      <div class="browser fit"><Layer v={v} scale={scale} width={width - PAD} height={height - PAD - HEAD} alt={letter} /></div>
    </div>
  );
}

/** A recorded page or a picture, of the size it is shown in. */
function Layer({ v, scale, width, height, alt, style }: { v: View; scale: number; width: number; height: number; alt: string; style?: Record<string, string> }): JSX.Element {
  if (v.snapshot === NONE) return <img class="shot" src={app.resourceOf(v.t, v.entry)} alt={`Page of ${alt}`} style={{ maxWidth: `${width}px`, maxHeight: `${height}px`, ...style }} />;
  return <div class="viewport" style={{ width: `${v.width * scale}px`, height: `${v.height * scale}px`, ...style }}><SnapshotFrames t={v.t} row={v.snapshot} scale={scale} soon={v.soon} class={`of-${alt.toLowerCase()}`} /></div>;
}

/** Swipe, blend and blink: one page over the other. */
function Over({ c, a, b, width, height }: { c: Comparison; a: View; b: View; width: number; height: number }): JSX.Element {
  const [on, setOn] = useState(true);
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  useEffect(() => {
    if (c.mode !== "blink" || calm) return;
    const timer = setInterval(() => setOn((v) => !v), 600);
    return () => clearInterval(timer);
  }, [c.mode, calm]);
  const wide = Math.max(a.width, b.width), high = Math.max(a.height, b.height);
  const scale = wide > 0 ? Math.max(0.05, Math.min(1, (width - PAD) / wide, (height - PAD - 34) / high)) : 1;
  const style: Record<string, string> = c.mode === "swipe" ? { clipPath: `inset(0 0 0 ${c.split}%)` } : c.mode === "blend" ? { opacity: String(c.split / 100) } : { visibility: on ? "visible" : "hidden" };
  const drag = (e: PointerEvent): void => {
    if (c.mode !== "swipe" || e.buttons !== 1) return;
    const r = (e.currentTarget as HTMLElement).getBoundingClientRect();
    c.set({ split: Math.round(Math.max(0, Math.min(100, ((e.clientX - r.left) / r.width) * 100))) });
  };
  return (
    <div class="overcolumn">
      <div class="browser fit overbox" onPointerDown={drag} onPointerMove={drag}>
        <Layer v={a} scale={scale} width={width - PAD} height={height - PAD - 34} alt="A" />
        <div class="overtop" style={style}><Layer v={b} scale={scale} width={width - PAD} height={height - PAD - 34} alt="B" /></div>
        <b class="letter a corner">A</b><b class="letter b corner right">B</b>
        {c.mode === "swipe" ? <i class="divider" style={{ left: `${c.split}%` }} /> : null}
      </div>
      {c.mode === "blink" ? <div class="overfoot">{calm ? <button class="btn small" onClick={() => setOn(!on)}>Show {on ? "A" : "B"}</button> : <span class="dim">showing {on ? "B" : "A"}</span>}</div>
        : <div class="overfoot"><span class="dim">A</span><input type="range" min={0} max={100} value={c.split} aria-label={c.mode === "swipe" ? "Where A ends and B begins" : "How much of B shows"} onInput={(e) => c.set({ split: Number(e.currentTarget.value) })} /><span class="dim">B</span></div>}
    </div>
  );
}

interface Box { x: number; y: number; width: number; height: number; pixels: number }

interface PixelResult { class: string; identical: boolean; ratio: number; diffPixels: number; a: { width: number; height: number }; b: { width: number; height: number }; boxes: Box[] | null; moves: unknown[] | null }

/** Which pixels of the screenshots differ. */
function Pixels({ c, a, b, width, height }: { c: Comparison; a: View; b: View; width: number; height: number }): JSX.Element {
  const ok = a.entry !== "" && b.entry !== "";
  const { value, error } = useAnswer<PixelResult>(ok ? `${c.token}/pixels/${a.entry}/${b.entry}` : "", () => app.connection.compare(c.a, c.b, "pixels", c.at, c.rules, `${a.entry}\n${b.entry}`));
  if (!ok) return <div class="empty"><b>No screenshots of this step</b><span>Pixels are compared where both traces have a screenshot or a screencast. Side by side, swipe, blend and blink work with recorded pages.</span></div>;
  if (error) return <div class="empty"><b>The pictures cannot be compared</b><span>{error}</span></div>;
  if (!value) return <div class="empty"><div class="spinner" /></div>;
  const w = Math.max(value.a.width, value.b.width), h = Math.max(value.a.height, value.b.height);
  const scale = Math.max(0.05, Math.min(1, (width - PAD) / w, (height - PAD - 34) / h));
  const boxes = value.boxes ?? [];
  const region = boxes.length > 0 && c.region >= 0 ? c.region % boxes.length : NONE;
  const src = `${app.welcome?.content ?? ""}/d/${c.token}?a=${encodeURIComponent(a.entry)}&b=${encodeURIComponent(b.entry)}`;
  return (
    <div class="overcolumn">
      <div class="browser fit overbox">
        <img class="shot" src={src} alt="Pixels that differ" style={{ width: `${w * scale}px`, height: `${h * scale}px` }} />
        {boxes.map((x, i) => <button key={i} class={`areabox ${i === region ? "on" : ""}`} aria-label={`Area ${i + 1}: ${x.pixels} pixels`} style={{ left: `${x.x * scale - 3}px`, top: `${x.y * scale - 3}px`, width: `${x.width * scale + 6}px`, height: `${x.height * scale + 6}px` }} onClick={() => c.set({ region: i })} />)}
      </div>
      <div class="overfoot"><span>{value.identical ? "Every pixel is the same." : value.diffPixels === 0 ? "No pixel differs visibly." : `${boxes.length} ${boxes.length === 1 ? "area differs" : "areas differ"} · ${(value.ratio * 100).toFixed(value.ratio < 0.001 ? 3 : 1)} % of pixels${region >= 0 ? ` · area ${region + 1}: ${boxes[region].width}×${boxes[region].height} at ${boxes[region].x}, ${boxes[region].y}` : ""}`}</span>{boxes.length > 1 ? <button class="btn small" onClick={() => c.set({ region: c.region + 1 })}>Next area <Kbd of="c-region" /></button> : null}</div>
    </div>
  );
}
