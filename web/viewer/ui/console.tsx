import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { app } from "../model/app";
import type { Derived } from "../model/derived";
import { matches, parseFilter } from "../model/filter";
import { NONE } from "../model/schema";
import { plain } from "../model/reasons";
import { styled } from "../model/styled";
import { useAnswer, useApp } from "./hooks";
import { List } from "./list";
import { within } from "./details";
import { Value } from "./value";

type Level = "all" | "error" | "warning" | "info" | "test";

const levelOf = (level: string): Level => (level === "error" || level === "assert" ? "error" : level === "warning" || level === "warn" ? "warning" : level === "stdout" || level === "stderr" ? "test" : "info");

export function ConsoleTab(): JSX.Element {
  useApp(() => [app.derived, app.range, app.message]);
  const d = app.derived;
  const [text, setText] = useState("");
  const [level, setLevel] = useState<Level>("all");
  const rows = useMemo(() => {
    if (!d) return [];
    const terms = parseFilter(text), c = d.t.console;
    return Array.from(d.console.rows).filter((r) => levelText(d, r) !== "endGroup" && within(d.t.num(c, "time", r), d.t.num(c, "time", r))
      && (level === "all" || levelOf(d.t.text(c, "level", r)) === level)
      && (terms.length === 0 || matches(terms, { text: d.t.text(c, "text", r), words: { level: d.t.text(c, "level", r), url: d.t.text(c, "url", r) } })));
  }, [d, text, level, app.range]);
  const list = useMemo(() => (d ? folded(d, rows) : []), [d, rows]);
  if (!d) return <div class="empty">Reading…</div>;
  const t = d.t, c = t.console;
  const at = list.findIndex((l) => l.row === app.message);
  const move = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    e.stopPropagation();
    const row = list[Math.max(0, Math.min(list.length - 1, at + step))]?.row;
    if (row !== undefined) app.set({ message: row, cursor: t.num(c, "time", row) });
  };
  return (
    <>
      <div class="filter">
        <input class="box" type="search" aria-label="Filter console" placeholder="Filter console" value={text} onInput={(e) => setText(e.currentTarget.value)} />
        {(["all", "error", "warning", "info", "test"] as const).map((l) => <button key={l} class={`pill ${level === l ? "on" : ""}`} aria-pressed={level === l} onClick={() => setLevel(l)}>{l}</button>)}
      </div>
      {rows.length === 0 ? <div class="empty">{c.rows === 0 ? <><b>Nothing was logged</b><span>No page wrote to its console, and no test to its output.</span></> : "No message fits."}</div>
        : <List role="listbox" label="Console" count={list.length} height={24} selected={at} {...(at >= 0 ? { active: `c${app.message}` } : {})} onKeyDown={move} rowKey={(i) => list[i].row}
            row={(i) => {
              const { row: r, depth, times } = list[i], lv = levelOf(t.text(c, "level", r));
              const url = t.text(c, "url", r);
              return (
                <div id={`c${r}`} role="option" aria-selected={r === app.message} class={`crow ${lv} ${r === app.message ? "sel" : ""}`} onClick={() => app.set({ message: r, cursor: t.num(c, "time", r) })}>
                  <span class="faint mono">{(t.num(c, "time", r) / 1e6).toFixed(3)}</span>
                  <span class="sign" aria-label={lv}>{lv === "error" ? "■" : lv === "warning" ? "▲" : lv === "test" ? "›" : "●"}</span>
                  <span class="clip mono" style={{ paddingLeft: `${Math.min(depth, 8) * 12}px` }}>{times > 1 ? <b class="times" title={`${times} times in a row`}>{times}×</b> : null}{/^startGroup/.test(levelText(d, r)) ? <span class="dim" aria-hidden="true">▾ </span> : null}<Text row={r} brief /></span>
                  <span class="dim where">{url ? `${url.split(/[?#]/)[0].split("/").at(-1)}:${t.num(c, "lineNumber", r) + 1}` : ""}</span>
                </div>
              );
            }} />}
      {app.message !== NONE && app.message < c.rows ? <Message row={app.message} /> : null}
    </>
  );
}

const levelText = (d: Derived, r: number): string => d.t.text(d.t.console, "level", r);

interface Folded { row: number; depth: number; times: number }

/** Messages as they are listed: those of a console group below it, the same one again and again once. */
function folded(d: Derived, rows: number[]): Folded[] {
  const t = d.t, c = t.console, shown = new Set(rows), list: Folded[] = [];
  const key = (r: number): string => `${t.num(c, "text", r)} ${t.num(c, "level", r)} ${t.num(c, "url", r)} ${t.num(c, "lineNumber", r)}`;
  let depth = 0;
  for (const r of d.console.rows) {
    const level = levelText(d, r);
    if (level === "endGroup") { depth = Math.max(0, depth - 1); continue; }
    if (shown.has(r)) {
      const last = list.at(-1);
      if (last && last.depth === depth && key(last.row) === key(r)) last.times++;
      else list.push({ row: r, depth, times: 1 });
    }
    if (level.startsWith("startGroup")) depth++;
  }
  return list;
}

interface MessageBody { text?: string; args?: { preview?: string; value?: unknown }[]; location?: { url?: string; lineNumber?: number; columnNumber?: number } }

const useMessage = (row: number, wanted: boolean): MessageBody | null | undefined => {
  const t = app.trace!;
  return useAnswer<MessageBody | null>(wanted ? `${t.id}/${t.epoch}/message/${row}` : "", () => app.connection.get(t, "message", row)).value;
};

/** What a message says, in its own style if it has one; brief is on one line. */
function Text({ row, brief }: { row: number; brief?: boolean }): JSX.Element {
  const t = app.trace!, text = t.text(t.console, "text", row);
  const value = useMessage(row, !brief || text.includes("%c"));
  const line = (s: string): string => (brief ? plain(s).replace(/\s+/g, " ") : plain(s));
  const runs = styled(value?.args);
  if (runs) return <>{runs.map((r, i) => <span key={i} style={r.style}>{line(r.text)}</span>)}</>;
  return <>{line(!brief && typeof value?.text === "string" && value.text !== "" ? value.text : text)}</>;
}

function Message({ row }: { row: number }): JSX.Element {
  const t = app.trace!;
  const value = useMessage(row, true);
  const place = value?.location?.url;
  return (
    <section class="below" aria-label="Message">
      <div class="belowhead"><b>{t.text(t.console, "level", row)}</b><span class="dim clip">{place ? `${place}:${(value?.location?.lineNumber ?? 0) + 1}` : ""}</span><button class="btn ghost" aria-label="Close message" onClick={() => app.set({ message: NONE })}>✕</button></div>
      <div class="scroll pad" tabIndex={0}><pre class="block"><Text row={row} /></pre>
        {value?.args?.some((a) => a.value !== undefined) ? <Value value={value.args.map((a) => a.value ?? a.preview)} open={2} /> : null}</div>
    </section>
  );
}
