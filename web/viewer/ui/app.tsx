import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { duration, moment } from "../model/time";
import { onKey } from "./commands";
import { Details, Dock } from "./details";
import { Dialogs } from "./dialogs";
import { useApp, useWindowWidth } from "./hooks";
import { CompareScreen } from "../compare/screen";
import { StartScreen } from "../start/screen";
import { Kbd } from "./kbd";
import { bytes } from "./network";
import { PagePane } from "./page";
import { Split } from "./split";
import { Timeline } from "./timeline";
import { TopBar } from "./topbar";
import { ActionTree } from "./tree";

export function Screen(): JSX.Element {
  useApp(() => [app.status, app.failure, app.missing, app.welcome, app.toast, app.comparison, app.start, app.docked]);
  useLayoutEffect(() => { // what is on screen answers to keys
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => { // a zip is opened wherever it is dropped
    if (app.offline) return;
    const over = (e: DragEvent): void => e.preventDefault();
    const drop = (e: DragEvent): void => {
      if (e.defaultPrevented) return;
      e.preventDefault();
      const files = [...(e.dataTransfer?.files ?? [])];
      if (files.length > 0) void app.openFiles(files);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("drop", drop);
    return () => { window.removeEventListener("dragover", over); window.removeEventListener("drop", drop); };
  }, []);
  const width = useWindowWidth();
  const [ownLeft, setLeft] = useState<number>();
  const [ownRight, setRight] = useState<number>();
  // Widths that were chosen stay as long as the page between them keeps some room.
  const left = Math.min(ownLeft ?? (width < 1200 ? 270 : 310), Math.round(width * 0.4));
  const right = Math.max(260, Math.min(ownRight ?? Math.round(Math.max(330, Math.min(640, width * 0.325))), width - left - 230));
  const [high, setHigh] = useState(() => Math.max(140, Math.round(innerHeight * 0.28)));
  const dock = app.docked !== "" ? Math.min(high, Math.round(innerHeight * 0.6)) : 0;
  const refused = app.status === "refused" || app.failure?.code === "E_TOKEN";
  return (
    <div class="screen">
      <a class="skip" href="#steps" onClick={(e) => { e.preventDefault(); document.querySelector<HTMLElement>("#steps [role=tree]")?.focus(); }}>To the steps</a>
      {app.comparison || app.start && !refused ? null : <TopBar />}
      <Banners />
      {refused || app.missing ? <Away refused={refused} /> : app.start ? <StartScreen /> : app.comparison ? <CompareScreen left={left + 60} right={right} setLeft={(v) => setLeft(v - 60)} setRight={setRight} /> : (
        <>
          <Timeline />
          <main class="work" style={{ gridTemplateColumns: `${left}px 0 minmax(220px, 1fr) 0 ${right}px`, gridTemplateRows: dock > 0 ? `minmax(120px, 1fr) 0 ${dock}px` : "minmax(0, 1fr)" }}>
            <ActionTree />
            <Split label="Width of the steps" value={left} least={180} most={600} set={setLeft} />
            <PagePane />
            <Split label="Width of the details" value={right} least={260} most={900} set={setRight} reverse />
            <Details />
            {dock > 0 ? <><Split label="Height of the tab below" value={dock} least={100} most={700} set={setHigh} reverse horizontal /><Dock /></> : null}
          </main>
        </>
      )}
      {app.comparison || app.start ? null : <StatusBar />}
      <Dialogs />
      <div class={`toast ${app.toast ? "on" : ""}`} role="status" aria-live="polite">{app.toast}</div>
    </div>
  );
}

function Away({ refused }: { refused: boolean }): JSX.Element {
  return (
    <main class="away">
      {refused ? <><h2>This page has no right to see the traces</h2><p>Open the link that <code>tracedeck view</code> printed: it holds the key.</p></>
        : app.missing ? <><h2>The trace of this link is not open here</h2><p>The link leads to the trace <code>{app.missing}</code>. Open its zip with <code>tracedeck view</code>, then the link works.</p></>
        : null}
    </main>
  );
}

function Banners(): JSX.Element | null {
  useApp(() => [app.status, app.failure, app.trace?.state]);
  const s = app.trace?.state;
  const lines: JSX.Element[] = [];
  if (app.status === "lost") lines.push(<div key="lost" class="banner warn" role="status"><b>The server is gone.</b> What is on screen stays; the page goes on by itself when the server is back.</div>);
  if (app.failure && app.failure.code !== "E_TOKEN") lines.push(<div key="fail" class="banner warn" role="alert"><b>{app.failure.text}</b> {app.failure.hint}</div>);
  if (s?.error) lines.push(<div key="err" class="banner warn" role="alert"><b>The trace could not be read to its end.</b> {s.error}</div>);
  if (s && (s.bad > 0 || s.warnings.length > 0)) lines.push(
    <div key="bad" class="banner" role="status"><b>{s.bad > 0 ? `${s.bad.toLocaleString("en")} damaged line${s.bad === 1 ? "" : "s"} left out.` : s.warnings[0].text}</b> {s.bad > 0 ? "" : s.warnings.length > 1 ? `and ${s.warnings.length - 1} more.` : ""} <button class="linkish" onClick={() => app.openTab("metadata")}>Details</button></div>);
  return lines.length > 0 ? <div class="banners">{lines}</div> : null;
}

function StatusBar(): JSX.Element {
  useApp(() => [app.status, app.trace?.state, app.view, app.range]);
  const t = app.trace, s = t?.state;
  const events = s ? Object.values(s.rows).reduce((a, b) => a + b, 0) : 0;
  const share = s && s.total > 0 ? Math.min(99, Math.floor((s.bytes / s.total) * 100)) : 0;
  return (
    <footer class="status" aria-label="Status">
      {!s ? <span>{app.status === "connecting" ? "Connecting…" : ""}</span>
        : s.done ? <span>{events.toLocaleString("en")} rows · {bytes(s.bytes)} · read in {duration(s.took * 1000)}</span>
        : <span class="progress"><progress max={100} value={share} aria-label="Reading" />{share} % · {events.toLocaleString("en")} rows · usable now</span>}
      {app.view ? <span>view {moment(app.window.from, 2)} – {moment(app.window.to, 2)}</span> : t ? <span>{duration(t.end)}</span> : null}
      {app.range ? <span>range {moment(app.range.from, 2)} – {moment(app.range.to, 2)} = <b>{duration(app.range.to - app.range.from)}</b> <button class="linkish" onClick={() => app.setRange(undefined)}>clear</button></span> : null}
      <span class="sp" />
      <span class="wideonly"><kbd>↑</kbd><kbd>↓</kbd> step <Kbd of="nextError" /> next error</span><span class="wideonly"><Kbd of="zoomIn" /><Kbd of="zoomOut" /> zoom <Kbd of="panLeft" /><Kbd of="panRight" /> pan</span><span class="wideonly"><Kbd of="fit" /> fit <Kbd of="all" /> all</span><span><Kbd of="help" /> keys</span>
    </footer>
  );
}
