import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { app } from "../model/app";
import type { Derived } from "../model/derived";
import { moment, pan, ticks, zoom } from "../model/time";
import { cover, label, stillAt } from "../ui/draw";
import { useApp, useSize } from "../ui/hooks";
import { Pictures } from "../ui/pictures";
import { colours, themeChanged, type Palette } from "../ui/theme";
import type { Comparison } from "./model";

const RULER = 18, FILM = 44, BARS = 24, LINKS = 28;

interface Band { name: string; side?: "a" | "b"; kind: "film" | "bars" | "links"; top: number; height: number; label: string }

function bands(c: Comparison): { list: Band[]; height: number } {
  const list: Band[] = [];
  let top = RULER;
  const add = (b: Omit<Band, "top">): void => { list.push({ ...b, top }); top += b.height; };
  const film = (side: "a" | "b"): void => { const d = c.derived(c[side]); if (d.frames.length > 0 || d.t.stills.rows > 0) add({ name: `film-${side}`, side, kind: "film", height: FILM, label: `${side.toUpperCase()} film strip` }); };
  film("a");
  add({ name: "bars-a", side: "a", kind: "bars", height: BARS, label: "A actions" });
  add({ name: "links", kind: "links", height: LINKS, label: "Matches" });
  add({ name: "bars-b", side: "b", kind: "bars", height: BARS, label: "B actions" });
  film("b");
  return { list, height: top };
}

/** Both traces over one axis, with lines from step to step. */
export function Lanes(): JSX.Element {
  useApp(() => [app.comparison?.version, app.comparison?.at, app.comparison?.view, app.comparison?.wall, app.comparison?.hover]);
  const c = app.comparison!;
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, again] = useState(0);
  const pictures = useRef<Pictures>(undefined);
  pictures.current ??= new Pictures(() => again((n) => n + 1));
  useEffect(() => themeChanged(() => again((n) => n + 1)), []);
  const { list, height } = bands(c);
  const w = c.window;
  useEffect(() => {
    const el = canvas.current!;
    if (width === 0) return;
    const ratio = devicePixelRatio || 1;
    el.width = width * ratio;
    el.height = height * ratio;
    const g = el.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint(g, c, list, width, height, pictures.current!);
  });
  const place = (e: { offsetX: number }): number => w.from + (e.offsetX / Math.max(width, 1)) * (w.to - w.from);
  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) c.look(pan(w, ((e.deltaX || e.deltaY) / width) * 1.2, c.axis.end));
    else c.look(zoom(w, Math.exp(e.deltaY * 0.0022), place(e), c.axis.end));
  };
  useEffect(() => {
    const el = canvas.current!;
    el.addEventListener("wheel", wheel, { passive: false });
    return () => el.removeEventListener("wheel", wheel);
  });
  const click = (e: MouseEvent): void => { const at = hit(c, list, place(e), e.offsetY); if (at >= 0) c.select(at); };
  const p = c.pairs[c.at];
  return (
    <section class="timeline" id="timeline" aria-label="Time of both">
      <div class="heads" aria-hidden="true"><div style={{ height: `${RULER}px` }} />{list.map((b) => <div key={b.name} style={{ height: `${b.height}px` }}>{b.label}</div>)}</div>
      <div class="canvas" ref={box}>
        <canvas ref={canvas} style={{ height: `${height}px` }} tabIndex={0} role="application" aria-label="Both traces over time. The list of steps holds the same." onPointerMove={(e) => c.set({ hover: place(e) })} onPointerLeave={() => c.set({ hover: undefined })} onClick={click} onDblClick={() => c.look(undefined)} />
        <p class="spoken" aria-live="polite">{p ? `A ${p.a < 0 ? "has no such step" : moment(c.a.num(c.a.actions, "start", p.a))}, B ${p.b < 0 ? "has no such step" : moment(c.b.num(c.b.actions, "start", p.b))}` : ""}</p>
      </div>
    </section>
  );
}

function hit(c: Comparison, list: Band[], u: number, y: number): number {
  const band = list.find((b) => y >= b.top && y < b.top + b.height);
  const side = band?.side ?? (y > (list.find((b) => b.kind === "links")?.top ?? 0) + LINKS / 2 ? "b" : "a");
  const t = c.axis.moment(side, u), trace = c[side];
  let best = -1, size = Infinity;
  for (let i = 0; i < c.pairs.length; i++) {
    const row = c.pairs[i][side];
    if (row < 0) continue;
    const from = trace.num(trace.actions, "start", row), to = trace.actionEnd(row);
    if (t >= from && t <= to && to - from <= size) { best = i; size = to - from; }
  }
  return best;
}

function paint(g: CanvasRenderingContext2D, c: Comparison, list: Band[], width: number, height: number, pictures: Pictures): void {
  const k = colours(), w = c.window;
  const x = (u: number): number => ((u - w.from) / (w.to - w.from)) * width;
  g.clearRect(0, 0, width, height);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  if (c.wall) for (const m of ticks(w, width)) {
    g.fillStyle = k["line"];
    g.fillRect(Math.round(x(m.at)), 0, 1, height);
    g.fillStyle = k["dim"];
    g.fillText(m.label, Math.round(x(m.at)) + 4, RULER / 2);
  } else { g.fillStyle = k["dim"]; g.fillText("each step begins at the same place; what is longer in one leaves room in the other", 6, RULER / 2); }
  for (const b of list) {
    g.save();
    g.beginPath();
    g.rect(0, b.top, width, b.height);
    g.clip();
    if (b.kind === "film") film(g, c, b, width, pictures, k);
    else if (b.kind === "bars") bars(g, c, b, x, width, k);
    else links(g, c, b, x, width, k);
    g.restore();
    g.fillStyle = k["line"];
    g.fillRect(0, b.top + b.height - 1, width, 1);
  }
  cursor(g, c, list, x, height, k);
}

