import type { JSX } from "preact";
import { Kbd } from "../ui/kbd";
import { app, shortName, title } from "../model/app";
import type { Trace } from "../model/trace";
import { duration } from "../model/time";
import { useApp } from "../ui/hooks";
import { Split } from "../ui/split";
import { Logo } from "../ui/topbar";
import { performCompare } from "./commands";
import { Facts } from "./facts";
import { Lanes } from "./lanes";
import { PairList } from "./list";
import { Stage } from "./stage";

interface Props { left: number; right: number; setLeft: (v: number) => void; setRight: (v: number) => void }

/** Two traces side by side. */
export function CompareScreen({ left, right, setLeft, setRight }: Props): JSX.Element {
  useApp(() => [app.comparison, app.comparison?.ready, app.comparison?.problem, app.comparison?.wall, app.comparison?.whole]);
  const c = app.comparison!;
  return (
    <>
      <header>
        <Logo />
        <h1 class="crumb">{c.b.meta ? title(c.b) : "Comparison"}</h1>
        <span class="sp" />
        <button class="btn" onClick={() => c.swap()}>Swap <span class="wideonly">A and B</span> <Kbd of="c-swap" /></button>
        <button class="btn" aria-pressed={!c.wall} onClick={() => c.set({ wall: !c.wall, view: undefined })}>{c.wall ? "Time as it was" : "Time by step"} <kbd>T</kbd></button>
        <button class="btn" onClick={() => performCompare("c-link")}>Copy link <Kbd of="c-link" /></button>
        {app.offline ? null : <button class="btn wideonly" onClick={() => performCompare("c-save")}>Save <Kbd of="c-save" /></button>}
        <button class="btn" onClick={() => c.leave()}>Exit <kbd>Esc</kbd></button>
        <button class="btn ghost" aria-label="Keyboard help" onClick={() => app.set({ dialog: "help" })}>?</button>
      </header>
      <Sides />
      {c.problem ? <main class="away"><h2>These two cannot be compared</h2><p>{c.problem}</p>{c.rules ? <p><button class="btn" onClick={() => c.setRules("")}>Compare with the default noise rules</button></p> : null}</main>
        : !c.ready ? <main class="away"><div class="spinner" /><p>{c.whole ? "Aligning the steps…" : "Reading both traces…"}</p></main> : (
        <>
          <Lanes />
          <main class="work" style={{ gridTemplateColumns: `${left}px 0 minmax(220px, 1fr) 0 ${right}px` }}>
            <PairList />
            <Split label="Width of the steps" value={left} least={240} most={660} set={setLeft} />
            <Stage />
            <Split label="Width of the details" value={right} least={260} most={900} set={setRight} reverse />
            <Facts />
          </main>
        </>
      )}
      <footer class="status" aria-label="Status">
        <span>{c.ready ? `${c.pairs.length.toLocaleString("en")} pairs of steps` : ""}</span><span class="wideonly">{c.wall ? "time as it was" : "time aligned at each step"}</span>
        <span class="sp" />
        <span class="wideonly"><kbd>↑</kbd><kbd>↓</kbd> step <Kbd of="c-nextChange" /> next difference</span><span class="wideonly"><kbd>1</kbd>–<kbd>4</kbd> moment <kbd>M</kbd> mode</span><span class="wideonly"><kbd>[</kbd><kbd>]</kbd> divider</span><span><kbd>?</kbd> keys</span>
      </footer>
    </>
  );
}

/** What both traces are, and how many steps differ. */
function Sides(): JSX.Element {
  useApp(() => [app.comparison?.version, app.comparison?.pill, app.comparison?.whole, app.comparison?.at]);
  const c = app.comparison!;
  const n = c.counts();
  return (
    <section class="sides" aria-label="What is compared">
      <Side letter="A" t={c.a} /><span class="dim">against</span><Side letter="B" t={c.b} />
      <span class="sp" />
      {c.ready ? <>
        {c.verdict ? <span class={`verdict ${c.verdict}`}>{c.verdict}</span> : <span class="dim">comparing pages…</span>}
        <span class="chip plain">{n.same} same</span>
        {n.changed > 0 ? <span class="chip warned">~ {n.changed} changed</span> : null}
        {n["only-a"] > 0 ? <span class="chip fail">− {n["only-a"]} only A</span> : null}
        {n["only-b"] > 0 ? <span class="chip pass">+ {n["only-b"]} only B</span> : null}
        {c.first >= 0 ? <button class="btn primary" aria-pressed={c.at === c.first} onClick={() => c.select(c.first)}>First divergence: step {c.first + 1} <kbd>G</kbd></button> : <span class="chip pass">the same steps</span>}
      </> : null}
    </section>
  );
}

function Side({ letter, t }: { letter: string; t: Trace }): JSX.Element {
  const failed = t.complete && app.comparison!.derived(t).failed();
  return (
    <span class="side" title={t.meta?.name ?? ""}>
      <b class={`letter ${letter.toLowerCase()}`}>{letter}</b><b class="clip">{shortName(t.meta?.name ?? t.id)}</b>
      {t.complete ? <span class={`chip ${failed ? "fail" : "pass"}`}>{failed ? "✕" : "✓"} <span class={failed ? "" : "wideonly"}>{failed ? "failed" : "no step failed"}</span></span> : null}
      <span class="dim wideonly">{t.complete ? duration(t.end) : ""}</span>
    </span>
  );
}
