import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { app } from "../model/app";
import type { Derived } from "../model/derived";
import { duration, moment, pan, zoom, type Range } from "../model/time";
import { draw, layout, requestName, type Strip } from "./draw";
import { useApp, useSize } from "./hooks";
import { Icon } from "./icons";
import { laneSetting, setLane, type LaneSetting } from "../model/lanesettings";
import { Pictures } from "./pictures";
import { themeChanged } from "./theme";

interface Hover { px: number; y: number; t: number; strip: Strip | undefined }
type Drag = { kind: "range" | "overview" | "pan"; from: number; view: Range; moved: boolean };

export function Timeline(): JSX.Element {
  useApp();
  const [box, width] = useSize<HTMLDivElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<Hover>();
  const drag = useRef<Drag | undefined>(undefined);
  const pictures = useRef<Pictures | undefined>(undefined);
  pictures.current ??= new Pictures(() => app.tell());
  const d = app.derived;
  const { strips, height } = layout(d);
  const view = app.window, end = app.trace?.end ?? 1000;
  const events = useDensity(d, view, width);
  useEffect(() => themeChanged(() => app.tell()), []);

  useLayoutEffect(() => {
    const c = canvas.current!;
    const ratio = devicePixelRatio || 1;
    const w = Math.max(1, Math.round(width * ratio)), h = Math.round(height * ratio);
    if (c.width !== w) c.width = w;
    if (c.height !== h) c.height = h;
    const g = c.getContext("2d")!;
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw({ g, width, strips, height, d, view, end, hover: hover?.t, events,
      picture: (row, still) => d && pictures.current!.get(app.resource(d.t.text(still ? d.t.stills : d.t.frames, "entry", row))) });
  });

  const timeAt = (px: number): number => view.from + (px / Math.max(1, width)) * (view.to - view.from);
  const stripAt = (y: number): Strip | undefined => strips.find((s) => y >= s.top && y < s.top + s.height);
  const place = (e: MouseEvent): { px: number; y: number } => {
    const r = canvas.current!.getBoundingClientRect();
    return { px: e.clientX - r.left, y: e.clientY - r.top };
  };

  const down = (e: PointerEvent): void => {
    if (e.button !== 0 && e.button !== 1) return;
    const { px, y } = place(e);
    const kind = stripAt(y)?.name === "overview" ? "overview" : e.button === 1 || e.altKey ? "pan" : "range";
    drag.current = { kind, from: px, view, moved: false };
    canvas.current!.setPointerCapture(e.pointerId);
    if (kind === "overview") centre(px, drag.current);
  };
  const centre = (px: number, gesture: object): void => {
    const half = (view.to - view.from) / 2, at = (px / width) * end;
    if (app.view) app.look({ from: at - half, to: at + half }, gesture);
  };
  const move = (e: PointerEvent): void => {
    const { px, y } = place(e);
    const g = drag.current;
    if (g && Math.abs(px - g.from) > 3) g.moved = true;
    if (g?.kind === "overview" && g.moved) {
      if (app.view && g.view === undefined) return;
      if (app.view) centre(px, g);
      else { const a = (Math.min(px, g.from) / width) * end, b = (Math.max(px, g.from) / width) * end; app.setRange({ from: a, to: b }, g); }
    } else if (g?.kind === "pan" && g.moved) {
      app.look(pan(g.view, (g.from - px) / width, end), g);
    } else if (g?.kind === "range" && g.moved) {
      const a = timeAt(Math.min(px, g.from)), b = timeAt(Math.max(px, g.from));
      app.setRange({ from: Math.max(0, a), to: Math.min(end, b) }, g);
    }
    setHover({ px, y, t: timeAt(px), strip: stripAt(y) });
  };
  const up = (e: PointerEvent): void => {
    const g = drag.current;
    drag.current = undefined;
    if (!g || g.moved) return;
    const { px, y } = place(e);
    if (g.kind === "range" && d) click(d, strips, px, y, timeAt(px), ((view.to - view.from) / width) * 4);
  };
  const wheel = (e: WheelEvent): void => {
    e.preventDefault();
    const { px } = place(e);
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) app.look(pan(view, ((e.deltaX || e.deltaY) / width) * 0.8, end));
    else app.look(zoom(view, Math.exp(Math.max(-120, Math.min(120, e.deltaY)) * 0.004), timeAt(px), end));
  };
  useEffect(() => {
    const c = canvas.current!;
    c.addEventListener("wheel", wheel, { passive: false });
    return () => c.removeEventListener("wheel", wheel);
  });

  return (
    <section class={`timeline ${height > innerHeight * 0.5 ? "tall" : ""}`} aria-label="Timeline" id="timeline">
      <div class="heads">
        {strips.map((s) => <Head key={s.name} s={s} />)}
      </div>
      <div ref={box} class="canvas" role="application" aria-label="Timeline lanes. W and S zoom, A and D move; the tree of steps holds the same data." tabIndex={0} style={{ height: `${height}px` }}>
        <canvas ref={canvas} style={{ height: `${height}px` }} onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={() => { drag.current = undefined; }}
          onPointerLeave={() => setHover(undefined)} onDblClick={() => app.fit()} />
        {hover && d ? <Tip d={d} hover={hover} width={width} slack={((view.to - view.from) / Math.max(1, width)) * 4} pictures={pictures.current} dragging={drag.current?.moved === true} /> : null}
        <Spoken d={d} view={view} />
      </div>
    </section>
  );
}