const isLeaf = (d: Derived, row: number): boolean => !d.tree.hasChildren(row);

function bars(g: CanvasRenderingContext2D, c: Comparison, b: Band, x: (u: number) => number, width: number, k: Palette): void {
  const side = b.side!, t = c[side], d = c.derived(t), axis = c.axis;
  let last = -1;
  for (let i = 0; i < c.pairs.length; i++) {
    const p = c.pairs[i], row = p[side];
    if (row < 0 || !isLeaf(d, row)) continue;
    const from = x(axis.place(side, t.num(t.actions, "start", row))), to = x(axis.place(side, t.actionEnd(row)));
    if (to < 0 || from > width || to < last && i !== c.at) continue;
    const w = Math.max(2, to - from - 1);
    last = from + w;
    g.fillStyle = c.failed(t, row) ? k["err"] : p.kind === "same" ? k["lane-action"] : p.kind === "changed" ? k["warn"] : side === "a" ? k["err"] : k["ok"];
    g.globalAlpha = p.kind === "only-a" && !c.failed(t, row) ? 0.7 : 1;
    g.fillRect(from, b.top + 3, w, b.height - 7);
    g.globalAlpha = 1;
    if (i === c.at) { g.strokeStyle = k["text"]; g.lineWidth = 1.5; g.strokeRect(from + 0.75, b.top + 3.75, Math.max(1, w - 1.5), b.height - 8.5); g.lineWidth = 1; }
    g.fillStyle = k["lane-action-text"];
    label(g, `${t.text(t.actions, "title", row)} ${t.text(t.actions, "detail", row)}`, Math.max(from, 0) + 5, b.top + b.height / 2 - 0.5, Math.min(to, width) - Math.max(from, 0) - 10);
  }
}

function links(g: CanvasRenderingContext2D, c: Comparison, b: Band, x: (u: number) => number, width: number, k: Palette): void {
  const axis = c.axis, da = c.derived(c.a);
  let last = -9;
  for (let i = 0; i < c.pairs.length; i++) {
    const p = c.pairs[i];
    if (p.a < 0 || p.b < 0 || !isLeaf(da, p.a)) continue;
    const from = x(axis.place("a", c.a.num(c.a.actions, "start", p.a))), to = x(axis.place("b", c.b.num(c.b.actions, "start", p.b)));
    if (Math.max(from, to) < 0 || Math.min(from, to) > width || Math.abs(from - last) < 2 && i !== c.at) continue;
    last = from;
    g.strokeStyle = i === c.at ? k["accent"] : p.kind === "changed" ? k["warn"] : k["faint"];
    g.globalAlpha = i === c.at ? 1 : 0.6;
    g.lineWidth = i === c.at ? 2 : 1;
    g.setLineDash(p.kind === "changed" ? [4, 3] : []);
    g.beginPath();
    g.moveTo(from + 1, b.top);
    g.bezierCurveTo(from + 1, b.top + b.height * 0.6, to + 1, b.top + b.height * 0.4, to + 1, b.top + b.height);
    g.stroke();
  }
  g.globalAlpha = 1;
  g.lineWidth = 1;
  g.setLineDash([]);
}

function film(g: CanvasRenderingContext2D, c: Comparison, b: Band, width: number, pictures: Pictures, k: Palette): void {
  const side = b.side!, t = c[side], d = c.derived(t), w = c.window, h = b.height - 8, wide = Math.round(h * 1.6);
  const frames = d.frames.length > 0;
  for (let px = 2; px < width; px += wide + 6) {
    const at = c.axis.moment(side, w.from + ((px + wide / 2) / width) * (w.to - w.from));
    if (at > t.end || frames && at < d.frames.starts[0]) continue;
    const row = frames ? d.frameAt(at) : stillAt(d, at);
    if (row < 0) continue;
    const table = frames ? t.frames : t.stills;
    const image = pictures.get(app.resourceOf(t, t.text(table, "entry", row)));
    g.fillStyle = k["line"];
    g.fillRect(px - 1, b.top + 3, wide + 2, h + 2);
    if (image) cover(g, image, px, b.top + 4, wide, h);
  }
}

/** Where the pointer is in both: the moments that belong together. */
function cursor(g: CanvasRenderingContext2D, c: Comparison, list: Band[], x: (u: number) => number, height: number, k: Palette): void {
  const axis = c.axis;
  let u = c.hover;
  const p = c.pairs[c.at];
  if (u === undefined && p) { const side = p.b >= 0 ? "b" : "a"; u = axis.place(side, c[side].num(c[side].actions, "start", p[side])); }
  if (u === undefined) return;
  const middle = list.find((b) => b.kind === "links")!;
  const tb = axis.moment("b", u), ta = axis.wall ? axis.across("b", tb) : axis.moment("a", u);
  g.fillStyle = k["accent"];
  g.fillRect(Math.round(x(axis.place("a", ta))), RULER, 1, middle.top - RULER);
  g.fillRect(Math.round(x(axis.place("b", tb))), middle.top + middle.height, 1, height - middle.top - middle.height);
}
