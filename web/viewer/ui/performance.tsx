import type { JSX } from "preact";
import { duration } from "../model/time";
import { goToCall, goToPlace, useFindings, Waiting } from "./findings";
import { bytes } from "./network";

interface Metric { name: string; unit?: string; value?: number; rating?: string }

interface Slow { what: string; id: string; took: number }

interface Load { url: string; at: number; ttfb?: number; fcp?: number; lcp?: number; cls?: number; inp?: number }

interface Answer { metrics: Metric[]; loads: Load[] | null; types: { type: string; requests: number; bytes: number }[] | null; slowActions: Slow[] | null; slowRequests: Slow[] | null; notRecorded: string[] | null; budget: boolean; exceeded: { name: string; limit: number; value?: number }[] }

function amount(v: number, unit = ""): string {
  if (unit === "bytes") return bytes(v);
  if (unit === "ms") return duration(v * 1000);
  return Number.isInteger(v) ? v.toLocaleString("en") : v.toFixed(3);
}

const MARK: Record<string, string> = { good: "✓", "needs improvement": "▲", poor: "✕" };

/** How the session performed: vitals, requests, long tasks, and what was slow. */
export function PerformanceTab(): JSX.Element {
  const { value: v, error } = useFindings<Answer>("performance");
  if (!v) return <Waiting error={error}>Measuring…</Waiting>;
  const unit = (name: string): string | undefined => v.metrics.find((m) => m.name === name)?.unit;
  const known = v.metrics.filter((m) => m.value !== undefined && m.value !== null);
  const most = Math.max(1, ...(v.types ?? []).map((t) => t.bytes));
  return (
    <div class="scroll pad" tabIndex={0}>
      {v.exceeded.length > 0 ? <div class="failcard" role="alert"><h2>{v.exceeded.length === 1 ? "A limit of the budget is" : `${v.exceeded.length} limits of the budget are`} not kept</h2>
        {v.exceeded.map((x) => <div key={x.name}>{x.name}: {x.value === undefined ? "not recorded" : amount(x.value, unit(x.name))}, at most {amount(x.limit, unit(x.name))}</div>)}</div>
        : v.budget ? <div><span class="ok" aria-hidden="true">✓</span> Every limit of the budget is kept.</div> : null}
      <div class="metrics">{known.map((m) => <div key={m.name} class={`metric ${(m.rating ?? "").split(" ")[0]}`}><span class="dim">{m.name}</span><b>{amount(m.value!, m.unit)}</b>{m.rating ? <span class="rating"><span aria-hidden="true">{MARK[m.rating]} </span>{m.rating}</span> : null}</div>)}</div>
      {(v.notRecorded ?? []).length > 0 ? <div class="dim">Not recorded: {v.notRecorded!.join(", ")}. <code>tracedeck record</code> measures them.</div> : null}
      {(v.loads ?? []).length > 0 ? (
        <section class="sect"><h2><span>Page loads</span><span>{v.loads!.length}</span></h2>
          <div class="tablewrap"><table class="envtable"><thead><tr><th scope="col">page</th>{["TTFB", "FCP", "LCP", "CLS", "INP"].map((n) => <th key={n} scope="col" class="figure">{n}</th>)}</tr></thead>
            <tbody>{v.loads!.slice(0, 200).map((l, i) => <tr key={i}><th scope="row" class="breaks">{l.url}</th>{[l.ttfb, l.fcp, l.lcp].map((x, j) => <td key={j} class="figure">{x === undefined ? "–" : amount(x, "ms")}</td>)}<td class="figure">{l.cls === undefined ? "–" : amount(l.cls)}</td><td class="figure">{l.inp === undefined ? "–" : amount(l.inp, "ms")}</td></tr>)}</tbody></table></div>
        </section>) : null}
      <SlowList head="Slowest steps" list={v.slowActions ?? []} go={(s) => void goToCall(s.id)} />
      <SlowList head="Slowest requests" list={v.slowRequests ?? []} go={(s) => void goToPlace(s.id)} />
      {(v.types ?? []).length > 0 ? (
        <section class="sect"><h2><span>Requests by type</span></h2>
          {v.types!.map((t) => <div key={t.type} class="bytype"><span>{t.type}</span><span class="fall" aria-hidden="true"><i style={{ left: 0, width: `${(t.bytes / most) * 100}%` }} /></span><span class="ms">{t.requests.toLocaleString("en")}</span><span class="ms">{bytes(t.bytes)}</span></div>)}
        </section>) : null}
    </div>
  );
}

function SlowList({ head, list, go }: { head: string; list: Slow[]; go: (s: Slow) => void }): JSX.Element | null {
  if (list.length === 0) return null;
  const most = Math.max(1, ...list.map((s) => s.took));
  return (
    <section class="sect"><h2><span>{head}</span></h2>
      {list.map((s, i) => <button key={i} class="slowrow" onClick={() => go(s)}><span class="clip">{s.what}</span><span class="fall" aria-hidden="true"><i style={{ left: 0, width: `${(s.took / most) * 100}%` }} /></span><span class="ms">{duration(s.took * 1000)}</span></button>)}
    </section>
  );
}
