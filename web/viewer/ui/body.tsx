import type { JSX } from "preact";
import { app } from "../model/app";
import { duration } from "../model/time";
import { useAnswer } from "./hooks";
import { Value } from "./value";

const MOST = 512 * 1024;

interface Loaded { text: string; cut: boolean; binary: boolean }

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
  return { text: new TextDecoder().decode(all), cut: n >= MOST, binary: all.subarray(0, 2000).includes(0) };
}

export function Body({ entry, mime, size, socket }: { entry: string; mime: string; size: number; socket: boolean }): JSX.Element {
  const image = mime.startsWith("image/") && !mime.includes("svg");
  const url = entry === "" ? "" : app.resource(entry);
  const { value, error } = useAnswer<Loaded>(url === "" || image ? "" : `body/${url}`, () => load(url));
  if (entry === "") return <div class="empty"><b>No body</b><span>{size > 0 ? "The recorder did not keep it." : "The answer has none, or the recorder did not keep it."}</span></div>;
  if (image) return <img class="bodyimage" src={url} alt="Body of the answer" />;
  if (error) return <div class="empty"><span>{error}</span></div>;
  if (!value) return <div class="empty">Reading…</div>;
  if (socket) return <Frames text={value.text} />;
  if (value.binary) return <div class="empty"><b>Binary</b><span>{mime}</span></div>;
  return <>{value.cut ? <div class="banner">Only the first {MOST / 1024} kB are shown.</div> : null}<Pretty text={value.text} mime={mime} /></>;
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

interface Frame { type?: string; time?: number; opcode?: number; data?: string }

/** The messages of a WebSocket: a JSON object a line. */
function Frames({ text }: { text: string }): JSX.Element {
  const all: Frame[] = text.split("\n").flatMap((l) => { try { return l.trim() === "" ? [] : [JSON.parse(l) as Frame]; } catch { return []; } });
  const first = all[0]?.time ?? 0;
  return (
    <div class="frames">{all.slice(0, 2000).map((f, i) => (
      <div key={i} class="cause"><span class="mono dim">{f.time === undefined ? "" : `+${duration((f.time - first) * 1000)}`}</span><span class={f.type === "send" ? "ok" : "dim"} aria-label={f.type}>{f.type === "send" ? "↑" : "↓"}</span><span class="what mono breaks">{f.opcode === 1 || f.opcode === undefined ? f.data : `${f.data?.length ?? 0} characters of base64`}</span></div>
    ))}{all.length > 2000 ? <div class="dim">{all.length - 2000} more</div> : null}</div>
  );
}
