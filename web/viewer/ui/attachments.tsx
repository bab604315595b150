import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import type { Derived } from "../model/derived";
import { Body, Save } from "./body";
import { useApp } from "./hooks";

interface Item { row: number; name: string; type: string; entry: string; path: string; action: number }

function items(d: Derived): Item[] {
  const t = d.t, a = t.attachments;
  return Array.from({ length: a.rows }, (_, row) => ({ row, name: t.text(a, "name", row), type: t.text(a, "type", row), entry: t.text(a, "entry", row), path: t.text(a, "path", row), action: t.num(a, "action", row) }));
}

/** "cart-expected.png", "cart-actual.png", "cart-diff.png" belong together. */
export function triples(all: Item[]): { name: string; parts: Partial<Record<"expected" | "actual" | "diff", Item>> }[] {
  const by = new Map<string, Partial<Record<"expected" | "actual" | "diff", Item>>>();
  for (const i of all) {
    const m = /^(.*)-(expected|actual|diff)(\.\w+)?$/.exec(i.name);
    if (!m || !i.type.startsWith("image/")) continue;
    const parts = by.get(m[1]) ?? {};
    parts[m[2] as "expected"] = i;
    by.set(m[1], parts);
  }
  return [...by].filter(([, p]) => p.expected && p.actual).map(([name, parts]) => ({ name, parts }));
}

export function Attachments(): JSX.Element {
  useApp(() => [app.derived]);
  const d = app.derived;
  if (!d) return <div class="empty">Reading…</div>;
  const all = items(d);
  if (all.length === 0) return <div class="empty"><b>No attachments</b><span>The test attached no files.</span></div>;
  const compared = triples(all);
  const inside = new Set(compared.flatMap((c) => Object.values(c.parts).map((i) => i.row)));
  return (
    <div class="scroll pad" tabIndex={0}>
      {compared.map((c) => <Comparison key={c.name} name={c.name} parts={c.parts} />)}
      {all.filter((i) => !inside.has(i.row)).map((i) => <Attachment key={i.row} d={d} item={i} />)}
    </div>
  );
}

/** What an attachment is called as a file: with an ending, where its name has none and the entry's has one. */
const fileName = (i: Item): string => (/\.\w{1,5}$/.test(i.name) ? i.name : i.name + (/\.\w{1,5}$/.exec(i.entry)?.[0] ?? ""));

function Attachment({ d, item }: { d: Derived; item: Item }): JSX.Element {
  const seen = /^(image|video)\//.test(item.type) && item.entry !== "";
  const [open, setOpen] = useState(seen);
  return (
    <section class="sect"><h2><button class="linkish" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "▾" : "▸"} {item.name}</button><span>{item.type}{item.entry !== "" ? <> <Save entry={item.entry} name={fileName(item)} /></> : null}</span></h2>
      {item.action >= 0 ? <div class="dim">by <button class="linkish" onClick={() => app.select(item.action)}>{d.t.text(d.t.actions, "title", item.action)} {d.t.text(d.t.actions, "detail", item.action)}</button></div> : null}
      {open ? (item.entry !== "" ? <Body entry={item.entry} mime={item.type} size={-1} socket={false} name={item.name} /> : <div class="dim">It is not in the trace{item.path ? `; it was at ${item.path}` : ""}.</div>) : null}
    </section>
  );
}

type Mode = "side" | "swipe" | "blend" | "diff";

function Comparison({ name, parts }: { name: string; parts: Partial<Record<"expected" | "actual" | "diff", Item>> }): JSX.Element {
  const [mode, setMode] = useState<Mode>(parts.diff ? "diff" : "side");
  const [at, setAt] = useState(50);
  const src = (i: Item | undefined): string => (i ? app.resource(i.entry) : "");
  return (
    <section class="sect"><h2><span>{name}</span><span class="pills">{(["diff", "side", "swipe", "blend"] as const).filter((m) => m !== "diff" || parts.diff).map((m) => <button key={m} class={`pill ${m === mode ? "on" : ""}`} aria-pressed={m === mode} onClick={() => setMode(m)}>{m}</button>)}</span></h2>
      {mode === "diff" ? <img class="bodyimage" src={src(parts.diff)} alt={`Difference of ${name}`} /> : null}
      {mode === "side" ? <div class="pair"><figure><img src={src(parts.expected)} alt={`Expected ${name}`} /><figcaption>expected</figcaption></figure><figure><img src={src(parts.actual)} alt={`Actual ${name}`} /><figcaption>actual</figcaption></figure></div> : null}
      {mode === "swipe" || mode === "blend" ? (
        <>
          <input type="range" min={0} max={100} value={at} aria-label={mode === "swipe" ? "Where expected ends" : "How much of actual shows"} onInput={(e) => setAt(Number(e.currentTarget.value))} />
          <div class="over"><img src={src(parts.expected)} alt={`Expected ${name}`} /><img src={src(parts.actual)} alt={`Actual ${name}`} style={mode === "swipe" ? { clipPath: `inset(0 0 0 ${at}%)` } : { opacity: String(at / 100) }} /></div>
        </>
      ) : null}
    </section>
  );
}
