import type { JSX } from "preact";
import { useState } from "preact/hooks";

const MOST = 200;

/** A JSON value as a tree that opens. */
export function Value({ value, name, open = 1 }: { value: unknown; name?: string; open?: number }): JSX.Element | null {
  const [shown, setShown] = useState(open > 0);
  const [most, setMost] = useState(MOST);
  if (value === undefined) return null;
  const key = name === undefined ? null : <span class="key">{name}: </span>;
  if (value === null || typeof value !== "object") return <div class="value leafvalue">{key}<Leaf value={value} /></div>;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  if (entries.length === 0) return <div class="value leafvalue">{key}<span class="dim">{Array.isArray(value) ? "[]" : "{}"}</span></div>;
  const brief = Array.isArray(value) ? `[${entries.length}]` : `{${entries.slice(0, 4).map(([k]) => k).join(", ")}${entries.length > 4 ? ", …" : ""}}`;
  return (
    <div class="value">
      {name === undefined ? null : <button class="twistline" aria-expanded={shown} onClick={() => setShown(!shown)}><span class="twist">{shown ? "▾" : "▸"}</span>{key}{shown ? null : <span class="dim">{brief}</span>}</button>}
      {shown || name === undefined ? <div class={name === undefined ? "" : "inner"}>
        {entries.slice(0, most).map(([k, v]) => <Value key={k} name={k} value={v} open={open - 1} />)}
        {entries.length > most ? <button class="linkish" onClick={() => setMost(most + 1000)}>{entries.length - most} more</button> : null}
      </div> : null}
    </div>
  );
}

function Leaf({ value }: { value: unknown }): JSX.Element {
  if (typeof value === "string") return <span class="str">{value === "" ? '""' : value}</span>;
  return <span class="num">{String(value)}</span>;
}
