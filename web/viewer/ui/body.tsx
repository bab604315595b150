import type { JSX } from "preact";
import { app } from "../model/app";
import { duration } from "../model/time";
import { useAnswer } from "./hooks";
import { download } from "./save";
import { Value } from "./value";

const MOST = 512 * 1024;
const MOST_COPIED = 4 << 20;

interface Loaded { text: string; cut: boolean; binary: boolean; first: Uint8Array }

/** All of a body as bytes; undefined where it cannot be had or is larger than a clipboard should hold. */
export async function whole(entry: string): Promise<Uint8Array | undefined> {
  if (entry === "") return undefined;
  const r = await fetch(app.resource(entry), { credentials: "omit" }).catch(() => undefined);
  const bytes = r?.ok ? new Uint8Array(await r.arrayBuffer()) : undefined;
  return bytes && bytes.length <= MOST_COPIED ? bytes : undefined;
}

/** Reads the beginning of a body; what is recorded is shown as text, never run. */
async function load(url: string): Promise<Loaded> {
  const r = await fetch(url, { credentials: "omit" });
  if (!r.ok || !r.body) throw { text: r.status === 404 ? "The recorder did not keep this body." : `The body cannot be read (${r.status}).` };
  const reader = r.body.getReader();
  const parts: Uint8Array[] = [];
  let n = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    if ((n += value.length) >= MOST) { void reader.cancel(); break; }
  }
  const all = new Uint8Array(n);
  let at = 0;
  for (const p of parts) { all.set(p, at); at += p.length; }
  return { text: new TextDecoder().decode(all), cut: n >= MOST, binary: all.subarray(0, 2000).includes(0), first: all.slice(0, 256) };
}

export function Body({ entry, mime, size, socket, name = "" }: { entry: string; mime: string; size: number; socket: boolean; name?: string }): JSX.Element {
  const image = mime.startsWith("image/") && !mime.includes("svg"), film = /^(video|audio)\//.test(mime);
  const url = entry === "" ? "" : app.resource(entry);
  const { value, error } = useAnswer<Loaded>(url === "" || image || film ? "" : `body/${url}`, () => load(url));
  if (entry === "") return <div class="empty"><b>No body</b><span>{size > 0 ? "The recorder did not keep it." : "The answer has none, or the recorder did not keep it."}</span></div>;
  if (image) return <img class="bodyimage" src={url} alt="Body of the answer" />;
  if (film) return <video class="bodyimage" controls preload="metadata" src={url} aria-label={name || "Film"} />;
  if (error) return <div class="empty"><span>{error}</span></div>;
  if (!value) return <div class="empty">Reading…</div>;
  if (socket) return <Frames text={value.text} />;
  if (value.binary) return <Bytes text={value} mime={mime} entry={entry} name={name || nameOf(entry)} />;
  return <>{value.cut ? <div class="banner">Only the first {MOST / 1024} kB are shown.</div> : null}<Pretty text={value.text} mime={mime} /></>;
}

const nameOf = (entry: string): string => entry.split("/").at(-1) ?? entry;

const fileOf = async (entry: string): Promise<Blob> => (await fetch(app.resource(entry), { credentials: "omit" })).blob();

/** Brings something that was recorded to the user's own files. */
export function Save({ entry, name }: { entry: string; name: string }): JSX.Element {
  return <button class="btn small" aria-label={`Save ${name}`} onClick={() => void fileOf(entry).then((b) => download(b, name)).catch(() => app.say("It cannot be read"))}>Save</button>;
}

/** What is not text: its beginning as numbers, and a way to have it as a file. */
function Bytes({ text, mime, entry, name }: { text: Loaded; mime: string; entry: string; name: string }): JSX.Element {
  const zip = text.first[0] === 0x50 && text.first[1] === 0x4b && !app.offline;
  return (
    <section class="sect"><h2><span>{mime || "binary"}</span><span class="pills">
      {zip ? <button class="btn small" onClick={() => void fileOf(entry).then((b) => app.openFiles([new File([b], /\.zip$/i.test(name) ? name : `${name}.zip`)])).catch(() => app.say("It cannot be opened"))}>Open as a trace</button> : null}
      <Save entry={entry} name={name} /></span></h2>
      <pre class="block">{dump(text.first)}</pre>
    </section>
  );
}

/** Bytes as in a hex dump, sixteen a line. */
export function dump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length; at += 16) {
    const part = [...bytes.subarray(at, at + 16)];
    lines.push(`${at.toString(16).padStart(4, "0")}  ${part.map((b) => b.toString(16).padStart(2, "0")).join(" ").padEnd(47)}  ${part.map((b) => (b >= 32 && b < 127 ? String.fromCharCode(b) : ".")).join("")}`);
  }
  return lines.join("\n");
}

export function Pretty({ text, mime }: { text: string; mime: string }): JSX.Element {
  if (/event-stream/.test(mime)) return <Stream text={text} />;
  if (/json/.test(mime) || /^\s*[[{]/.test(text)) {
    try {
      return <Value value={JSON.parse(text)} open={3} />;
    } catch {
      // it only looks like JSON
    }
  }
  return <pre class="block wide">{text}</pre>;
}

/** The events of an event stream, as they came. */
function Stream({ text }: { text: string }): JSX.Element {
  const events = text.split(/\r?\n\r?\n/).flatMap((block) => {
    const fields = new Map<string, string>();
    for (const line of block.split(/\r?\n/)) {
      const m = /^(event|data|id|retry):? ?(.*)$/.exec(line);
      if (m) fields.set(m[1], fields.has(m[1]) ? `${fields.get(m[1])}\n${m[2]}` : m[2]);
    }
    return fields.size > 0 ? [fields] : [];
  });
  return <div class="frames">{events.slice(0, 2000).map((f, i) => <div key={i} class="cause"><span class="mono dim">{f.get("id") ?? i + 1}</span><span class="dim" aria-hidden="true">↓</span><span class="what mono breaks">{f.get("data") ?? ""}</span><span class="dim">{f.get("event") ?? "message"}</span></div>)}{events.length > 2000 ? <div class="dim">{events.length - 2000} more</div> : null}</div>;
}

/** A message that is no text, as numbers. */
function BinaryFrame({ data }: { data: string }): JSX.Element {
  let bytes = new Uint8Array();
  try { bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0)); } catch { return <>{data}</>; }
  const shown = [...bytes.subarray(0, 48)].map((b) => b.toString(16).padStart(2, "0")).join(" ");
  return <><span class="dim">{bytes.length.toLocaleString("en")} bytes </span>{shown}{bytes.length > 48 ? " …" : ""}</>;
}

interface Frame { type?: string; time?: number; opcode?: number; data?: string }

/** The messages of a WebSocket: a JSON object a line. */
function Frames({ text }: { text: string }): JSX.Element {
  const all: Frame[] = text.split("\n").flatMap((l) => { try { return l.trim() === "" ? [] : [JSON.parse(l) as Frame]; } catch { return []; } });
  const first = all[0]?.time ?? 0;
  return (
    <div class="frames">{all.slice(0, 2000).map((f, i) => (
      <div key={i} class="cause"><span class="mono dim">{f.time === undefined ? "" : `+${duration((f.time - first) * 1000)}`}</span><span class={f.type === "send" ? "ok" : "dim"} aria-label={f.type}>{f.type === "send" ? "↑" : "↓"}</span><span class="what mono breaks">{f.opcode === 1 || f.opcode === undefined ? f.data : <BinaryFrame data={f.data ?? ""} />}</span></div>
    ))}{all.length > 2000 ? <div class="dim">{all.length - 2000} more</div> : null}</div>
  );
}