/** A lane's name, which folds it, and its lower edge, which makes it higher. */
function Head({ s }: { s: Strip }): JSX.Element {
  if (s.name === "overview" || s.name === "ruler") return <div style={{ height: `${s.height}px` }}><span>{s.label}</span><em>{s.count}</em></div>;
  const lane = s.name, set = laneSetting(lane);
  const change = (to: Partial<LaneSetting>): void => { setLane(lane, to); app.tell(); };
  const down = (e: PointerEvent): void => {
    const el = e.currentTarget as HTMLElement, from = e.clientY, one = s.height / set.scale;
    e.preventDefault();
    el.setPointerCapture(e.pointerId);
    const move = (m: PointerEvent): void => change({ scale: (s.height + m.clientY - from) / one, folded: false });
    const up = (): void => { el.removeEventListener("pointermove", move); el.removeEventListener("pointerup", up); };
    el.addEventListener("pointermove", move);
    el.addEventListener("pointerup", up);
  };
  const key = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowUp" ? -0.25 : e.key === "ArrowDown" ? 0.25 : 0;
    if (step === 0) return;
    e.preventDefault();
    e.stopPropagation();
    change({ scale: set.scale + step, folded: false });
  };
  return (
    <div class={`head ${set.folded ? "folded" : ""}`} style={{ height: `${s.height}px` }}>
      <button class="lanename" aria-expanded={!set.folded} title={set.folded ? "Unfold" : "Fold; the arrow keys make it lower or higher"} onClick={() => change({ folded: !set.folded })} onKeyDown={key}>{s.label}</button>
      <button class={`pin ${set.pinned ? "on" : ""}`} aria-pressed={set.pinned} aria-label={`${s.label} on top`} title="Keep on top" tabIndex={-1} onClick={() => change({ pinned: !set.pinned })}><Icon name="pin" /></button><em>{s.count}</em>
      <i class="laneedge" onPointerDown={down} />
    </div>
  );
}

/** The rows on screen, for those who cannot see a canvas. */
function Spoken({ d, view: now }: { d: Derived | undefined; view: Range }): JSX.Element | null {
  const [view, rest] = useState(now);
  useEffect(() => { // two hundred rows a frame would be most of the work while one zooms
    const timer = setTimeout(() => rest(now), 300);
    return () => clearTimeout(timer);
  }, [now.from, now.to]);
  return useMemo(() => spoken(d, view), [d, view]);
}

function spoken(d: Derived | undefined, view: Range): JSX.Element | null {
  if (!d) return null;
  const [lo, hi] = d.actions.window(view.from, view.to);
  const rows = Array.from(d.actions.rows.subarray(lo, Math.min(hi, lo + 200)));
  return (
    <ul class="spoken" aria-label="Steps in view">
      {rows.map((r) => <li key={r}>{`${d.t.text(d.t.actions, "title", r)} ${d.t.text(d.t.actions, "detail", r)}, ${duration(d.t.actionEnd(r) - d.t.num(d.t.actions, "start", r))}, starts ${moment(d.t.num(d.t.actions, "start", r))}`}</li>)}
    </ul>
  );
}

/** How many events there are where; asked of the server, which has them all. */
function useDensity(d: Derived | undefined, view: Range, width: number): { counts: Uint32Array; from: number; width: number } | undefined {
  const [got, set] = useState<{ key: string; v: { counts: Uint32Array; from: number; width: number } }>();
  const n = d?.t.state?.rows["events"] ?? 0;
  const key = `${d?.t.id}|${d?.t.epoch}|${n}|${Math.round(view.from)}|${Math.round(view.to)}|${width}`;
  useEffect(() => {
    if (!d || n === 0 || width === 0) return;
    const timer = setTimeout(() => {
      app.connection.view(d.t, "events", view.from, view.to + 1, Math.max(1, Math.floor(width / 2))).then((v) => set({ key, v }), () => undefined);
    }, 60);
    return () => clearTimeout(timer);
  }, [key]);
  return got && got.key.startsWith(`${d?.t.id}|`) ? got.v : undefined;
}

