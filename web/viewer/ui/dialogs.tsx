import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { app, shortName } from "../model/app";
import { keyName, keysFor, keysOf } from "../model/keys";
import { moment } from "../model/time";
import { CodeDialog } from "./code";
import { perform } from "./commands";
import { Dialog } from "./dialog";
import { Help } from "./help";
import { LanesDialog } from "./lanesdialog";
import { SaveDialog } from "./savedialog";
import { compareWithPass, useLastPass } from "./lastpass";
import { useApp } from "./hooks";

export function Dialogs(): JSX.Element | null {
  useApp(() => [app.dialog]);
  if (app.dialog === "help") return <Help />;
  if (app.dialog === "code" && app.trace) return <CodeDialog />;
  if (app.dialog === "lanes") return <LanesDialog />;
  if (app.dialog === "save") return <SaveDialog />;
  if (app.dialog === "address") return <Address />;
  if (app.dialog === "compare") return <Other />;
  if (app.dialog === "palette" || app.dialog === "search") return <Palette key={app.dialog} commands={app.dialog === "palette"} />;
  return null;
}

/** Opens the address of a remote zip, of which only the parts that are looked at are fetched. */
function Address(): JSX.Element {
  const [text, setText] = useState("");
  const go = (e: Event): void => {
    e.preventDefault();
    app.set({ dialog: "" });
    const s = app.start;
    if (!s || text.trim() === "") return;
    void s.take(app.connection.shelf("address", text.trim()), text.trim()).then((id) => { if (id) app.goTrace(id); });
  };
  return (
    <Dialog label="Open an address">
      <form class="addressform" onSubmit={go}><h2>Open an address</h2>
        <p class="dim">An http or https address of a trace zip. The server reads it in parts; nothing is downloaded whole.</p>
        <input class="box" type="url" autofocus required aria-label="Address of a trace zip" placeholder="https://ci.example/artifacts/trace.zip" value={text} onInput={(e) => setText(e.currentTarget.value)} />
        <div class="formfoot"><button class="btn" type="button" onClick={() => app.set({ dialog: "" })}>Cancel</button><button class="btn primary" type="submit">Open</button></div></form>
    </Dialog>
  );
}

/** Picks the trace to compare with. */
function Other(): JSX.Element {
  const pass = useLastPass();
  const others = (app.welcome?.traces ?? []).filter((t) => t.id !== app.trace?.id && t.id !== pass?.id);
  return (
    <Dialog label="Compare with">
      <div class="dialoghead"><h2>Compare with</h2><button class="btn ghost" aria-label="Close" onClick={() => app.set({ dialog: "" })}>✕</button></div>
      <div class="others">
        {pass ? <button class="choice" onClick={() => compareWithPass(pass)}><span class="chip small">last pass</span><span class="clip">{pass.place}</span><span class="dim">{pass.id.slice(0, 8)}</span></button> : null}
        {others.map((t) => <button key={t.id} class="choice" onClick={() => { app.compare(t.id, app.trace!.id); history.pushState(null, "", app.link()); }}><span class="chip small">{t.live ? "live" : "trace"}</span><span class="clip">{shortName(t.name)}</span><span class="dim">{t.id.slice(0, 8)}</span></button>)}
        {others.length === 0 && !pass ? <p class="dim">No other trace is open. Take one up on the <button class="linkish" onClick={() => app.home()}>start page</button>, or start with two: <code>tracedeck view passing.zip failing.zip</code></p> : null}
      </div>
    </Dialog>
  );
}

interface Hit { kind: string; table: string; row: number; of: number; entry?: string; line?: number; time: number | null; text: string; from: number; to: number }

interface Choice { id: string; kind: string; text: string; from: number; to: number; note: string; go: () => void }

function visit(h: Hit): void {
  const t = app.trace!;
  if (h.table === "actions") { app.select(h.row); }
  else if (h.table === "network") app.openRequest(h.row);
  else if (h.table === "console") { app.message = h.row; app.openTab("console"); }
  else if (h.table === "logs" && h.of >= 0) { app.select(h.of); app.openTab("log"); }
  else if (h.table === "snapshots" && h.of >= 0) { app.select(h.of); app.openPhase(["during", "before", "during", "after"][t.num(t.snapshots, "phase", h.row)] as "during"); }
  else if (h.table === "errors") { const a = t.num(t.errors, "action", h.row); if (a >= 0) app.select(a); app.openTab("errors"); }
  else if (h.table === "attachments") app.openTab("attachments");
  else if (h.kind === "source" && h.entry) { app.sourceHit = { entry: h.entry, line: h.line ?? 1 }; app.openTab("source"); }
  if (h.time !== null) app.cursor = h.time;
  app.tell();
}

