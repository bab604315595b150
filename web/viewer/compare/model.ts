// Two traces side by side: their steps in pairs, and where one is in them.

import type { App } from "../model/app";
import { Derived } from "../model/derived";
import { printCompareLink, type CompareLink } from "../model/link";
import { NONE } from "../model/schema";
import { clamp, type Range } from "../model/time";
import type { Trace } from "../model/trace";
import { Axis } from "./axis";

export const MODES = ["side", "swipe", "blend", "blink", "pixels"] as const;
export type Mode = (typeof MODES)[number];
export const CTABS = ["step", "page", "network", "console", "timing", "environment", "noise"] as const;
export type CTab = (typeof CTABS)[number];
export const CPHASES = ["before", "during", "after", "screenshot"] as const;
export type CPhase = (typeof CPHASES)[number];

export interface Change {
  kind: "added" | "removed" | "changed" | "moved"; effect: string; what: string; path?: string; a?: string; b?: string; countA?: number; countB?: number; note?: string; pair?: number;
}

export type PairKind = "same" | "changed" | "only-a" | "only-b";

export interface Pair { kind: PairKind; a: number; b: number; depth: number; changes?: Change[] }

export const SIGN: Record<PairKind, string> = { same: "=", changed: "~", "only-a": "−", "only-b": "+" };

interface Aligned { pairs: Pair[]; first?: number; token?: string }

const RULES = "tracedeck-noise-rules";

export class Comparison {
  pairs: Pair[] = [];
  first = NONE;
  token = "";
  ready = false;
  problem = "";
  at = NONE;
  mode: Mode = "side";
  phase: CPhase = "during";
  tab: CTab = "step";
  split = 50;
  pill: "all" | "changes" | "slower" = "all";
  all = false; // what differs is told of the whole traces, not of one step
  wall = false; // the time axis is the clock's, not by step
  view: Range | undefined;
  hover: number | undefined; // on the axis
  region = NONE;
  rules = localStorage.getItem(RULES) ?? "";
  /** Goes up when the pairs are others. */
  version = 0;
  verdict = ""; // of everything, once that was compared
  moved = false; // the user went to another pair
  private asked = false;
  private wanted: CompareLink | undefined;
  private derivedOf = new Map<Trace, Derived>();
  private axes: { key: string; axis: Axis } | undefined;

  constructor(private readonly app: App, readonly a: Trace, readonly b: Trace) {}

  get whole(): boolean { return this.a.complete && this.b.complete; }

  derived(t: Trace): Derived {
    const d = this.derivedOf.get(t);
    if (d && d.version === t.version) return d;
    const made = new Derived(t, t.version);
    this.derivedOf.set(t, made);
    return made;
  }

  /** Asks for the pairs once both traces are here. */
  settle(): void {
    if (this.asked || !this.whole) return;
    this.asked = true;
    const pairs: Pair[] = [];
    const take = (x: unknown): void => { pairs.push(...(x as Aligned).pairs); };
    this.app.connection.compare<Aligned>(this.a, this.b, "align", -1, this.rules, "", take).then((last) => {
      Object.assign(this, { pairs, first: last.first ?? NONE, token: last.token ?? "", ready: true, problem: "", version: this.version + 1 });
      this.at = Math.max(0, Math.min(pairs.length - 1, this.wanted?.step ?? (this.first !== NONE ? this.first : 0)));
      if (pairs.length === 0) this.at = NONE;
      this.app.tell();
      this.lookCloser(this.token);
    }, (e: { text?: string }) => { this.problem = e.text ?? "The traces cannot be compared."; this.app.tell(); });
  }

  /** Compares pages and pictures too, which may find that steps with the same call differ. */
  private lookCloser(token: string): void {
    this.app.connection.compare<{ kinds: PairKind[]; first: number; verdict: string }>(this.a, this.b, "all", -1, this.rules).then((w) => {
      if (token !== this.token) return;
      w.kinds.forEach((k, i) => { this.pairs[i].kind = k; });
      if (!this.moved && this.wanted?.step === undefined && w.first >= 0) this.at = w.first;
      Object.assign(this, { first: w.first, verdict: w.verdict, version: this.version + 1 });
      this.app.tell();
    }, (e: { text?: string }) => this.app.say(e.text ?? "The pages were not compared"));
  }

  /** Takes other noise rules and compares anew. */
  setRules(rules: string): void {
    localStorage.setItem(RULES, rules);
    this.rules = rules;
    this.wanted = { a: this.a.id, b: this.b.id, step: Math.max(0, this.at) };
    this.asked = false;
    this.settle();
    this.app.tell();
  }

