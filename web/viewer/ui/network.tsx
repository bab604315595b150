import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { app } from "../model/app";
import { bad, type Derived } from "../model/derived";
import { matches, parseFilter } from "../model/filter";
import { asCurl, asFetch, asHar, carried, type Carried, type HarEntry, type NameValue } from "../model/har";
import { NONE, Req } from "../model/schema";
import { duration, moment } from "../model/time";
import { Body, whole } from "./body";
import { Facts } from "./call";
import { copy } from "./copy";
import { roving, within } from "./details";
import { useAnswer, useApp, useSize } from "./hooks";
import { List } from "./list";
import { typeColour } from "./theme";

type Sort = "start" | "name" | "status" | "type" | "size" | "time";

export const bytes = (n: number): string => (n < 0 ? "" : n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);

const typeOf = (d: Derived, r: number): string => d.t.text(d.t.network, "type", r) || d.t.text(d.t.network, "mime", r).split(";")[0].split("/").at(-1) || "other";

function nameOf(url: string): string {
  if (url.startsWith("data:")) return url.slice(0, 40);
  const path = url.replace(/^[a-z]+:\/\//, "");
  const slash = path.indexOf("/");
  return slash < 0 || path.length === slash + 1 ? path : path.slice(slash + 1).split("/").filter((p) => p !== "").at(-1) ?? path;
}

function sorted(d: Derived, rows: number[], by: Sort, down: boolean): number[] {
  const n = d.t.network;
  const key: Record<Sort, (r: number) => number | string> = {
    start: (r) => n.col("start").at(r), name: (r) => nameOf(d.t.text(n, "url", r)), status: (r) => n.col("status").at(r), type: (r) => typeOf(d, r),
    size: (r) => n.col("size").at(r), time: (r) => n.col("end").at(r) - n.col("start").at(r) || 0,
  };
  if (by === "start" && !down) return rows;
  const keyed = rows.map((r) => [key[by](r), r] as const);
  keyed.sort(([x], [y]) => (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1));
  return keyed.map(([, r]) => r);
}

export function NetworkTab(): JSX.Element {
  useApp(() => [app.derived, app.range, app.request, app.view]);
  const d = app.derived;
  const [text, setText] = useState("");
  const [sort, setSort] = useState<Sort>("start");
  const [down, setDown] = useState(false);
  const rows = useMemo(() => {
    if (!d) return [];
    const n = d.t.network, terms = parseFilter(text);
    const fit = Array.from(d.network.rows).filter((r) => within(n.col("start").at(r), n.col("end").at(r) || n.col("start").at(r)) && (terms.length === 0 || matches(terms, {
      text: d.t.text(n, "url", r), duration: n.col("end").at(r) - n.col("start").at(r), size: n.col("size").at(r),
      words: { status: String(n.col("status").at(r)), "status-code": String(n.col("status").at(r)), method: d.t.text(n, "method", r), type: typeOf(d, r), mime: d.t.text(n, "mime", r),
        domain: /^[a-z]+:\/\/([^/:]*)/.exec(d.t.text(n, "url", r))?.[1] ?? "", is: bad(d.t, r) ? "failed" : n.col("flags").at(r) & Req.pending ? "pending" : "ok" },
    })));
    return sorted(d, fit, sort, down);
  }, [d, text, sort, down, app.range]);
  if (!d) return <div class="empty">Reading…</div>;
  const n = d.t.network;
  if (n.rows === 0) return <div class="empty"><b>No requests</b><span>The recording holds no network traffic.</span></div>;
  const at = rows.indexOf(app.request);
  const span = app.range ?? app.window;
  const head = (id: Sort, name: string): JSX.Element => (
    <span role="columnheader" aria-sort={sort === id ? (down ? "descending" : "ascending") : "none"}><button onClick={() => { setDown(sort === id ? !down : false); setSort(id); }}>{name}{sort === id && id !== "start" ? (down ? " ↓" : " ↑") : ""}</button></span>
  );
  const move = (e: KeyboardEvent): void => {
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0) return;
    e.preventDefault();
    e.stopPropagation();
    const row = rows[Math.max(0, Math.min(rows.length - 1, at + step))];
    if (row !== undefined) app.openRequest(row);
  };
  return (
    <>
      <div class="filter"><input class="box" type="search" id="netfilter" aria-label="Filter requests" placeholder="status:5xx method:post slower-than:200ms" value={text} onInput={(e) => setText(e.currentTarget.value)} /></div>
      <div class="grid" role="grid" aria-label="Requests" aria-rowcount={rows.length + 1}>
      <div class="nrow nhead" role="row">{head("name", "Name")}{head("status", "Status")}{head("type", "Type")}{head("size", "Size")}{head("time", "Time")}{head("start", "Waterfall")}</div>
      <List role="rowgroup" label="Requests" count={rows.length} height={24} selected={at} onKeyDown={move} rowKey={(i) => rows[i]} row={(i) => <Row d={d} row={rows[i]} index={i} span={span} />} />
      </div>
      {app.request !== NONE && app.request < n.rows ? <Request d={d} row={app.request} /> : null}
    </>
  );
}

