import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { app } from "../model/app";
import { moment } from "../model/time";
import { useAnswer } from "./hooks";

interface Stored { kind: string; where: string; name: string; value: string; flags: string; source: string; time: number | null }

/** Cookies and storage, as far as the recording tells. */
export function StorageTab(): JSX.Element {
  const t = app.trace!, done = t.complete;
  const [text, setText] = useState("");
  const { value, error } = useAnswer<Stored[]>(done ? `${t.id}/${t.epoch}/storage` : "", () => app.connection.get(t, "storage", -1));
  if (error) return <div class="empty"><span>{error}</span></div>;
  if (!value) return <div class="empty">Reading…</div>;
  if (value.length === 0) return <div class="empty"><b>Nothing was stored</b><span>No answer set a cookie, and the recording does not say that anything was stored at its start.</span></div>;
  const fit = value.filter((v) => `${v.kind} ${v.where} ${v.name} ${v.value}`.toLowerCase().includes(text.toLowerCase()));
  return (
    <>
      <div class="filter"><input class="box" type="search" aria-label="Filter storage" placeholder="Filter cookies and storage" value={text} onInput={(e) => setText(e.currentTarget.value)} /></div>
      <div class="scroll pad" tabIndex={0}>
        <table class="envtable"><thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Where</th><th scope="col">When</th></tr></thead>
          <tbody>{fit.slice(0, 1000).map((v, i) => <tr key={i}><th scope="row" class="breaks"><span class="chip small">{v.kind}</span> {v.name}</th><td class="mono breaks">{v.value.slice(0, 500)}{v.flags ? <div class="dim">{v.flags}</div> : null}</td><td class="breaks">{v.where}</td><td title={v.source}>{v.time === null ? v.source : moment(v.time)}</td></tr>)}</tbody></table>
      </div>
    </>
  );
}
