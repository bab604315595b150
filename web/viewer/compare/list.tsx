import type { JSX } from "preact";
import { app } from "../model/app";
import { duration } from "../model/time";
import { useApp } from "../ui/hooks";
import { List } from "../ui/list";
import { SIGN, type Comparison } from "./model";

const WORD = { same: "same", changed: "changed", "only-a": "only in A", "only-b": "only in B" };

/** The steps of both, aligned. */
export function PairList(): JSX.Element {
  useApp(() => [app.comparison?.version, app.comparison?.at, app.comparison?.pill]);
  const c = app.comparison!;
  const rows = c.shown(), n = c.counts(), at = rows.indexOf(c.at);
  const changes = c.pairs.length - n.same;
  let slower = 0;
  for (let i = 0; i < c.pairs.length; i++) if (c.slower(i) > 0.2) slower++;
  const pill = (id: Comparison["pill"], text: string): JSX.Element => <button class={`pill ${c.pill === id ? "on" : ""}`} aria-pressed={c.pill === id} onClick={() => c.set({ pill: id })}>{text}</button>;
  return (
    <section class="panel actions" aria-label="Steps of both" id="steps">
      <div class="pills">{pill("all", `All ${c.pairs.length}`)}{pill("changes", `Changes ${changes}`)}{pill("slower", `Slower ${slower}`)}</div>
      <div class="prow phead" aria-hidden="true"><span /><span>Step</span><span>A</span><span>B</span><span>Δ</span></div>
      {rows.length === 0 ? <div class="empty">{c.pill === "changes" ? "The steps of both are the same." : c.pill === "slower" ? "No step is more than 20 % slower." : "Neither trace has steps."}</div>
        : <List role="listbox" label="Steps of both" count={rows.length} height={25} selected={at} {...(at >= 0 ? { active: `pair${c.at}` } : {})} rowKey={(i) => rows[i]} row={(i) => <Row c={c} at={rows[i]} />} />}
      <div class="foot"><span>{c.at >= 0 ? `step ${c.at + 1} of ${c.pairs.length}` : ""}</span><span>{rows.length < c.pairs.length ? `hidden: ${c.pairs.length - rows.length}` : ""}</span></div>
    </section>
  );
}

function Row({ c, at }: { c: Comparison; at: number }): JSX.Element {
  const p = c.pairs[at], [name, detail] = c.title(at), [a, b] = c.took(at);
  const failA = c.failed(c.a, p.a), failB = c.failed(c.b, p.b);
  const share = c.slower(at);
  const delta = failA !== failB && p.a >= 0 && p.b >= 0 ? (failB ? "failed" : "mended") : share === 0 ? "" : share > 9.99 ? `×${Math.round(share + 1)}` : `${share > 0 ? "+" : "−"}${Math.abs(Math.round(share * 100))} %`;
  return (
    <div id={`pair${at}`} role="option" aria-selected={at === c.at} class={`prow ${p.kind} ${at === c.at ? "sel" : ""}`} onClick={() => c.select(at)} onDblClick={() => c.leave()}>
      <span class="sign"><span aria-hidden="true">{SIGN[p.kind]}</span><span class="spoken">{WORD[p.kind]}</span></span>
      <span class="clip" style={{ paddingLeft: `${Math.min(p.depth, 8) * 10}px` }}><span class={failB || p.b < 0 && failA ? "err strong" : ""}>{name}</span> <span class="mono dim">{detail}</span></span>
      <span class={`ms ${failA ? "err" : ""}`}>{duration(a)}</span><span class={`ms ${failB ? "err" : ""}`}>{duration(b)}</span>
      <span class={`ms ${delta === "failed" || share > 0.2 ? "err" : delta === "mended" || share < -0.2 ? "ok" : ""}`}>{delta}</span>
    </div>
  );
}
