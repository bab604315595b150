import type { JSX } from "preact";
import { Kbd } from "../ui/kbd";
import { useEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { duration } from "../model/time";
import { useApp } from "../ui/hooks";
import { bytes } from "../ui/network";
import { Logo } from "../ui/topbar";
import type { Entry, Group, Row } from "./model";

export function ago(ms: number, now = Date.now()): string {
  const s = Math.max(0, (now - ms) / 1000);
  if (s < 60) return "just now";
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86400) return `${Math.floor(s / 3600)} h ago`;
  if (s < 86400 * 14) return `${Math.floor(s / 86400)} d ago`;
  return new Date(ms).toISOString().slice(0, 10);
}

const SIGN: Record<string, string> = { failed: "✕", broken: "!", flaky: "▲", passed: "✓", unread: "…", empty: "–" };
const WORD: Record<string, string> = { failed: "failed", broken: "cannot be read", flaky: "passed on retry", passed: "passed", unread: "not read yet", empty: "no steps" };

/** Where traces are taken up. */
export function StartScreen(): JSX.Element {
  const s = app.start!;
  useApp(() => [s.version, s.read, s.problem, s.busy, s.pill, s.by, s.filter, s.selected, s.picked, s.open.size, app.status]);
  const [over, setOver] = useState(false);
  useEffect(() => { s.begin(); return () => s.end(); }, []);
  const drop = (e: DragEvent): void => {
    e.preventDefault();
    setOver(false);
    void s.drop([...(e.dataTransfer?.files ?? [])]);
  };
  const live = s.live, recent = s.recent;
  return (
    <>
      <header>
        <Logo />
        <h1 class="crumb">{s.folder ? s.folder : "Traces"}</h1>
        <span class="sp" />
        {s.folder ? <label class="box startfilter"><span class="spoken">Filter tests</span><input id="startfilter" type="search" placeholder="Filter tests, errors, files…" value={s.filter} onInput={(e) => s.set({ filter: e.currentTarget.value })} /><kbd>/</kbd></label> : null}
        <button class="btn" onClick={() => app.set({ dialog: "address" })}>Open address… <Kbd of="s-address" /></button>
        <button class="btn ghost" aria-label="Keyboard help" onClick={() => app.set({ dialog: "help" })}>?</button>
      </header>
      <main class={`startpage ${s.folder ? "" : "narrow"}`} onDragOver={(e) => { e.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={drop}>
        <div class="startleft">
          <section class={`dropzone ${over ? "over" : ""}`} aria-label="Open traces">
            {s.busy ? <><div class="spinner" /><b role="status">Opening {s.busy}…</b></> : <>
              <h2>Drop a trace zip here</h2>
              <p>or <button class="linkish" onClick={() => document.getElementById("files")!.click()}>choose files</button> <Kbd of="s-files" />. Drop two to compare them.</p>
              <p class="dim">Files stay on this machine.</p></>}
            <input id="files" class="spoken" type="file" accept=".zip,application/zip" multiple tabIndex={-1} aria-label="Trace zips" onChange={(e) => { void s.drop([...(e.currentTarget.files ?? [])]); e.currentTarget.value = ""; }} />
          </section>
          {s.problem ? <div class="banner warn" role="alert">{s.problem}</div> : null}
          {live.length > 0 ? <section class="card" aria-label="Live now"><h2><span>Live now</span><span class="chip live"><i class="dot" />{live.length} recording{live.length === 1 ? "" : "s"}</span></h2>{live.map((e) => <Card key={e.key} e={e} note="being recorded" />)}</section> : null}
          <section class="card" aria-label="Recent"><h2><span>Recent</span>{recent.length > 0 ? <button class="linkish" onClick={() => void app.connection.shelf("forget", "")}>clear</button> : null}</h2>
            {recent.map((e, i) => <Card key={e.key} e={e} note={`${e.size >= 0 ? `${bytes(e.size)} · ` : ""}${ago(e.recent)}`} {...(i < 9 ? { number: i + 1 } : {})} />)}
            {recent.length === 0 ? <p class="dim pad">{s.read ? "Traces that you open are listed here." : "Reading…"}</p> : null}
          </section>
        </div>
        {s.folder ? <Folder /> : null}
      </main>
      <footer class="status" aria-label="Status">
        <span>tracedeck {app.welcome?.program}</span><span>{s.folder ? `${s.entries.filter((e) => e.watched).length.toLocaleString("en")} traces in the folder` : ""}</span>
        <span class="sp" /><span class="wideonly"><kbd>↑</kbd><kbd>↓</kbd> move <kbd>Enter</kbd> open</span><span class="wideonly"><kbd>Space</kbd> pick <kbd>C</kbd> compare</span><span><kbd>?</kbd> keys</span>
      </footer>
    </>
  );
}

function Card({ e, note, number }: { e: Entry; note: string; number?: number }): JSX.Element {
  const s = app.start!;
  return (
    <button id={`entry-${e.key}`} class={`tracecard ${s.selected === e.key ? "sel" : ""} ${s.picked.includes(e.key) ? "picked" : ""}`} title={e.place} onClick={() => void s.go(e.key)} onFocus={() => { if (s.selected !== e.key) s.set({ selected: e.key }); }}>
      {e.picture ? <img src={e.picture} alt="" /> : <span class="nopicture" aria-hidden="true" />}
      <span class="cardtext"><span class="clip strong">{e.test || e.name}</span><span class="dim clip">{e.error && e.verdict !== "passed" ? e.error : `${e.test ? `${e.name} · ` : ""}${note}`}</span></span>
      <span class={`chip small verdictchip ${e.verdict}`}>{SIGN[e.verdict]} <span class="spoken">{WORD[e.verdict]}</span></span>{number ? <kbd>{number}</kbd> : null}
    </button>
  );
}

function Folder(): JSX.Element {
  const s = app.start!, n = s.counts();
  const pill = (id: typeof s.pill, text: string): JSX.Element => <button class={`pill ${s.pill === id ? "on" : ""}`} aria-pressed={s.pill === id} onClick={() => s.set({ pill: s.pill === id ? "all" : id })}>{text}</button>;
  const groups = s.groups;
  const reading = s.entries.filter((e) => e.watched && e.verdict === "unread").length;
  return (
    <section class="card folder" aria-label="Traces in the folder">
      <h2><span>Tests{reading > 0 ? <span class="dim"> · reading {reading} more…</span> : null}</span>
        <span class="pills">{pill("failed", `Failed ${n.failed + n.broken}`)}{pill("flaky", `Flaky ${n.flaky}`)}{pill("passed", `Passed ${n.passed}`)}<button class="pill" onClick={() => s.set({ by: s.by === "run" ? "test" : "run" })}>by {s.by}</button></span></h2>
      <div class="trow thead" aria-hidden="true"><span /><span>Test</span><span>Last runs</span><span>Browser</span><span>Tries</span><span>Time</span><span>Size</span><span>Error</span></div>
      <div class="scroll" tabIndex={0} role="region" aria-label="Tests">
        {groups.map((g) => <GroupRows key={g.name} g={g} />)}
        {groups.length === 0 ? <div class="empty">{!s.read ? "Reading…" : s.entries.some((e) => e.watched) ? "No test fits." : <><b>No traces here yet</b><span>They appear as soon as a run writes them.</span></>}</div> : null}
      </div>
      {s.picked.length > 0 ? <div class="foot"><span>{s.picked.length} picked</span><button class="btn small" disabled={s.picked.length !== 2} onClick={() => s.compareNow()}>Compare <kbd>C</kbd></button></div> : null}
    </section>
  );
}

function GroupRows({ g }: { g: Group }): JSX.Element {
  const s = app.start!, shown = s.shownOf(g), hidden = g.rows.length - shown.length;
  return (
    <div role="group" aria-label={g.name || "tests"}>
      {g.name !== "" || s.groups.length > 1 ? <div class="ghead"><b class="clip">{g.name || "in the folder itself"}</b><span class="dim">{g.latest > 0 ? ago(g.latest) : ""}</span>
        {g.counts.failed + g.counts.broken > 0 ? <span class="chip fail">✕ {g.counts.failed + g.counts.broken} failed</span> : null}{g.counts.flaky > 0 ? <span class="chip warned">▲ {g.counts.flaky} flaky</span> : null}{g.counts.passed > 0 ? <span class="chip pass">✓ {g.counts.passed} passed</span> : null}</div> : null}
      {shown.map((r) => <TestRow key={r.entry.key} r={r} />)}
      {hidden > 0 ? <button class="linkish morerow" onClick={() => { s.open.add(g.name); app.tell(); }}>{hidden} more passed</button> : null}
    </div>
  );
}

function TestRow({ r }: { r: Row }): JSX.Element {
  const s = app.start!, e = r.entry;
  return (
    <div class={`trow ${s.selected === e.key ? "sel" : ""} ${s.picked.includes(e.key) ? "picked" : ""}`} id={`entry-${e.key}`} title={e.place}>
      <span class={`sign ${r.verdict}`} aria-hidden="true">{SIGN[r.verdict]}</span>
      <button class="clip testname" onClick={() => void s.go(e.key)} onFocus={() => { if (s.selected !== e.key) s.set({ selected: e.key }); }}>{e.test || e.place}<span class="spoken">, {WORD[r.verdict]}</span></button>
      <span class="runs" role="img" aria-label={`last ${r.history.length} runs: ${r.history.map((b) => WORD[b.verdict]).join(", ")}`}>{r.history.map((b, i) => <i key={i} class={b.verdict} />)}</span>
      <span class="dim">{e.browser}</span><span class="dim">{r.tries.length > 1 ? r.tries.map((t) => <button key={t.key} class={`try ${t.verdict}`} aria-label={`try ${t.retry + 1}, ${WORD[t.verdict]}`} onClick={() => void s.go(t.key)}>{t.retry + 1}</button>) : ""}</span>
      <span class="ms">{e.took > 0 ? duration(e.took) : ""}</span><span class="ms">{bytes(e.size)}</span><span class="dim clip">{e.error}</span>
    </div>
  );
}
