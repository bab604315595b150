import type { JSX } from "preact";
import { app } from "../model/app";
import type { Trace } from "../model/trace";
import { duration, moment } from "../model/time";
import { roving } from "../ui/details";
import { useAnswer, useApp } from "../ui/hooks";
import { CTABS, SIGN, type Change, type Comparison, type CTab } from "./model";
import { Noise } from "./noise";

const NAMES: Record<CTab, string> = { step: "Step", page: "DOM", network: "Network", console: "Console", timing: "Timing", environment: "Env", noise: "Noise" };

export interface Node { kind: string; name: string; attributes?: { name: string; kind: string; a?: string; b?: string }[]; a?: string; b?: string; children?: Node[] }

export interface Section { name: string; verdict: string; recordedA: boolean; recordedB: boolean; changes: Change[]; more?: number; note?: string; tree?: Node }

export interface PairAnswer { verdict: string; kind: string; sections?: Section[] }

const SECTIONS: Record<CTab, string[]> = { step: ["steps", "errors"], page: ["dom", "accessibility", "screenshots"], network: ["network", "websocket", "storage"], console: ["console"], timing: ["performance"], environment: ["environment"], noise: [] };

export const SECTION_NAME: Record<string, string> = { steps: "The call", errors: "Errors", console: "Console", network: "Requests", websocket: "WebSocket", storage: "Cookies and storage", dom: "The page's DOM", accessibility: "Names and roles", screenshots: "Screenshots", performance: "Times", environment: "Environment" };

/** What is known of a pair, from the server; asked for once. */
function usePair(c: Comparison): { value?: PairAnswer; error?: string } {
  return useAnswer<PairAnswer>(c.ready && c.at >= 0 ? `${c.token}/pair/${c.at}` : "", () => app.connection.compare(c.a, c.b, "pair", c.at, c.rules));
}

function useAll(c: Comparison, wanted: boolean): { value?: { sections: Section[]; verdict: string }; error?: string } {
  return useAnswer(wanted ? `${c.token}/all` : "", () => app.connection.compare(c.a, c.b, "all", -1, c.rules));
}

export function Facts(): JSX.Element {
  useApp(() => [app.comparison?.version, app.comparison?.at, app.comparison?.tab, app.comparison?.all]);
  const c = app.comparison!;
  const pair = usePair(c);
  const whole = c.all, setWhole = (all: boolean): void => c.set({ all });
  const wantsAll = whole || c.tab === "environment";
  const all = useAll(c, wantsAll && c.tab !== "noise");
  const source = wantsAll ? all : pair;
  const sections = (source.value?.sections ?? []).filter((s) => SECTIONS[c.tab].includes(s.name));
  const count = (tab: CTab): number => (pair.value?.sections ?? []).filter((s) => SECTIONS[tab].includes(s.name)).reduce((n, s) => n + s.changes.length + (s.more ?? 0), 0);
  return (
    <section class="panel details" aria-label="What differs" id="details">
      <div class="tabrow"><div class="tabs facttabs" role="tablist" aria-label="What differs" onKeyDown={roving}>
        {CTABS.map((t) => { const n = count(t); return <button key={t} id={`ctab-${t}`} role="tab" class={`tab ${t === c.tab ? "on" : ""}`} aria-selected={t === c.tab} aria-controls="detail" tabIndex={t === c.tab ? 0 : -1} onClick={() => c.set({ tab: t })}>{NAMES[t]}{n > 0 ? <span class="n bad">{n}</span> : null}</button>; })}
      </div></div>
      <div class="tabbody" id="detail" role="tabpanel" aria-labelledby={`ctab-${c.tab}`}>
        {c.tab === "noise" ? <Noise c={c} /> : (
          <div class="scroll pad" tabIndex={0}>
            {c.tab === "environment" ? null : <div class="pills"><button class={`pill ${whole ? "" : "on"}`} aria-pressed={!whole} onClick={() => setWhole(false)}>this step</button><button class={`pill ${whole ? "on" : ""}`} aria-pressed={whole} onClick={() => setWhole(true)}>whole traces</button></div>}
            {c.tab === "step" && !whole ? <Both c={c} /> : null}
            {c.tab === "timing" && !whole ? <Timing c={c} /> : null}
            {c.tab === "environment" ? <Environment c={c} /> : null}
            {source.error ? <div class="banner warn">{source.error}</div> : !source.value ? <div class="dim">Comparing…</div> : null}
            {sections.map((s) => <SectionView key={s.name} c={c} s={s} whole={wantsAll} />)}
            {source.value && sections.every((s) => s.changes.length === 0) && c.tab !== "step" && c.tab !== "timing" && c.tab !== "environment" ? <div class="dim">{sections.some((s) => s.note) ? "" : "Nothing differs here."}</div> : null}
          </div>
        )}
      </div>
    </section>
  );
}