interface Target { action?: number; request?: number; message?: number; frame?: number }

function target(d: Derived, strip: Strip | undefined, y: number, t: number, slack: number): Target {
  if (!strip) return {};
  const line = Math.floor((y - strip.top - 2) / strip.line);
  const pick = (lane: Derived["actions"]): number => { const i = lane.find(t, slack, Math.max(0, line)); return i < 0 ? -1 : lane.rows[i]; };
  const found = (name: keyof Target, row: number): Target => (row < 0 ? {} : { [name]: row });
  switch (strip.name) {
    case "actions": return found("action", pick(d.actions));
    case "groups": return found("action", pick(d.groups));
    case "protocol": { const i = d.protocol.find(t, slack, 0); return i < 0 ? {} : { action: d.protocol.rows[i] }; }
    case "network": return found("request", pick(d.network));
    case "console": { const i = d.console.find(t, slack * 1.5, 0); return i < 0 ? {} : { message: d.console.rows[i] }; }
    case "film": case "frames": return found("frame", d.frameAt(t));
  }
  return {};
}

function click(d: Derived, strips: Strip[], px: number, y: number, t: number, slack: number): void {
  const strip = strips.find((s) => y >= s.top && y < s.top + s.height);
  const at = target(d, strip, y, t, slack);
  app.cursor = t;
  if (at.action !== undefined) app.select(at.action);
  else if (at.request !== undefined) app.openRequest(at.request);
  else if (at.message !== undefined) { app.message = at.message; app.openTab("console"); }
  else if (strip && px >= 0) {
    const near = nearest(d, t);
    if (near >= 0 && strip.name === "film") app.select(near);
    else app.tell();
    app.cursor = t;
  }
}

/** The step at work at a moment, or the last one before it. */
function nearest(d: Derived, t: number): number {
  const i = d.actions.lower(t + 1) - 1;
  return i >= 0 ? d.actions.rows[i] : d.actions.length > 0 ? d.actions.rows[0] : -1;
}

function Tip({ d, hover, width, slack, pictures, dragging }: { d: Derived; hover: Hover; width: number; slack: number; pictures: Pictures; dragging: boolean }): JSX.Element | null {
  const t = d.t;
  if (dragging && app.range) {
    return <div class="tip" style={beside(hover, width, 120)}><b>{duration(app.range.to - app.range.from)}</b><br /><span class="dim">{moment(app.range.from)} → {moment(app.range.to)}</span></div>;
  }
  const at = target(d, hover.strip, hover.y, hover.t, slack);
  if (at.action !== undefined) {
    const row = at.action, start = t.num(t.actions, "start", row);
    return (
      <div class="tip" style={beside(hover, width, 300)}>
        <b>{t.text(t.actions, "title", row)}</b> <span class="mono">{t.text(t.actions, "detail", row)}</span><br />
        <span class="dim">{moment(start)} → {moment(t.actionEnd(row))} · {duration(t.actionEnd(row) - start)}</span>
        {t.text(t.actions, "message", row) ? <div class="err clip2">{t.text(t.actions, "message", row)}</div> : null}
      </div>
    );
  }
  if (at.request !== undefined) {
    const row = at.request, start = t.num(t.network, "start", row), end = t.num(t.network, "end", row), status = t.num(t.network, "status", row);
    return (
      <div class="tip" style={beside(hover, width, 300)}>
        <b>{requestName(d, row)}</b> {status > 0 && status < 400 ? <span class="ok">{status}</span> : null} <span class="err">{t.text(t.network, "failure", row)}</span><br />
        <span class="dim">{moment(start)} → {Number.isNaN(end) ? "pending" : moment(end)} · {duration(end - start)}</span><br />
        <span class="mono dim clip2">{t.text(t.network, "url", row)}</span>
      </div>
    );
  }
  if (at.message !== undefined) {
    return <div class="tip" style={beside(hover, width, 320)}><span class="dim">{t.text(t.console, "level", at.message)} at {moment(t.num(t.console, "time", at.message))}</span><br /><span class="mono clip2">{t.text(t.console, "text", at.message)}</span></div>;
  }
  if (at.frame !== undefined) {
    const src = app.resource(t.text(t.frames, "entry", at.frame));
    pictures.get(src);
    return <div class="tip film" style={beside(hover, width, 340)}><img src={src} alt="" /><span class="dim">{moment(t.num(t.frames, "time", at.frame))}</span></div>;
  }
  return null;
}

function beside(h: Hover, width: number, wide: number): Record<string, string> {
  return { left: `${Math.max(4, Math.min(h.px + 14, width - wide - 12))}px`, top: `${h.y + 18}px`, maxWidth: `${wide}px` };
}
