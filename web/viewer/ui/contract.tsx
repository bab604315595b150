import type { JSX } from "preact";
import { goToPlace, Severity, useFindings, Waiting } from "./findings";

interface Violation { endpoint: string; severity: string; type: string; pointer: string; expected?: string; actual?: string; description: string; count: number; of: number; place: string }

interface Endpoint { name: string; calls: number; statuses: Record<string, number>; established: boolean; new?: boolean; checked: number; consistency?: string; unparsable?: Record<string, number>; violations_not_shown?: number }

interface Answer { violations: Violation[] | null; rebaseline_candidates: { endpoint: string }[] | null; endpoints: Endpoint[] | null; calls: number; clean_endpoints: number; untracked?: string[]; hints?: string[]; within: boolean }

/** Where answers of the API break with what is known of it. */
export function ContractTab(): JSX.Element {
  const { value: v, error } = useFindings<Answer>("contract");
  if (!v) return <Waiting error={error}>Comparing the shapes of answers…</Waiting>;
  const broken = v.violations ?? [], all = v.endpoints ?? [];
  return (
    <div class="scroll pad" tabIndex={0}>
      <div class="dim">{all.length === 0 ? "No calls of an API were recorded." : `${v.calls.toLocaleString("en")} calls of ${all.length.toLocaleString("en")} endpoints, held against ${v.within ? "what the session itself began with" : "the contract"}.`}
        {v.within && all.length > 0 ? <> <code>tracedeck view --contract api.json</code> takes one that was learnt from other runs.</> : null}</div>
      {broken.length === 0 && all.length > 0 ? <div><span class="ok" aria-hidden="true">✓</span> No answer breaks with it.</div> : null}
      {broken.map((b, i) => (
        <section key={i} class="finding">
          <h3><Severity of={b.severity} /> {b.description}</h3>
          <div class="mono breaks">{b.endpoint}{b.pointer ? ` · ${b.pointer}` : ""}</div>
          {b.expected || b.actual ? <dl class="compared"><dt>expected</dt><dd class="mono ok">{b.expected || "nothing"}</dd><dt>answered</dt><dd class="mono err">{b.actual || "nothing"}</dd></dl> : null}
          <div class="dim">{b.of > 0 ? `in ${b.count} of ${b.of} answers` : `${b.count} times`}{b.place ? <> · <button class="linkish" onClick={() => void goToPlace(b.place)}>show the request</button></> : null}</div>
        </section>
      ))}
      {(v.rebaseline_candidates ?? []).map((r, i) => <div key={`r${i}`} class="banner">{r.endpoint} answers with another shape for good: <code>tracedeck contract learn --accept</code> takes it over.</div>)}
      {all.length > 0 ? (
        <section class="sect"><h2><span>Endpoints</span><span>{v.clean_endpoints} clean</span></h2>
          <div class="tablewrap"><table class="envtable"><thead><tr><th scope="col">endpoint</th><th scope="col" class="figure">calls</th><th scope="col">statuses</th><th scope="col">shape</th></tr></thead>
            <tbody>{all.slice(0, 500).map((e) => (
              <tr key={e.name}><th scope="row" class="mono breaks">{e.name}</th><td class="figure">{e.calls}</td>
                <td class="mono">{Object.entries(e.statuses).map(([s, n]) => <span key={s} class={Number(s) >= 400 || s === "0" ? "err" : ""}>{s === "0" ? "none" : s}{n > 1 ? `×${n}` : ""} </span>)}</td>
                <td class="dim">{e.consistency ?? (e.established ? "known" : "too few good answers")}</td></tr>))}</tbody></table></div>
        </section>) : null}
      {(v.hints ?? []).map((h, i) => <div key={`h${i}`} class="dim">{h}</div>)}
    </div>
  );
}
