import { render, type JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Inspect } from "../inspect/panel";
import { app, PHASES, type PhaseTab } from "../model/app";
import type { Derived } from "../model/derived";
import { Flag, NONE, Phase, Point, Still } from "../model/schema";
import { moment } from "../model/time";
import { useApp, useSize } from "./hooks";
import { Icon } from "./icons";
import { Kbd } from "./kbd";
import { checks } from "../model/reasons";
import { useDetail } from "./detail";
import { roving } from "./details";
import { AriaTree } from "./aria";
import { SnapshotFrames } from "./frames";
import { flatNow } from "./tree";

const NAMES: Record<PhaseTab, string> = { before: "Before", during: "Action", after: "After", screenshot: "Screenshot", aria: "Accessibility" };
const PHASE: Record<string, number> = { before: Phase.before, during: Phase.during, after: Phase.after };

/** The recorded page at a moment of the selected step. */
export function PagePane(): JSX.Element {
  useApp(() => [app.derived, app.selected, app.phase, app.trace?.meta, app.trace?.state?.done, app.inspecting]);
  const d = app.derived;
  const [box, width, height] = useSize<HTMLDivElement>();
  const has = (p: PhaseTab): boolean => {
    if (!d || app.selected < 0) return false;
    if (p === "screenshot") return d.still(app.selected) !== NONE || pictureRow(d) !== NONE;
    if (p === "aria") return d.ariaOf(app.selected) !== NONE;
    return d.snapshot(app.selected, PHASE[p]) !== NONE || d.still(app.selected, Still.screenshot, PHASE[p]) !== NONE;
  };
  const trees = !!d && d.hasTrees;
  const any = PHASES.some(has);
  const phase = has(app.phase) || !any ? app.phase : app.phase !== "screenshot" ? PHASES.find(has)! : "screenshot";
  return (
    <section class="panel pagepane" aria-label="Recorded page" id="page">
      <div class="tabs">
      <div class="tabset" role="tablist" aria-label="Moment of the step" onKeyDown={roving}>
        {PHASES.filter((p) => p !== "aria" || trees).map((p) => (
          <button key={p} role="tab" class={`tab ${p === phase ? "on" : ""}`} aria-selected={p === phase} tabIndex={p === phase ? 0 : -1} aria-controls="stage" disabled={!has(p)} onClick={() => app.openPhase(p)}>
            {NAMES[p]} <Kbd of={p} />
          </button>
        ))}
        </div>
        <span class="sp" />
        {app.offline ? null : <button class={`tab ${app.inspecting ? "on" : ""}`} aria-pressed={app.inspecting} onClick={() => app.set({ inspecting: !app.inspecting })}>Inspect <Kbd of="inspect" /></button>}
      </div>
      <div class="stage" id="stage" role="tabpanel" aria-label={NAMES[phase]} ref={box}>
        {d && app.selected >= 0 && has(phase) ? <Shown d={d} phase={phase} width={width} height={height} /> : <Nothing d={d} />}
      </div>
      {d && app.selected >= 0 && !app.inspecting ? <Waited d={d} /> : null}
      <div class="inspectplace" id="inspectplace" />
    </section>
  );
}

function pictureRow(d: Derived): number {
  const t = d.t, row = app.selected;
  const end = t.actionEnd(row);
  const page = t.num(t.actions, "page", row);
  const own = d.frameAt(end, page);
  return own !== NONE ? own : d.frameAt(end);
}

function Nothing({ d }: { d: Derived | undefined }): JSX.Element {
  const t = app.trace;
  if (!t?.state?.done && (!d || d.t.actions.rows === 0)) return <div class="empty"><div class="spinner" />Reading the trace…</div>;
  if (d && app.selected < 0) return <div class="empty">Select a step to see the page at that moment.</div>;
  const kept = d && (d.t.snapshots.rows > 0 || d.frames.length > 0 || d.t.stills.rows > 0);
  return <div class="empty"><b>No picture of the page for this step</b><span>{kept ? "Neither this step nor one before it has a picture." : "The recording has neither snapshots nor screenshots. Record with snapshots and screenshots switched on to see pages here."}</span></div>;
}

export const URLBAR = 28;

function Shown({ d, phase, width, height }: { d: Derived; phase: PhaseTab; width: number; height: number }): JSX.Element {
  const t = d.t;
  if (phase === "aria") return <AriaTree d={d} />;
  if (phase === "screenshot") return <Picture d={d} width={width} height={height} still={d.still(app.selected)} />;
  const row = d.snapshot(app.selected, PHASE[phase]);
  if (row === NONE) return <Picture d={d} width={width} height={height} still={d.still(app.selected, Still.screenshot, PHASE[phase])} />;
  const [w, h] = size(t.num(t.snapshots, "width", row), t.num(t.snapshots, "height", row));
  const scale = Math.min(1, (width - 28) / w, (height - 28 - URLBAR) / h);
  const url = t.text(t.snapshots, "url", row);
  const own = t.num(t.snapshots, "action", row) === app.selected;
  if (app.inspecting) return <Inspected url={url} row={row} w={w} h={h} scale={scale} />;
  return (
    <div class="browser" style={{ width: `${Math.round(w * scale)}px` }}>
      <UrlBar url={url} note={`${own ? "" : "of another step · "}${w}×${h}`} />
      <div class="viewport" style={{ width: `${w * scale}px`, height: `${h * scale}px` }}>
        <SnapshotFrames t={t} row={row} scale={scale} soon={around(d, phase)} />
        {phase !== "after" ? <Target d={d} scale={scale} /> : null}
      </div>
    </div>
  );
}