function commandsFor(text: string): Choice[] {
  const q = text.toLowerCase().replace(/^>/, "").trim();
  return keysOf(app.place).filter((k) => k.id !== "palette" && (k.text.toLowerCase().includes(q) || k.group.toLowerCase().includes(q)))
    .map((k) => ({ id: `k-${k.id}`, kind: "command", text: k.text, from: 0, to: 0, note: keysFor(k).map(keyName).join(" or "), go: () => perform(k.id) }));
}

function Palette({ commands }: { commands: boolean }): JSX.Element {
  const [text, setText] = useState(commands ? ">" : "");
  const [at, setAt] = useState(0);
  const [hits, setHits] = useState<Hit[]>([]);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const wantsCommands = text.startsWith(">");
  useEffect(() => {
    setAt(0);
    const t = app.trace;
    if (!t || wantsCommands || text.trim().length < 2) { setHits([]); return; }
    let search: { done: Promise<unknown>; cancel(): void } | undefined;
    const timer = setTimeout(() => {
      const all: Hit[] = [];
      setBusy(true);
      search = app.connection.search(t, text.trim(), 200, (some) => { all.push(...(some as Hit[])); setHits([...all]); });
      search.done.then(() => { setBusy(false); setProblem(""); app.set({ found: all.flatMap((h) => (h.time === null ? [] : [h.time])) }); }, (e: { text?: string }) => { setBusy(false); setHits([]); setProblem(e.text ?? ""); });
    }, 90);
    return () => { clearTimeout(timer); search?.cancel(); };
  }, [text]);
  const choices = useMemo<Choice[]>(() => (wantsCommands ? commandsFor(text) : hits.map((h, i) => ({
    id: `h-${i}`, kind: h.kind, text: h.text, from: h.from, to: h.to, note: h.time === null ? "" : moment(h.time), go: () => visit(h) }))), [text, hits]);
  const choose = (c: Choice | undefined): void => { if (!c) return; app.set({ dialog: "" }); c.go(); };
  const key = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (e.key === "Enter") { e.preventDefault(); choose(choices[at]); }
    if (step === 0) return;
    e.preventDefault();
    const next = Math.max(0, Math.min(choices.length - 1, at + step));
    setAt(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  return (
    <Dialog label={commands ? "Commands" : "Search"}>
      <div class="palette">
        <input {...{ role: "combobox" as "searchbox" }} type="search" autofocus aria-expanded="true" aria-controls="choices" aria-activedescendant={choices[at]?.id} aria-label="Search, or > and a command" spellcheck={false}
          placeholder="Search, or > for commands" value={text} onInput={(e) => setText(e.currentTarget.value)} onKeyDown={key} />
        <div id="choices" role="listbox" aria-label="Results" ref={list} class="choices">
          {choices.map((c, i) => <div key={c.id} id={c.id} role="option" aria-selected={i === at} class={`choice ${i === at ? "sel" : ""}`} onClick={() => choose(c)}><span class="chip small">{c.kind}</span><span class="clip">{c.text.slice(0, c.from)}{c.to > c.from ? <mark>{c.text.slice(c.from, c.to)}</mark> : null}{c.text.slice(c.to)}</span><span class="dim">{c.note}</span></div>)}
        </div>
        <div class="foot"><span>{wantsCommands ? "" : busy ? "Searching…" : problem ? problem : text.trim().length < 2 ? <>Steps, requests, console, errors, log, page text, bodies and source. <code>status:5xx</code> <code>kind:log</code> <code>slower-than:1s</code> <code>"exact"</code> <code>-not</code></> : `${hits.length}${hits.length >= 200 ? "+" : ""} found`}</span><span><kbd>↑</kbd><kbd>↓</kbd> <kbd>Enter</kbd> <kbd>Esc</kbd></span></div>
      </div>
    </Dialog>
  );
}