function Row({ d, row, index, span }: { d: Derived; row: number; index: number; span: { from: number; to: number } }): JSX.Element {
  const t = d.t, n = t.network;
  const url = t.text(n, "url", row), status = t.num(n, "status", row), flags = t.num(n, "flags", row);
  const start = t.num(n, "start", row), end = t.num(n, "end", row);
  const method = t.text(n, "method", row);
  const wrong = bad(t, row);
  const share = (x: number): number => Math.max(0, Math.min(100, ((x - span.from) / (span.to - span.from)) * 100));
  const left = share(start), right = share(Number.isNaN(end) ? start : end);
  const said = status > 0 ? String(status) : flags & Req.aborted ? "aborted" : flags & Req.failed ? "failed" : flags & Req.pending ? "pending" : "—";
  return (
    <div id={`r${row}`} role="row" aria-rowindex={index + 2} aria-selected={row === app.request} class={`nrow ${row === app.request ? "sel" : ""} ${wrong ? "bad" : ""}`} onClick={() => app.openRequest(row)} title={url}>
      <span role="gridcell" class="clip">{method && method !== "GET" ? <b class="method">{method} </b> : null}{nameOf(url)}</span>
      <span role="gridcell" class={wrong ? "err strong" : "dim"}>{said}</span>
      <span role="gridcell" class="dim clip">{typeOf(d, row)}</span>
      <span role="gridcell" class="ms">{bytes(t.num(n, "size", row))}</span>
      <span role="gridcell" class="ms">{Number.isNaN(end) ? "" : duration(end - start)}</span>
      <span role="gridcell" class="fall" aria-label={`starts ${moment(start)}`}><i class={wrong ? "bad" : ""} style={{ left: `${left}%`, width: `max(3px, ${right - left}%)`, background: wrong ? "var(--err)" : `var(--${typeColour(t.text(n, "type", row), t.text(n, "mime", row))})` }} /></span>
    </div>
  );
}

const PARTS = ["Headers", "Payload", "Body", "Timing"] as const;

function Request({ d, row }: { d: Derived; row: number }): JSX.Element {
  const t = d.t, n = t.network;
  const [part, setPart] = useState<(typeof PARTS)[number]>("Headers");
  const { value, error } = useAnswer<{ snapshot?: HarEntry } | null>(`${t.id}/${t.epoch}/request/${row}/${t.num(n, "status", row)}`, () => app.connection.get(t, "request", row));
  const entry = value?.snapshot;
  const url = t.text(n, "url", row);
  const bodyOf = async (column: "sent" | "body"): Promise<Carried | undefined> => { const bytes = await whole(t.text(n, column, row)); return bytes && carried(bytes); };
  const sent = (): Promise<Carried | undefined> => bodyOf("sent"), got = (): Promise<Carried | undefined> => bodyOf("body");
  return (
    <section class="below" aria-label="Request">
      <div class="belowhead">
        <b class={bad(t, row) ? "err" : ""}>{t.text(n, "method", row)} {t.num(n, "status", row) > 0 ? t.num(n, "status", row) : ""}</b><span class="clip mono" title={url}>{url}</span>
        {entry ? <><button class="btn small" title="Copy as a curl command" onClick={() => void sent().then((b) => copy(asCurl(entry, b), "curl command"))}>cURL</button><button class="btn small" title="Copy as a call of fetch" onClick={() => void sent().then((b) => copy(asFetch(entry, b), "fetch call"))}>fetch</button><button class="btn small" title="Copy as HAR, with bodies" onClick={() => void Promise.all([sent(), got()]).then(([b, g]) => copy(asHar(entry, b, g), "HAR"))}>HAR</button></> : null}
        <button class="btn ghost" aria-label="Close request" onClick={() => app.set({ request: NONE })}>✕</button>
      </div>
      <div class="tabs small" role="tablist" aria-label="Request" onKeyDown={roving}>{PARTS.map((p) => <button key={p} role="tab" class={`tab ${p === part ? "on" : ""}`} aria-selected={p === part} tabIndex={p === part ? 0 : -1} onClick={() => setPart(p)}>{p}</button>)}</div>
      <div class="scroll pad" tabIndex={0}>
        {error ? <div class="banner warn">{error}</div> : null}
        {entry && part === "Headers" ? <Headers e={entry} /> : null}
        {entry && part === "Payload" ? <Payload d={d} row={row} e={entry} /> : null}
        {part === "Body" ? <Body entry={t.text(n, "body", row)} mime={t.text(n, "mime", row)} size={t.num(n, "size", row)} socket={(t.num(n, "flags", row) & Req.socket) !== 0} /> : null}
        {entry && part === "Timing" ? <Timing d={d} row={row} e={entry} /> : null}
      </div>
    </section>
  );
}

