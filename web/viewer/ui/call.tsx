import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import { Flag } from "../model/schema";
import { duration, moment } from "../model/time";
import { plain } from "../model/reasons";
import { useDetail, type ActionDetail } from "./detail";
import { useApp } from "./hooks";
import { Value } from "./value";

export function Call(): JSX.Element {
  useApp(() => [app.derived, app.selected]);
  const t = app.trace, row = app.selected;
  const { value, error } = useDetail(row);
  if (!t || row < 0 || row >= t.actions.rows) return <div class="empty">Select a step.</div>;
  const a = t.actions, flags = t.num(a, "flags", row);
  const start = t.num(a, "start", row), parent = t.num(a, "parent", row);
  const page = t.num(a, "page", row);
  const message = value?.after?.error?.message ?? value?.stepAfter?.error?.message ?? t.text(a, "message", row);
  return (
    <div class="scroll pad" tabIndex={0}>
      <h2 class="callname">{t.text(a, "title", row)} <span class="mono dim">{t.text(a, "detail", row)}</span></h2>
      {message ? <pre class="block errblock">{plain(message)}</pre> : null}
      <Facts rows={[
        ["method", [t.text(a, "class", row), t.text(a, "method", row)].filter((s) => s !== "").join(".")],
        ["starts", moment(start)],
        ["takes", flags & Flag.unfinished ? "it has no end" : duration(t.actionEnd(row) - start)],
        ["inside", parent >= 0 ? `${t.text(a, "title", parent)} ${t.text(a, "detail", parent)}`.trim() : ""],
        ["page", page >= 0 && page < t.pages.rows ? t.text(t.pages, "id", page) : ""],
        ["call id", String(value?.before?.["callId"] ?? value?.stepBefore?.["callId"] ?? "")],
      ]} />
      {error ? <div class="banner warn">{error}</div> : null}
      {value ? <Values d={value} /> : <div class="dim pad">Reading…</div>}
    </div>
  );
}

export function Facts({ rows }: { rows: [string, string | JSX.Element][] }): JSX.Element {
  return <dl class="facts">{rows.filter(([, v]) => v !== "").map(([k, v]) => [<dt key={`k${k}`}>{k}</dt>, <dd key={`v${k}`}>{v}</dd>])}</dl>;
}

function Values({ d }: { d: ActionDetail }): JSX.Element {
  const [raw, setRaw] = useState(false);
  const params = d.before?.params ?? d.stepBefore?.params;
  const result = d.after?.result ?? d.stepAfter?.result;
  return (
    <>
      {params !== undefined && Object.keys(params as object).length > 0 ? <section class="sect"><h2><span>Parameters</span></h2><Value value={params} open={2} /></section> : null}
      {result !== undefined ? <section class="sect"><h2><span>Result</span></h2><Value value={result} open={2} /></section> : null}
      <section class="sect"><h2><button class="linkish" aria-expanded={raw} onClick={() => setRaw(!raw)}>{raw ? "▾" : "▸"} As recorded</button></h2>{raw ? <Value value={{ before: d.before, after: d.after, stepBefore: d.stepBefore, stepAfter: d.stepAfter }} open={2} /> : null}</section>
    </>
  );
}
