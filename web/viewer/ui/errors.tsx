import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { app } from "../model/app";
import { bad, type Derived } from "../model/derived";
import { NONE } from "../model/schema";
import { because, checks, headline, plain, rest } from "../model/reasons";
import { duration, moment } from "../model/time";
import { stackOf, useDetail } from "./detail";
import { useApp } from "./hooks";
import { requestName } from "./draw";
import { Kbd } from "./kbd";
import { SincePass } from "./lastpass";
import { Snippet } from "./source";

/** How far back from a failure its causes are looked for, in microseconds. */
const BEFORE = 2_500_000;

export function Errors(): JSX.Element {
  useApp(() => [app.derived, app.selected, app.shown]);
  const d = app.derived;
  if (!d) return <div class="empty">Reading…</div>;
  const n = d.t.errors.rows;
  const suspect = d.suspect();
  if (n === 0 && d.failures.length === 0 && suspect === NONE) return <div class="empty"><b>No errors</b><span>No step failed, no page threw, and the test reported nothing.</span></div>;
  const action = subject(d);
  const others = Array.from({ length: n }, (_, i) => i).filter((r) => action === NONE || d.t.num(d.t.errors, "action", r) !== action).filter((r) => !says(d, action, r));
  return (
    <div class="scroll pad" tabIndex={0}>
      {action !== NONE ? <Failure d={d} row={action} /> : null}
      {others.length > 0 ? (
        <section class="sect"><h2><span>{action !== NONE ? "Other errors" : "Errors"}</span><span>{others.length}</span></h2>
          {others.slice(0, 300).map((r) => <Other key={r} d={d} row={r} />)}
        </section>
      ) : null}
    </div>
  );
}

/** The failed step that the tab is about: the selected one, or what made it fail. */
function subject(d: Derived): number {
  const failed = (r: number): boolean => d.failures.includes(r);
  if (failed(app.selected)) return app.selected;
  if (d.failures.length === 0 && d.t.limits?.has(app.selected)) return app.selected;
  const parent = d.t.actions.col("parent");
  const inside = d.failures.filter((r) => { for (let p = r; p >= 0; p = parent.at(p)) if (p === app.selected) return true; return false; });
  return inside.at(-1) ?? d.culprit();
}

/** Whether an error only repeats what a step's own says. */
function says(d: Derived, action: number, row: number): boolean {
  if (action === NONE || d.t.num(d.t.errors, "action", row) !== NONE) return false;
  const own = plain(d.t.text(d.t.actions, "message", action)), text = plain(d.t.text(d.t.errors, "message", row));
  return own !== "" && (headline(own) === headline(text) || text.includes(own));
}

function Failure({ d, row }: { d: Derived; row: number }): JSX.Element {
  const t = d.t, a = t.actions;
  const { value } = useDetail(row);
  const full = longest(value?.stepAfter?.error?.message, value?.after?.error?.message, t.text(a, "message", row));
  const logs = value?.logs ?? [];
  const found = checks([...logs.map((l) => l.text), ...plain(full).split("\n")]);
  const limit = full === "" ? t.limits?.get(row) : undefined;
  const why = limit !== undefined ? "The recorder writes no errors down. A step that takes all the time it has nearly always found no element to act on, or one that it could not act on." : because(found.checks);
  const stack = stackOf(value);
  const at = stack[0];
  const [nth, all] = useMemo(() => d.tree.rank(row, app.shown), [d, row, app.shown]);
  const name = value?.after?.error?.name ?? value?.stepAfter?.error?.name;
  const more = rest(full);
  return (
    <>
      <div class="failcard" role="alert">
        <h2>{headline(full) || (limit !== undefined ? `The step took all of its ${duration(limit * 1000)}, and probably failed` : "The step failed")}</h2>
        {why ? <div>{why}</div> : null}
        <Compared text={more} />
        <div class="which">
          <button class="linkish" onClick={() => app.select(row)}>{t.text(a, "title", row)} <span class="mono">{t.text(a, "detail", row)}</span></button>
        </div>
        <div class="dim">Step {nth.toLocaleString("en")} of {all.toLocaleString("en")} · {duration(t.actionEnd(row) - t.num(a, "start", row))}{at ? <> · <button class="linkish" onClick={() => { app.selected = row; app.openTab("source"); }}>{at.file.split(/[\\/]/).at(-1)}:{at.line}</button></> : null}{name ? <> · <span class="mono">{name}</span></> : null}</div>
        {app.offline ? null : <div class="cardactions"><button class="btn small" onClick={() => app.set({ codeKind: "report", dialog: "code" })}>Bug report <Kbd of="code" /></button><button class="btn small" onClick={() => app.set({ codeKind: "script", dialog: "code" })}>Script</button></div>}
      </div>
      {limit === undefined ? <SincePass error={full} /> : null}
      {more && !compared(more) ? <section class="sect"><h2><span>Message</span></h2><pre class="block">{more}</pre></section> : null}
      <Causes d={d} row={row} />
      {logs.length > 0 ? (
        <section class="sect"><h2><span>Last lines of the log</span><button class="linkish" onClick={() => { app.selected = row; app.openTab("log"); }}>all {logs.length} ›</button></h2>
          <div class="loglines">{logs.slice(-5).map((l, i) => <div key={i}><span class="faint">{l.time === null ? "" : (l.time / 1e6).toFixed(2)}</span><span class={/error|fail|timeout|exceeded|not (visible|enabled|stable|editable)|intercepts/i.test(l.text) ? "err" : ""}>{plain(l.text)}</span></div>)}</div>
        </section>
      ) : null}
      {at ? <section class="sect"><h2><span>Source</span><button class="linkish" onClick={() => { app.selected = row; app.openTab("source"); }}>whole file ›</button></h2><Snippet at={at} /></section> : null}
    </>
  );
}

