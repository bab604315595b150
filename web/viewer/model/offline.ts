// A page that was exported holds all that a server would have said. This is the
// connection to itself.

import type { Source } from "./connection";
import { Trace } from "./trace";
import { apply, parse, type Welcome } from "./wire";

interface Resource { k: string; b: string }

interface Packed {
  welcome: string;
  traces: { id: string; frames: string[]; answers: Record<string, unknown>; ids: string[]; pages: Record<string, number>; entries: Record<string, number> }[];
  compare?: Record<string, unknown[]>;
  resources: Resource[];
}

const bytesOf = (b64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(b64), (c) => c.charCodeAt(0));

/** The content of an exported page; undefined where the page comes from a server. */
export function unpack(): Promise<Packed> | undefined {
  const el = document.getElementById("deck-data");
  return el ? read(el) : undefined;
}

async function read(el: HTMLElement): Promise<Packed> {
  const stream = new Blob([bytesOf(el.textContent!.trim())]).stream().pipeThrough(new DecompressionStream("gzip"));
  el.remove();
  return JSON.parse(await new Response(stream).text()) as Packed;
}

const gone = (what: string): Promise<never> => Promise.reject({ code: "E_EXPORTED", text: what, hint: "" });

export class Offline implements Source {
  readonly welcome: Welcome;
  private readonly uris = new Map<number, string>();

  constructor(private readonly data: Packed) {
    const m = parse(bytesOf(data.welcome).buffer);
    if (m.op !== "welcome") throw new Error("this is no exported trace");
    this.welcome = m.welcome;
  }

  private packed(t: Trace): Packed["traces"][number] { return this.data.traces.find((p) => p.id === t.id)!; }

  trace(id: string): Trace {
    const t = new Trace(id, this.welcome.tables);
    for (const frame of this.packed(t).frames) {
      const m = parse(bytesOf(frame).buffer);
      if ("parts" in m) apply(t, m.op, m.parts);
    }
    return t;
  }

  get<T>(t: Trace, what: string, row: number, text = ""): Promise<T> {
    const p = this.packed(t);
    if (what === "id") return Promise.resolve({ id: p.ids[row] } as T);
    if (what === "find") return Promise.resolve({ row: p.ids.indexOf(text) } as T);
    const answer = p.answers[what === "source" || what === "place" ? `${what}/${text}` : `${what}/${row}`];
    if (answer === undefined && what === "source") return Promise.resolve({ file: text, text: "", kept: false } as T);
    return answer === undefined ? gone("This was left out of the exported page.") : Promise.resolve(structuredClone(answer) as T);
  }

  view(_t: Trace, _table: string, from: number, to: number, buckets: number): Promise<{ counts: Uint32Array; from: number; width: number }> {
    return Promise.resolve({ counts: new Uint32Array(buckets), from, width: (to - from) / buckets });
  }

  compare<T>(_a: Trace, _b: Trace, what: string, pair: number, rules: string, _text = "", each?: (json: unknown) => void): Promise<T> {
    if (rules !== "") return gone("An exported comparison keeps the noise rules it was made with.");
    const lots = structuredClone(this.data.compare?.[what === "noise" ? "noise/-1" : `${what}/${pair}`]);
    if (!lots) return gone("This was left out of the exported page; the viewer itself shows it.");
    for (const lot of lots) each?.(lot);
    return Promise.resolve(lots[lots.length - 1] as T);
  }

  shelf<T>(): Promise<T> { return gone("An exported page opens no other traces."); }

  /** Looks through what the page holds itself: steps, requests, messages and errors. */
  search(t: Trace, query: string, limit: number, each: (hits: unknown) => void): { done: Promise<unknown>; cancel(): void } {
    const words = query.toLowerCase().split(/\s+/).filter((w) => w !== "");
    const hits: unknown[] = [];
    const look = (kind: string, table: "actions" | "network" | "console" | "errors", columns: string[], time: string): void => {
      for (let row = 0; row < t[table].rows && hits.length < limit; row++) {
        const text = columns.map((c) => t.text(t[table], c, row)).join(" "), low = text.toLowerCase();
        if (!words.every((w) => low.includes(w))) continue;
        const at = low.indexOf(words[0]), from = Math.max(0, at - 40), moment = t.num(t[table], time, row);
        hits.push({ kind, table, row, of: -1, time: Number.isNaN(moment) ? null : moment, text: text.slice(from, at + 160), from: at - from, to: at - from + words[0].length });
      }
    };
    look("action", "actions", ["title", "detail", "message"], "start");
    look("request", "network", ["method", "url"], "start");
    look("console", "console", ["text"], "time");
    look("error", "errors", ["message"], "time");
    each(hits);
    return { done: Promise.resolve([]), cancel: () => undefined };
  }

  /** A recorded page as HTML that needs nothing else; undefined if it was left out. */
  page(t: Trace, row: number): string | undefined {
    const n = this.packed(t).pages[row];
    return n === undefined ? undefined : this.inline(n);
  }

  entry(t: Trace, name: string): string {
    const n = this.packed(t).entries[name];
    return n === undefined ? "data:text/plain," : this.uri(n);
  }

  private inline(n: number): string {
    const text = new TextDecoder().decode(bytesOf(this.data.resources[n].b));
    return text.replace(/deck-embedded:(\d{6})/g, (_, m: string) => this.uri(Number(m)));
  }

  private uri(n: number): string {
    const known = this.uris.get(n);
    if (known !== undefined) return known;
    this.uris.set(n, "data:,"); // of a page that shows itself
    const r = this.data.resources[n];
    let body = r.b;
    if (r.k === "text/html" || r.k === "text/css") {
      const bytes = new TextEncoder().encode(this.inline(n));
      let text = "";
      for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
      body = btoa(text);
    }
    const made = `data:${r.k.replace(/\s/g, "")}${/^text\/(html|css)$/.test(r.k) ? ";charset=utf-8" : ""};base64,${body}`;
    this.uris.set(n, made);
    return made;
  }
}