function Headers({ e }: { e: HarEntry }): JSX.Element {
  const q = e.request, a = e.response;
  return (
    <>
      <Facts rows={[["url", <span class="mono breaks" key="u">{q?.url ?? ""}</span>], ["status", `${a?.status ?? ""} ${a?.statusText ?? ""}`.trim()], ["failure", a?._failureText ?? ""], ["protocol", a?.httpVersion ?? ""],
        ["server", e.serverIPAddress ? `${e.serverIPAddress}${e._serverPort ? `:${e._serverPort}` : ""}` : ""], ["redirects to", a?.redirectURL ?? ""], ["started by", e._initiator ? [e._initiator.type, e._initiator.url, e._initiator.lineNumber].filter((v) => v !== undefined && v !== "").join(" ") : ""]]} />
      <HeaderList name="Response headers" list={a?.headers} />
      <HeaderList name="Request headers" list={q?.headers} />
    </>
  );
}

function HeaderList({ name, list }: { name: string; list: NameValue[] | undefined }): JSX.Element {
  return (
    <section class="sect"><h2><span>{name}</span><span>{list?.length ?? 0}</span></h2>
      <dl class="facts headers">{(list ?? []).map((h, i) => [<dt key={`k${i}`}>{h.name}</dt>, <dd key={`v${i}`} class="mono breaks">{h.value}</dd>])}</dl>
    </section>
  );
}

function Payload({ d, row, e }: { d: Derived; row: number; e: HarEntry }): JSX.Element {
  const query = e.request?.queryString ?? [], post = e.request?.postData, sent = d.t.text(d.t.network, "sent", row);
  if (query.length === 0 && !post) return <div class="empty"><span>The request has neither a query nor a body.</span></div>;
  return (
    <>
      {query.length > 0 ? <HeaderList name="Query" list={query} /> : null}
      {post?.params && post.params.length > 0 ? <HeaderList name="Form" list={post.params.map((p) => ({ name: p.name, value: p.value ?? "" }))} /> : null}
      {post ? <section class="sect"><h2><span>Body sent</span><span>{post.mimeType}</span></h2>{sent ? <Body entry={sent} mime={post.mimeType ?? ""} size={-1} socket={false} /> : <pre class="block">{post.text || "The recorder did not keep it."}</pre>}</section> : null}
    </>
  );
}

const PHASES = ["blocked", "dns", "connect", "ssl", "send", "wait", "receive"] as const;

function Timing({ d, row, e }: { d: Derived; row: number; e: HarEntry }): JSX.Element {
  const t = d.t, start = t.num(t.network, "start", row), end = t.num(t.network, "end", row);
  const parts = PHASES.map((p) => [p, e.timings?.[p] ?? -1] as const).filter(([, v]) => v >= 0);
  const sum = parts.reduce((s, [p, v]) => s + (p === "ssl" ? 0 : v), 0) || 1;
  const [box] = useSize<HTMLDivElement>();
  let before = 0;
  return (
    <div ref={box}>
      <Facts rows={[["starts", moment(start)], ["ends", Number.isNaN(end) ? "it had not when the recording ended" : moment(end)], ["takes", duration(end - start)]]} />
      {parts.length === 0 ? <span class="dim">The recorder kept no phases.</span> : null}
      {parts.map(([p, v]) => {
        const left = (p === "ssl" ? Math.max(0, before - v) : before) / sum;
        if (p !== "ssl") before += v;
        return <div key={p} class="phase"><span>{p}</span><span class="fall"><i class={`ph-${p}`} style={{ left: `${left * 100}%`, width: `max(2px, ${(v / sum) * 100}%)` }} /></span><span class="ms">{duration(v * 1000)}</span></div>;
      })}
    </div>
  );
}