function SectionView({ c, s, whole }: { c: Comparison; s: Section; whole: boolean }): JSX.Element | null {
  if (s.changes.length === 0 && !s.note && !s.tree) return null;
  return (
    <section class="sect"><h2><span>{SECTION_NAME[s.name] ?? s.name}</span><span class={`verdict ${s.verdict}`}>{s.verdict}</span></h2>
      {s.note ? <div class="dim">{s.note}</div> : null}
      {s.tree ? <div class="domdiff"><Tree n={s.tree} depth={0} /></div> : null}
      {s.changes.map((x, i) => <ChangeView key={i} c={c} x={x} whole={whole} />)}
      {s.more ? <div class="dim">{s.more.toLocaleString("en")} more</div> : null}
    </section>
  );
}

const MARK: Record<string, string> = { added: "+", removed: "−", changed: "~", moved: "↕" };

function ChangeView({ c, x, whole }: { c: Comparison; x: Change; whole: boolean }): JSX.Element {
  return (
    <div class={`change ${x.kind} ${x.effect}`}>
      <div class="changehead"><span class="sign" aria-label={x.kind}>{MARK[x.kind] ?? "~"}</span><b class="breaks">{x.what}</b>{x.effect === "regressed" || x.effect === "improved" ? <span class={`verdict ${x.effect}`}>{x.effect}</span> : null}
        {whole && x.pair !== undefined ? <button class="linkish" onClick={() => c.select(x.pair!)}>step {x.pair + 1}</button> : null}</div>
      {x.path ? <div class="mono dim breaks">{x.path}</div> : null}
      {x.a !== undefined && x.a !== "" ? <pre class="line a">{x.a}</pre> : null}
      {x.b !== undefined && x.b !== "" ? <pre class="line b">{x.b}</pre> : null}
      {x.countA || x.countB ? <div class="dim">A {x.countA ?? 0}×, B {x.countB ?? 0}×</div> : null}
      {x.note ? <div class="dim">{x.note}</div> : null}
    </div>
  );
}

/** What differs of a page, as a tree. */
function Tree({ n, depth }: { n: Node; depth: number }): JSX.Element {
  const sign = MARK[n.kind] ?? " ";
  const cls = n.kind === "added" ? "b" : n.kind === "removed" ? "a" : "";
  const pad = { paddingLeft: `${6 + Math.min(depth, 24) * 12}px` };
  const text = n.name === "#text";
  return (
    <>
      {text && n.kind === "changed" ? <><div class="a" style={pad}>− {n.a}</div><div class="b" style={pad}>+ {n.b}</div></>
        : <div class={cls} style={pad}>{sign} {text ? (n.a ?? n.b) : <>{"<"}{n.name}{(n.attributes ?? []).map((at, i) => <span key={i} class="attr"> {at.name}{at.a !== undefined && at.kind !== "added" ? <span class="a">="{at.a}"</span> : null}{at.b !== undefined && at.kind !== "removed" ? <span class="b">="{at.b}"</span> : null}</span>)}{">"}{n.children ? "" : n.a || n.b ? ` ${n.a || n.b}` : ""}</>}</div>}
      {(n.children ?? []).map((k, i) => <Tree key={i} n={k} depth={depth + 1} />)}
    </>
  );
}

