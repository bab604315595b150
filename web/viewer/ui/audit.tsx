import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import { goToPlace, Severity, useFindings, Waiting } from "./findings";

interface Finding { severity: string; category: string; code: string; title: string; description: string; recommendation: string; cwe?: string; occurrences: number; evidence: { type: string; method?: string; url?: string; status?: number; field?: string; pattern?: string; redacted_value?: string; notes?: string[]; place?: string } }

interface Report { findings?: Finding[] | null; notes?: string[] | null; checks?: { name: string; state: string }[]; [k: string]: unknown }

const ORDER = ["critical", "warning", "info"];

/** Security faults that the recording gives away. */
export function AuditTab(): JSX.Element {
  const { value, error } = useFindings<Report>("audit");
  const [only, setOnly] = useState("");
  if (!value) return <Waiting error={error}>Looking through requests, answers and messages…</Waiting>;
  const list = value.findings ?? [], shown = list.filter((f) => only === "" || f.severity === only);
  return (
    <div class="scroll pad" tabIndex={0}>
      {list.length === 0 ? <div class="dim">The rules found nothing in what was recorded. What was not recorded was not looked at.</div> : (
        <div class="pills" role="group" aria-label="Severity">{ORDER.filter((s) => list.some((f) => f.severity === s)).map((s) => (
          <button key={s} class={`pill ${only === s ? "on" : ""}`} aria-pressed={only === s} onClick={() => setOnly(only === s ? "" : s)}>{s} {list.filter((f) => f.severity === s).length}</button>))}</div>)}
      {shown.map((f, i) => (
        <section key={i} class="finding">
          <h3><Severity of={f.severity} /> {f.title}{f.occurrences > 1 ? <span class="dim"> ×{f.occurrences}</span> : null}</h3>
          <div class="mono breaks">{[f.evidence.method, f.evidence.url, f.evidence.status ? String(f.evidence.status) : ""].filter(Boolean).join(" ")}</div>
          {f.evidence.field || f.evidence.pattern ? <div class="dim breaks">{[f.evidence.field, f.evidence.pattern, f.evidence.redacted_value].filter(Boolean).join(" · ")}</div> : null}
          <div>{f.description}</div><div class="dim">{f.recommendation}{f.cwe ? ` ${f.cwe}` : ""}</div>
          {f.evidence.place ? <button class="linkish" onClick={() => void goToPlace(f.evidence.place!)}>show where</button> : requestAt(f) >= 0 ? <button class="linkish" onClick={() => app.openRequest(requestAt(f))}>show the request</button> : null}
        </section>
      ))}
      {(value.notes ?? []).map((n, i) => <div key={`n${i}`} class="dim">{n}</div>)}
    </div>
  );
}

/** The request that a finding is about, by method and the address as far as it is not masked. */
function requestAt(f: Finding): number {
  const t = app.trace!, n = t.network, path = (f.evidence.url ?? "").split(/[?#]/)[0];
  if (path === "") return -1;
  for (let row = 0; row < n.rows; row++) if (t.text(n, "url", row).split(/[?#]/)[0] === path && (!f.evidence.method || t.text(n, "method", row) === f.evidence.method)) return row;
  return -1;
}
