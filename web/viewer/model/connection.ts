// The one WebSocket to the server. It comes back by itself when it is lost,
// and goes on where it was.

import type { Early } from "../boot";
import { FIRST, hello } from "./hello";
import { apply, COSTS, message, parse, type Answer, type Failure, type Welcome } from "./wire";
import { Trace } from "./trace";

export type Status = "connecting" | "open" | "lost" | "refused";

interface Waiting {
  resolve(a: unknown): void;
  reject(e: Failure): void;
  each: ((json: unknown) => void) | undefined;
}

export interface Events {
  status(s: Status, f?: Failure): void;
  welcome(w: Welcome): void;
  changed(t: Trace): void;
  /** The first steps of a trace are here; resolves once they are on screen. */
  first(t: Trace): Promise<void>;
}

/** Frames that may be on their way once the first steps are on screen, on top of those before. */
const MORE = 4;

/** Rows that come sooner than a drawing without them is done. */
const FEW = 50_000;

const RETRIES = [100, 250, 500, 1000, 2000, 4000];

/** What the page asks, of a server or of itself. */
export interface Source {
  trace(id: string): Trace;
  get<T>(t: Trace, what: string, row: number, text?: string): Promise<T>;
  view(t: Trace, table: string, from: number, to: number, buckets: number): Promise<{ counts: Uint32Array; from: number; width: number }>;
  compare<T>(a: Trace, b: Trace, what: string, pair: number, rules: string, text?: string, each?: (json: unknown) => void): Promise<T>;
  shelf<T>(what: string, text: string, each?: (json: unknown) => void): Promise<T>;
  search(t: Trace, query: string, limit: number, each: (hits: unknown) => void): { done: Promise<unknown>; cancel(): void };
}

export class Connection implements Source {
  private ws: WebSocket | undefined;
  private tries = 0;
  private refs = FIRST;
  private welcome: Welcome | undefined;
  private opened = ""; // id of the trace that the hello opened, until somebody takes it
  private held = -1; // credits kept back until the first steps are on screen; -1 if none are
  private readonly open = new Map<number, Trace>();
  private readonly waiting = new Map<number, Waiting>();

  /** Resolves when there is something to draw: the first steps, or that there will be none, or no server. */
  readonly ready: Promise<void>;
  private readied!: () => void;

  /** Wanted is the trace to show first, by the beginning of its id; "" for whichever the server begins with, undefined for none; early is a connection that has asked for it already. */
  constructor(private readonly url: string, private readonly token: string, private readonly wanted: string | undefined, private early: Early | undefined, private readonly events: Events) {
    this.ready = new Promise((ready) => { this.readied = ready; });
  }

  /** Begins, once there is somebody to tell. */
  connect(): void {
    this.events.status(this.welcome ? "lost" : "connecting");
    const early = this.early, ws = early?.ws ?? new WebSocket(this.url);
    this.early = undefined;
    this.ws = ws;
    ws.binaryType = "arraybuffer";
    if (!early || ws.readyState === WebSocket.CONNECTING) ws.onopen = () => this.send(hello(this.token, this.welcome ? undefined : this.wanted));
    ws.onmessage = (m) => this.take(m.data as ArrayBuffer);
    ws.onclose = () => this.lost(ws);
    for (const frame of early?.frames ?? []) this.take(frame);
    if (early && ws.readyState >= WebSocket.CLOSING) this.lost(ws);
  }

  private lost(ws: WebSocket): void {
    if (ws !== this.ws) return;
    this.ws = undefined;
    this.held = -1;
    this.readied();
    for (const w of this.waiting.values()) w.reject({ code: "E_LOST", text: "the connection to the server was lost", hint: "" });
    this.waiting.clear();
    if (this.tries < 0) return;
    this.events.status(this.welcome ? "lost" : "connecting");
    setTimeout(() => this.connect(), RETRIES[Math.min(this.tries++, RETRIES.length - 1)]);
  }

  private send(bytes: Uint8Array): void {
    if (this.ws?.readyState === WebSocket.OPEN) this.ws.send(bytes as Uint8Array<ArrayBuffer>);
  }

  private take(frame: ArrayBuffer): void {
    const m = parse(frame);
    switch (m.op) {
      case "welcome":
        return this.begin(m.welcome);
      case "res":
        return this.answer(m.ref, m.answer);
      case "lod":
        return this.answer(m.ref, { json: m, done: true });
      case "err":
        return this.failed(m.ref, m.failure);
    }
    const t = this.open.get(m.ref);
    if (t) apply(t, m.op, m.parts);
    if (COSTS.has(m.op)) this.grant(1);
    if (t) this.events.changed(t);
    if (t && m.op === "rows" && !t.begun && t.actions.rows > 0) if (t.rest() <= FEW) t.begun = true; else this.pause(t);
    if (!t || t.complete || (t.begun && t.rest() > FEW)) this.readied();
  }