/** The page with the pointer naming elements; what it says stands below. */
function Inspected({ url, row, w, h, scale }: { url: string; row: number; w: number; h: number; scale: number }): JSX.Element {
  return (
    <div class="browser" style={{ width: `${Math.round(w * scale)}px` }}>
      <UrlBar url={url} note="inspecting" />
      <div class="viewport" style={{ width: `${w * scale}px`, height: `${h * scale}px` }}>
        <Inspect src={app.content(`snapshot/${row}?inspect=1&target=0`)} width={w} height={h} scale={scale} below={(panel) => <Below>{panel}</Below>} />
      </div>
    </div>
  );
}

/** Draws into the place below the stage. */
function Below({ children }: { children: JSX.Element }): null {
  useLayoutEffect(() => {
    const place = document.getElementById("inspectplace");
    if (place) render(children, place);
  });
  useLayoutEffect(() => () => { const place = document.getElementById("inspectplace"); if (place) render(null, place); }, []);
  return null;
}

/** The snapshots that the steps before and after would show, the next one first. */
function around(d: Derived, phase: PhaseTab): number[] {
  const flat = flatNow(), at = flat?.at(app.selected) ?? -1;
  if (!flat || at < 0 || !app.walked) return []; // a page that nobody may ask for takes megabytes
  return [flat.rows[at + 1], flat.rows[at - 1]].flatMap((r) => (r === undefined ? [] : [d.snapshot(r, PHASE[phase])])).filter((r) => r !== NONE);
}

export const size = (w: number, h: number): [number, number] => [w > 0 ? w : 1280, h > 0 ? h : 720];

export function UrlBar({ url, note }: { url: string; note: string }): JSX.Element {
  return <div class="urlbar"><Icon name={url.startsWith("https:") ? "lock" : "page"} /><span class="url" title={url}>{url.replace(/^https?:\/\//, "") || "about:blank"}</span><span>{note}</span></div>;
}

/** Where the action acted: the box of its target, and the point. */
function Target({ d, scale }: { d: Derived; scale: number }): JSX.Element | null {
  const row = d.input(app.selected);
  if (row === NONE) return null;
  const t = d.t, i = t.inputs, flags = t.num(i, "flags", row);
  const at = (name: string): number => t.num(i, name, row) * scale;
  return (
    <>
      {flags & Point.box ? <div class="target" style={{ left: `${at("boxX")}px`, top: `${at("boxY")}px`, width: `${at("boxWidth")}px`, height: `${at("boxHeight")}px` }} /> : null}
      {flags & Point.point ? <div class="point" style={{ left: `${at("x")}px`, top: `${at("y")}px` }} /> : null}
    </>
  );
}

function Picture({ d, width, height, still }: { d: Derived; width: number; height: number; still: number }): JSX.Element {
  const t = d.t;
  const frame = still === NONE ? pictureRow(d) : NONE;
  const entry = still !== NONE ? t.text(t.stills, "entry", still) : t.text(t.frames, "entry", frame);
  const time = still !== NONE ? t.num(t.stills, "time", still) : t.num(t.frames, "time", frame);
  return (
    <div class="browser fit">
      <UrlBar url={still !== NONE ? "Screenshot of the step" : "Screencast"} note={moment(time)} />
      <img class="shot" src={app.resource(entry)} alt={`Page at ${moment(time)}`} style={{ maxWidth: `${width - 28}px`, maxHeight: `${height - 28 - URLBAR}px` }} />
    </div>
  );
}

/** What an action that waited had found when it gave up. */
function Waited({ d }: { d: Derived }): JSX.Element | null {
  const failed = (d.t.num(d.t.actions, "flags", app.selected) & Flag.failed) !== 0;
  const { value } = useDetail(failed ? app.selected : NONE);
  if (!failed || !value) return null;
  const found = checks(value.logs.map((l) => l.text));
  if (found.checks.length === 0) return null;
  return (
    <div class="waited" aria-label="Why it waited">
      <h2><span>Why it waited</span><span>{found.attempts > 1 ? `${found.attempts} attempts` : ""}</span></h2>
      <div class="checks">{found.checks.map((c) => <div key={c.name} class={c.verdict}>{c.verdict === "no" ? "✕" : "✓"} {c.name}</div>)}</div>
    </div>
  );
}