/** What an expectation wanted and what it got, if a message says both in a line each. */
export function compared(text: string): { expected: string; received: string } | undefined {
  const expected = /^\s*Expected(?: \w+)?: (.+)$/m.exec(text)?.[1], received = /^\s*Received(?: \w+)?: (.+)$/m.exec(text)?.[1];
  return expected !== undefined && received !== undefined ? { expected, received } : undefined;
}

function Compared({ text }: { text: string }): JSX.Element | null {
  const c = compared(text);
  return c ? <dl class="compared"><dt>expected</dt><dd class="mono ok">{c.expected}</dd><dt>received</dt><dd class="mono err">{c.received}</dd></dl> : null;
}

/** The runner's message tells more than the library's, and either may be there alone. */
const longest = (...texts: (string | undefined)[]): string => texts.reduce<string>((a, b) => ((b?.length ?? 0) > a.length ? b! : a), "");

interface Cause { time: number; kind: "request" | "message" | "error"; row: number }

/** Failing requests, console errors and page errors in the seconds before a failure. */
export function causes(d: Derived, row: number): Cause[] {
  const t = d.t;
  const start = t.num(t.actions, "start", row), end = t.actionEnd(row);
  const from = Math.min(start, end - BEFORE) - (end - start > BEFORE ? 0 : BEFORE / 2);
  const list: Cause[] = [];
  const [n0, n1] = d.network.window(from, end);
  for (let i = n0; i < n1 && i < n0 + 50_000; i++) if (d.network.ends[i] >= from && d.network.ends[i] <= end + 1 && bad(t, d.network.rows[i])) list.push({ time: d.network.ends[i], kind: "request", row: d.network.rows[i] });
  for (let i = d.console.lower(from); i < d.console.lower(end + 1); i++) if (d.console.marks[i + 1] > d.console.marks[i]) list.push({ time: d.console.starts[i], kind: "message", row: d.console.rows[i] });
  for (let i = d.errors.lower(from); i < d.errors.lower(end + 1); i++) if (t.num(t.errors, "source", d.errors.rows[i]) === 1) list.push({ time: d.errors.starts[i], kind: "error", row: d.errors.rows[i] });
  return list.sort((x, y) => y.time - x.time).slice(0, 12);
}

function Causes({ d, row }: { d: Derived; row: number }): JSX.Element | null {
  const list = causes(d, row), t = d.t, end = t.actionEnd(row);
  if (list.length === 0) return null;
  return (
    <section class="sect"><h2><span>Likely related</span><span>{list.length}</span></h2>
      {list.map((c) => (
        <button key={`${c.kind}${c.row}`} class="cause" onClick={() => { if (c.kind === "request") app.openRequest(c.row); else if (c.kind === "message") { app.message = c.row; app.openTab("console"); } else { app.cursor = c.time; app.tell(); } }}>
          <span class="mono dim">−{((end - c.time) / 1e6).toFixed(2)} s</span>
          <span class="err" aria-hidden="true">{c.kind === "request" ? "⇅" : "●"}</span>
          {c.kind === "request" ? <span class="what"><b>{requestName(d, c.row).replace(/ \d+$/, "")}</b> {t.num(t.network, "status", c.row) >= 400 ? <>answered <b class="err">{t.num(t.network, "status", c.row)}</b></> : <b class="err">{t.text(t.network, "failure", c.row) || "got no answer"}</b>}</span>
            : <span class="what mono">{c.kind === "message" ? t.text(t.console, "text", c.row) : headline(t.text(t.errors, "message", c.row))}</span>}
          <span class="dim">{c.kind === "request" ? duration(t.num(t.network, "end", c.row) - t.num(t.network, "start", c.row)) : c.kind === "message" ? "console" : "page error"}</span>
        </button>
      ))}
    </section>
  );
}

function Other({ d, row }: { d: Derived; row: number }): JSX.Element {
  const t = d.t, message = t.text(t.errors, "message", row), action = t.num(t.errors, "action", row), time = t.num(t.errors, "time", row);
  const source = ["step", "page", "test"][t.num(t.errors, "source", row)];
  return (
    <div class="othererror">
      <div class="dim"><span class="chip small">{source}</span> {moment(time)} {action >= 0 ? <button class="linkish" onClick={() => { app.tab = "errors"; app.select(action); }}>{t.text(t.actions, "title", action)} <span class="mono">{t.text(t.actions, "detail", action)}</span></button> : null}</div>
      <pre class="block">{plain(message)}</pre>
    </div>
  );
}
