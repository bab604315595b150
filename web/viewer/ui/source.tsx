import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { app } from "../model/app";
import { highlight } from "../model/highlight";
import { stackOf, useDetail, type StackFrame } from "./detail";
import { useAnswer, useApp } from "./hooks";
import { List } from "./list";

interface Source { file: string; text: string; kept: boolean; cut?: boolean }

function useSource(file: string): { value?: Source; error?: string } {
  const t = app.trace!;
  return useAnswer<Source>(file === "" ? "" : `${t.id}/source/${file}`, () => app.connection.get(t, "source", -1, file));
}

function Code({ line }: { line: string }): JSX.Element {
  return <>{highlight(line).map((p, i) => (p.kind ? <span key={i} class={`t-${p.kind}`}>{p.text}</span> : p.text))}</>;
}

/** The lines around a place. */
export function Snippet({ at }: { at: StackFrame }): JSX.Element | null {
  const { value } = useSource(at.file);
  if (!value?.kept) return value ? <div class="dim">{at.file}:{at.line} was not kept by the recorder.</div> : null;
  const lines = value.text.split("\n");
  const from = Math.max(0, at.line - 3), part = lines.slice(from, at.line + 2);
  return <div class="src" tabIndex={0}>{part.map((l, i) => <div key={i} class={from + i + 1 === at.line ? "on" : ""}><i>{from + i + 1}</i><Code line={l} /></div>)}</div>;
}

export function SourceTab(): JSX.Element {
  useApp(() => [app.derived, app.selected, app.sourceHit]);
  const { value } = useDetail(app.selected);
  const stack = stackOf(value);
  const [frame, setFrame] = useState(0);
  useEffect(() => setFrame(0), [app.selected]);
  const at = stack[frame];
  const src = useSource(at?.file ?? "");
  if (app.sourceHit) return <Found entry={app.sourceHit.entry} line={app.sourceHit.line} />;
  if (app.selected < 0) return <div class="empty">Select a step.</div>;
  if (value && stack.length === 0) return <div class="empty"><b>No source</b><span>The recording does not say where in the program this step was called.</span></div>;
  const lines = src.value?.kept ? src.value.text.split("\n") : [];
  return (
    <>
      <div class="stack" role="listbox" aria-label="Call stack">
        {stack.slice(0, 50).map((f, i) => <button key={i} role="option" aria-selected={i === frame} class={i === frame ? "on" : ""} onClick={() => setFrame(i)} title={f.file}><span class="mono clip">{f.file.split(/[\\/]/).slice(-2).join("/")}:{f.line}</span><span class="dim clip">{f.function ?? ""}</span></button>)}
      </div>
      {src.value && !src.value.kept ? <div class="empty"><b>{at?.file}:{at?.line}</b><span>The recorder did not keep the source. Record with sources switched on to see it here.</span></div> : null}
      {lines.length > 0 ? <Lines lines={lines} at={at?.line ?? 1} /> : null}
    </>
  );
}

function Lines({ lines, at }: { lines: string[]; at: number }): JSX.Element {
  return <List role="listbox" label="Source" class="src full" count={lines.length} height={19} selected={at - 1}
    row={(i) => <div role="option" aria-selected={i + 1 === at} class={i + 1 === at ? "on" : ""}><i>{i + 1}</i><Code line={lines[i]} /></div>} />;
}

/** A place that a search found in a file. */
function Found({ entry, line }: { entry: string; line: number }): JSX.Element {
  const url = app.resource(entry);
  const { value, error } = useAnswer<string>(`text/${url}`, async () => (await (await fetch(url, { credentials: "omit" })).text()));
  return (
    <>
      <div class="belowhead"><span class="clip mono">{entry}:{line}</span><button class="btn small" onClick={() => app.set({ sourceHit: undefined })}>Back to the step</button></div>
      {value === undefined ? <div class="empty">{error ?? "Reading…"}</div> : <Lines lines={value.split("\n")} at={line} />}
    </>
  );
}