  private grant(frames: number): void {
    if (this.held >= 0) this.held += frames; else this.send(message("credit", 0, frames));
  }

  /** Lets the server wait until the first steps are on screen: taking a million rows in would keep the page from drawing. */
  private pause(t: Trace): void {
    t.begun = true;
    this.held = Math.max(this.held, 0) + MORE;
    void this.events.first(t).then(() => {
      const held = this.held;
      this.held = -1;
      if (held > 0) this.grant(held);
    });
  }

  private begin(w: Welcome): void {
    this.tries = 0;
    this.welcome = w;
    this.opened = w.opened ?? "";
    for (const [ref, t] of this.open) this.send(message("open", ref, t.id, t.epoch, t.has(), t.patches));
    this.events.status("open");
    this.events.welcome(w);
    if (this.opened === "" && this.open.size === 0) this.readied(); // the start page
    if (this.opened !== "") this.send(message("close", FIRST)); // the address has changed meanwhile
    this.opened = "";
  }

  private answer(ref: number, a: Answer): void {
    const w = this.waiting.get(ref);
    w?.each?.(a.json);
    if (!a.done) return;
    this.waiting.delete(ref);
    w?.resolve(a.json);
  }

  private failed(ref: number, f: Failure): void {
    const w = this.waiting.get(ref);
    this.waiting.delete(ref);
    w?.reject(f);
    if (f.code === "E_TOKEN" || f.code === "E_VERSION") this.tries = -1; // trying again would not help
    if (!w) this.readied();
    if (!w) this.events.status(this.tries < 0 ? "refused" : "open", f);
  }

  /** Opens a trace; its rows come from now on, and after every reconnect. */
  trace(id: string): Trace {
    const t = new Trace(id, this.welcome?.tables ?? []);
    if (id === this.opened) {
      this.opened = "";
      this.open.set(FIRST, t);
      return t;
    }
    const ref = ++this.refs;
    this.open.set(ref, t);
    this.send(message("open", ref, t.id, t.epoch, t.has(), t.patches));
    return t;
  }

  private refOf(t: Trace): number {
    for (const [ref, o] of this.open) if (o === t) return ref;
    return -1;
  }

  private ask(make: (ref: number) => Uint8Array, each?: (json: unknown) => void): { ref: number; answer: Promise<unknown> } {
    const ref = ++this.refs;
    const answer = new Promise<unknown>((resolve, reject) => {
      if (this.ws?.readyState !== WebSocket.OPEN) return reject({ code: "E_LOST", text: "there is no connection to the server", hint: "" });
      this.waiting.set(ref, { resolve, reject, each });
      this.send(make(ref));
    });
    return { ref, answer };
  }

  /** Asks for what a row alone does not tell. */
  get<T>(t: Trace, what: string, row: number, text = ""): Promise<T> {
    return this.ask((ref) => message("get", ref, this.refOf(t), what, row, text)).answer as Promise<T>;
  }

  /** Asks how many rows of a dense table lie in each of some stretches of time. */
  view(t: Trace, table: string, from: number, to: number, buckets: number): Promise<{ counts: Uint32Array; from: number; width: number }> {
    return this.ask((ref) => message("view", ref, this.refOf(t), table, from, to, buckets)).answer as Promise<{ counts: Uint32Array; from: number; width: number }>;
  }

  /** Asks about two traces beside each other; rules are noise rules as JSON. */
  compare<T>(a: Trace, b: Trace, what: string, pair: number, rules: string, text = "", each?: (json: unknown) => void): Promise<T> {
    return this.ask((ref) => message("diff", ref, this.refOf(a), this.refOf(b), what, pair, `${rules}\u0000${text}`), each).answer as Promise<T>;
  }

  /** Asks about the start page, or opens what is on it. */
  shelf<T>(what: string, text: string, each?: (json: unknown) => void): Promise<T> {
    return this.ask((ref) => message("shelf", ref, what, text), each).answer as Promise<T>;
  }

  /** Searches; each is called with hits as they come. */
  search(t: Trace, query: string, limit: number, each: (hits: unknown) => void): { done: Promise<unknown>; cancel(): void } {
    const { ref, answer } = this.ask((r) => message("search", r, this.refOf(t), query, limit), each);
    return { done: answer, cancel: () => { this.waiting.delete(ref); this.send(message("cancel", ref)); } };
  }
}