  follow(l: CompareLink): void {
    this.wanted = l;
    if (MODES.includes(l.mode as Mode)) this.mode = l.mode as Mode;
    if (CPHASES.includes(l.phase as CPhase)) this.phase = l.phase as CPhase;
    if (CTABS.includes(l.tab as CTab)) this.tab = l.tab as CTab;
    if (l.split !== undefined) this.split = l.split;
    if (this.ready && l.step !== undefined && l.step < this.pairs.length) this.at = l.step;
  }

  link(): string {
    return printCompareLink({ a: this.a.id.slice(0, 12), b: this.b.id.slice(0, 12), ...(this.at >= 0 ? { step: this.at } : {}), mode: this.mode, phase: this.phase, tab: this.tab, ...(this.mode === "swipe" ? { split: this.split } : {}) });
  }

  set(change: Partial<Comparison>, push = false): void {
    Object.assign(this, change);
    if (push) history.pushState(null, "", this.link()); else this.addressSoon();
    this.app.tell();
  }

  private soon: ReturnType<typeof setTimeout> | undefined;

  private addressSoon(): void {
    clearTimeout(this.soon);
    this.soon = setTimeout(() => { if (this.app.comparison === this) history.replaceState(null, "", this.link()); }, 200);
  }

  select(at: number): void {
    if (at < 0 || at >= this.pairs.length || at === this.at) return;
    this.moved = true;
    this.set({ at, region: NONE }, true);
  }

  /** The pairs that the list shows. */
  shown(): number[] {
    const all: number[] = [];
    for (let i = 0; i < this.pairs.length; i++) if (this.pill === "all" || (this.pill === "changes" ? this.pairs[i].kind !== "same" : this.slower(i) > 0.2)) all.push(i);
    return all;
  }

  /** By which share of A's time B took longer; 0 where that says nothing. */
  slower(at: number): number {
    const [a, b] = this.took(at);
    if (Number.isNaN(a) || Number.isNaN(b) || Math.abs(b - a) < 20_000) return 0;
    return (b - a) / Math.max(a, 1000);
  }

  /** How long both sides of a pair took, in microseconds. */
  took(at: number): [number, number] {
    const p = this.pairs[at];
    const time = (t: Trace, row: number): number => (row < 0 ? NaN : t.actionEnd(row) - t.num(t.actions, "start", row));
    return [time(this.a, p.a), time(this.b, p.b)];
  }

  failed(t: Trace, row: number): boolean { return row >= 0 && (t.num(t.actions, "flags", row) & 1) !== 0; }

  title(at: number): [string, string] {
    const p = this.pairs[at];
    const [t, row] = p.b >= 0 ? [this.b, p.b] : [this.a, p.a];
    return row < 0 ? ["", ""] : [t.text(t.actions, "title", row), t.text(t.actions, "detail", row)];
  }

  /** The row of a side to show for a pair: its own, or that of the step before which both have. */
  nearest(at: number, side: "a" | "b"): { row: number; own: boolean } {
    for (let i = at; i >= 0; i--) if (this.pairs[i][side] >= 0) return { row: this.pairs[i][side], own: i === at };
    return { row: NONE, own: false };
  }

  change(step: 1 | -1): void {
    for (let i = this.at + step; i >= 0 && i < this.pairs.length; i += step) if (this.pairs[i].kind !== "same") { this.select(i); return; }
    this.app.say(step > 0 ? "No later step differs" : "No earlier step differs");
  }

  counts(): Record<PairKind, number> {
    const n: Record<PairKind, number> = { same: 0, changed: 0, "only-a": 0, "only-b": 0 };
    for (const p of this.pairs) n[p.kind]++;
    return n;
  }

  get axis(): Axis {
    const key = `${this.version}/${this.wall}`;
    if (this.axes?.key !== key) this.axes = { key, axis: new Axis(this, this.wall) };
    return this.axes.axis;
  }

  get window(): Range {
    const end = this.axis.end;
    return this.view ? clamp(this.view, end) : { from: 0, to: end };
  }

  look(view: Range | undefined): void {
    const end = this.axis.end;
    this.set({ view: view && (view.from > 0 || view.to < end) ? view : undefined });
  }

  swap(): void {
    const { mode, phase, tab, split } = this;
    this.app.compare(this.b.id, this.a.id);
    this.app.comparison!.set({ mode, phase, tab, split });
  }

  /** Back to one trace, at the step that was looked at. */
  leave(): void {
    const p = this.pairs[this.at];
    const [t, row] = p && p.b < 0 && p.a >= 0 ? [this.a, p.a] : [this.b, p?.b ?? NONE];
    this.app.show(t.id);
    history.pushState(null, "", `#/t/${t.id.slice(0, 12)}`);
    if (row >= 0) this.app.select(row);
  }
}