function Both({ c }: { c: Comparison }): JSX.Element | null {
  const p = c.pairs[c.at];
  if (!p) return null;
  const message = (t: Trace, row: number): string => (row < 0 ? "" : t.text(t.actions, "message", row));
  const kind = { same: "The same step in both.", changed: "The step differs.", "only-a": "Only A has this step.", "only-b": "Only B has this step." }[p.kind];
  const side = (letter: string, t: Trace, row: number): JSX.Element => (
    <div class="bothside"><b class={`letter ${letter.toLowerCase()}`}>{letter}</b>{row < 0 ? <span class="dim">has no such step</span> : <div><div class="breaks">{t.text(t.actions, "title", row)} <span class="mono">{t.text(t.actions, "detail", row)}</span></div><div class="dim">{moment(t.num(t.actions, "start", row))} · {duration(t.actionEnd(row) - t.num(t.actions, "start", row))}{c.failed(t, row) ? <b class="err"> · failed</b> : null}</div>
      {message(t, row) ? <pre class="block errblock">{message(t, row).replace(/\u001b\[[0-9;]*m/g, "")}</pre> : null}</div>}</div>
  );
  return <section class="sect"><h2><span>{SIGN[p.kind]} {kind}</span></h2>{side("A", c.a, p.a)}{side("B", c.b, p.b)}</section>;
}

/** Steps by how much longer they took. */
function Timing({ c }: { c: Comparison }): JSX.Element {
  const list = c.pairs.map((_, i) => i).filter((i) => c.pairs[i].a >= 0 && c.pairs[i].b >= 0).map((i) => { const [a, b] = c.took(i); return { i, a, b, by: b - a }; }).sort((x, y) => Math.abs(y.by) - Math.abs(x.by)).slice(0, 40);
  const most = Math.max(1, ...list.map((x) => Math.max(x.a, x.b)));
  return (
    <section class="sect"><h2><span>Steps by difference in time</span><span>whole: {duration(c.a.end)} → {duration(c.b.end)}</span></h2>
      {list.map((x) => <button key={x.i} class="timediff" aria-pressed={x.i === c.at} onClick={() => c.select(x.i)}><span class="clip">{c.title(x.i).join(" ")}</span>
        <span class="twobars" aria-hidden="true"><i class="a" style={{ width: `${(x.a / most) * 100}%` }} /><i class="b" style={{ width: `${(x.b / most) * 100}%` }} /></span><span class="ms">{duration(x.a)}</span><span class="ms">{duration(x.b)}</span><span class={`ms ${x.by > 20_000 ? "err" : x.by < -20_000 ? "ok" : ""}`}>{x.by >= 0 ? "+" : "−"}{duration(Math.abs(x.by))}</span></button>)}
    </section>
  );
}

function Environment({ c }: { c: Comparison }): JSX.Element {
  const facts = (t: Trace): Record<string, string> => {
    const m = t.meta?.contexts ?? [], browser = m.find((x) => x.browser !== "") ?? m[0];
    if (!browser) return {};
    return { browser: [browser.browser, browser.channel].filter(Boolean).join(" "), "recorded by": browser.producer, format: `version ${browser.version}`, platform: browser.platform, language: browser.language, viewport: browser.width > 0 ? `${browser.width}×${browser.height}` : "",
      title: browser.title, steps: String(t.actions.rows), requests: String(t.network.rows), length: duration(t.end), ...options(browser.options) };
  };
  const a = facts(c.a), b = facts(c.b), names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  names.sort((x, y) => Number(a[x] === b[x]) - Number(a[y] === b[y]));
  return (
    <table class="envtable"><thead><tr><th scope="col">What</th><th scope="col">A</th><th scope="col">B</th></tr></thead>
      <tbody>{names.filter((n) => a[n] || b[n]).map((n) => <tr key={n} class={a[n] === b[n] ? "dim" : "differs"}><th scope="row">{a[n] === b[n] ? "=" : "~"} {n}</th><td class="breaks">{a[n] || "—"}</td><td class="breaks">{b[n] || "—"}</td></tr>)}</tbody></table>
  );
}

/** Options of the browser context, one a row. */
function options(json: string): Record<string, string> {
  try {
    const o = JSON.parse(json || "{}") as Record<string, unknown>;
    return Object.fromEntries(Object.entries(o).filter(([, v]) => v !== null && v !== "").slice(0, 60).map(([k, v]) => [`option ${k}`, typeof v === "string" ? v : JSON.stringify(v).slice(0, 300)]));
  } catch {
    return {};
  }
}
