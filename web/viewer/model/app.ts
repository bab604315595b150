// The state of the page: what is open, what is selected, what is shown. All
// changes go through App, which tells who draws, at most once a frame.

import type { Early } from "../boot";
import { Connection, type Source, type Status } from "./connection";
import type { Offline } from "./offline";
import { Derived } from "./derived";
import { Comparison } from "../compare/model";
import type { Place } from "./keys";
import { Start } from "../start/model";
import { parseCompareLink, parseLink, printLink, wanted, type CompareLink, type Link } from "./link";
import { NONE } from "./schema";
import { around, clamp, type Range } from "./time";
import type { Trace } from "./trace";
import type { Shown } from "./tree";
import type { Failure, Welcome } from "./wire";

export const TABS = ["errors", "call", "log", "console", "network", "source", "attachments", "metadata", "storage", "audit", "contract", "performance"] as const;
export type Tab = (typeof TABS)[number];
export const PHASES = ["before", "during", "after", "screenshot", "aria"] as const;
export type PhaseTab = (typeof PHASES)[number];
/** What a change of the view or the range is a part of: of nothing else, or of a gesture, whose changes are undone as one. */
export type Change = "own" | object;
export type Dialog = "help" | "code" | "lanes" | "save" | "palette" | "search" | "compare" | "address" | "";

const HOLD = 150; // ms between two workings-out while rows stream in

export class App {
  connection!: Source;
  offline: Offline | undefined; // the page was exported and has no server
  status: Status = "connecting";
  failure: Failure | undefined;
  welcome: Welcome | undefined;
  traces = new Map<string, Trace>();
  trace: Trace | undefined;
  comparison: Comparison | undefined; // shown instead of the trace
  start: Start | undefined; // the start page, shown instead of either
  token = "";
  missing = ""; // id of a trace that a link wants and nobody has

  selected = NONE;
  phase: PhaseTab = "during";
  tab: Tab = "call";
  docked: Tab | "" = ""; // split off to the bottom
  request = NONE;
  message = NONE;
  view: Range | undefined; // undefined: the whole trace
  views: { view: Range | undefined; range: Range | undefined; at: number; of: object | undefined }[] = []; // to go back to
  range: Range | undefined;
  cursor: number | undefined;
  filter = "";
  pill: "all" | "failed" | "slow" | "errors" = "all";
  shown: Shown = { protocol: false, hidden: false };
  toggled = new Map<number, boolean>();
  dialog: Dialog = "";
  sourceHit: { entry: string; line: number } | undefined; // a place in a source file that a search found
  walked = false; // the user went from a step to another: pages around are worth loading
  found: number[] = []; // moments of what a search found
  toast = "";
  codeKind: "report" | "script" | "test" | "rod" = "report";
  inspecting = false; // the pointer names elements of the recorded page

  /** Goes up with every change that is told of. */
  changes = 0;

  private listeners = new Set<() => void>();
  private scheduled = false;
  private worked: Derived | undefined;
  private workedAt = 0;
  private cost = { time: 0, rows: 0 }; // of the last working-out
  private again = false;
  private chosen = false; // the user, or a link, selected something
  private picks = 0; // how often the user did
  private turned = false; // the user opened a tab, which then stays
  private pending: Link | undefined;
  private toastTimer: ReturnType<typeof setTimeout> | undefined;

  /** Connects to the server, or takes over the connection that there is; resolves when there is something to draw. */
  begin(url: string, token: string, early?: Early): Promise<void> {
    this.token = token;
    const connection = new Connection(url, token, early?.wanted ?? wanted(location.hash), early, {
      status: (s, f) => this.set({ status: s, failure: f }),
      welcome: (w) => this.welcomed(w),
      changed: (t) => { if (t === this.trace) this.settle(); this.comparison?.settle(); this.tell(); },
      first: () => this.drawn(),
    });
    this.connection = connection;
    connection.connect();
    window.addEventListener("hashchange", () => this.follow());
    return connection.ready;
  }

  /** Draws at once what was told of, and resolves when that is on screen. */
  private drawn(): Promise<void> {
    this.run();
    return new Promise((done) => {
      setTimeout(done, 250); // a hidden tab draws no frames
      requestAnimationFrame(() => setTimeout(done, 0));
    });
  }

  /** Shows what an exported page holds. */
  beginOffline(o: Offline): void {
    this.connection = this.offline = o;
    this.status = "open";
    window.addEventListener("hashchange", () => this.follow());
    this.welcomed(o.welcome);
  }

  /** Where a frame finds a recorded page. */
  pageOf(t: Trace, row: number): { src: string } | { srcdoc: string } {
    return this.offline ? { srcdoc: this.offline.page(t, row) ?? "<p>This page was left out of the exported file.</p>" } : { src: this.contentOf(t, `snapshot/${row}`) };
  }

  subscribe(f: () => void): () => void {
    this.listeners.add(f);
    return () => this.listeners.delete(f);
  }

  tell(): void {
    this.changes++;
    if (this.scheduled) return;
    this.scheduled = true;
    const run = (): void => this.run();
    requestAnimationFrame(run);
    setTimeout(run, document.hidden ? 100 : 400); // no frames come in a hidden tab, nor always in a window that is covered
  }

  private run(): void {
    if (!this.scheduled) return;
    this.scheduled = false;
    for (const f of this.listeners) f();
  }

  set(change: Partial<App>): void {
    Object.assign(this, change);
    this.tell();
  }

  private welcomed(w: Welcome): void {
    this.welcome = w;
    if (!this.trace && !this.comparison && !this.start) this.follow(true);
    this.tell();
  }

  /** Goes where the address says. */
  private follow(first = false): void {
    const beside = parseCompareLink(location.hash);
    if (beside) { this.followCompare(beside); return; }
    const link = parseLink(location.hash);
    if (!link && first && this.welcome?.compare) { this.compare(this.welcome.traces[0].id, this.welcome.traces[1].id); return; }
    if (!link && (location.hash === "#/" || first && this.welcome?.start)) { this.home(false); return; }
    if (link) this.comparison = this.start = undefined;
    const traces = this.welcome?.traces ?? [];
    const known = link ? traces.find((t) => t.id.startsWith(link.trace) || link.trace.startsWith(t.id)) : undefined;
    if (link && !known) { this.set({ missing: link.trace, trace: undefined }); return; }
    const id = known?.id ?? traces[0]?.id;
    if (!id) { this.tell(); return; }
    if (this.trace?.id !== id) this.show(id);
    this.missing = "";
    if (link && !first) this.turned = false; // the address is newer than what the user did
    if (link && (first || this.link() !== location.hash)) { this.pending = link; this.settle(); }
    this.tell();
  }

  /** Shows the start page. */
  home(push = true): void {
    Object.assign(this, { start: this.start ?? new Start(this), comparison: undefined, trace: undefined, dialog: "", missing: "" });
    document.title = "tracedeck";
    if (push) history.pushState(null, "", "#/");
    this.tell();
  }

  /** Opens zips that the user dropped or picked, wherever that was. */
  async openFiles(files: File[]): Promise<void> {
    const s = this.start ?? new Start(this);
    await s.drop(files);
    if (s.problem && !this.start) this.say(s.problem);
  }

  goTrace(id: string): void {
    history.pushState(null, "", `#/t/${id.slice(0, 12)}`);
    this.show(id);
  }

  goCompare(a: string, b: string): void {
    this.compare(a, b);
    history.pushState(null, "", this.link());
  }

  private followCompare(l: CompareLink): void {
    const known = (id: string): string | undefined => this.welcome?.traces.find((t) => t.id.startsWith(id) || id.startsWith(t.id))?.id;
    const a = known(l.a), b = known(l.b);
    if (!a || !b) { this.set({ missing: a ? l.b : l.a, trace: undefined, comparison: undefined }); return; }
    this.missing = "";
    if (this.comparison?.a.id !== a || this.comparison.b.id !== b) this.compare(a, b);
    this.comparison!.follow(l);
    this.tell();
  }

  /** Shows two traces side by side. */
  compare(a: string, b: string): void {
    if (a === b) return;
    this.start = undefined;
    this.comparison = new Comparison(this, this.opened(a), this.opened(b));
    this.dialog = "";
    this.comparison.settle();
    this.tell();
  }

  /** Where keys act now. */
  get place(): Place { return this.start ? "start" : this.comparison ? "compare" : "trace"; }

  opened(id: string): Trace {
    let t = this.traces.get(id);
    if (!t) this.traces.set(id, (t = this.connection.trace(id)));
    return t;
  }

  /** Shows a trace. */
  show(id: string): void {
    const t = this.opened(id);
    this.comparison = this.start = undefined;
    Object.assign(this, { trace: t, selected: NONE, request: NONE, message: NONE, view: undefined, views: [], range: undefined, cursor: undefined, filter: "",
      pill: "all", toggled: new Map(), chosen: false, turned: false, worked: undefined, tab: "call", phase: "during", pending: undefined });
    document.title = `${shortName(t.meta?.name ?? id)} · tracedeck`;
    this.settle();
    this.tell();
  }

  /** What is worked out from the tables: at once when they are whole, now and then while they grow. */
  get derived(): Derived | undefined {
    const t = this.trace;
    if (!t) return undefined;
    const w = this.worked;
    if (w && w.t === t) {
      if (w.version === t.version) return w;
      if (!t.complete && w.tree.order.length > 0 && performance.now() - this.workedAt < this.hold()) { this.later(); return w; }
    }
    const began = performance.now();
    this.worked = new Derived(t, t.version);
    this.workedAt = performance.now();
    this.cost = { time: this.workedAt - began, rows: t.actions.rows };
    return this.worked;
  }

  /** How long to wait before working out anew what would take about as long a row as the last time; lists are drawn anew as well, which takes as long again. */
  private hold(): number {
    const t = this.trace!, most = 2000;
    if (t.state?.done && !t.state.live) return most; // the rest is on its way
    const time = this.cost.time * Math.max(1, t.actions.rows / Math.max(1, this.cost.rows));
    return Math.min(most, Math.max(HOLD, (t.state?.live ? 10 : 25) * time));
  }

  private later(): void {
    if (this.again) return;
    this.again = true;
    setTimeout(() => { this.again = false; this.tell(); }, this.hold());
  }

  /** Selects what a link or the trace itself says, once that row has come. */
  private settle(): void {
    const t = this.trace;
    if (!t) return;
    if (t.meta) document.title = `${title(t)} · tracedeck`;
    if (this.pending) this.goTo(t, this.pending);
    if (this.chosen || !t.complete || !this.judged(t)) return;
    const d = this.derived!;
    const culprit = d.culprit();
    const seen = culprit !== NONE ? culprit : d.firstSeen();
    const row = seen !== NONE ? seen : d.tree.order[0] ?? NONE;
    if (t.state?.live) { this.latest(d); return; }
    if (row === NONE) return; // a folder may get some yet
    Object.assign(this, { selected: row, chosen: t.meta?.live !== true });
    if (!this.turned) this.tab = culprit !== NONE || d.t.errors.rows > 0 && d.failed() ? "errors" : "call";
    this.reveal(row);
  }

  /** Whether all is known that tells a failure; of Vibium's steps the server is asked which took all the time they had. */
  private judged(t: Trace): boolean {
    if (t.limits) return true;
    const known = (list: { row: number; limit: number }[]): void => {
      t.limits = new Map(list.map((l) => [l.row, l.limit]));
      t.version++;
      if (t === this.trace) this.settle();
      this.tell();
    };
    if (t.state?.live) return true;
    let vibium = false;
    for (let row = 0; row < Math.min(t.actions.rows, 500) && !vibium; row++) vibium = t.text(t.actions, "method", row).startsWith("vibium:");
    if (!vibium) { t.limits = new Map(); return true; }
    this.connection.get<{ row: number; limit: number }[]>(t, "limits", -1).then(known, () => known([]));
    return false;
  }

  /** While a recording grows and nobody chose a step, the latest one is shown. */
  private latest(d: Derived): void {
    const last = d.actions.length - 1;
    if (last < 0) return;
    this.selected = d.actions.rows[last];
    this.reveal(this.selected);
  }

  private goTo(t: Trace, l: Link): void {
    if (!t.complete) return; // it may come yet
    this.pending = undefined;
    if (!l.action) { this.arrive(t, l, NONE); return; }
    this.chosen = true;
    const picks = this.picks;
    this.connection.get<{ row: number }>(t, "find", -1, l.action).then(({ row }) => {
      if (this.picks !== picks) return; // the user was quicker
      if (row >= 0) t.ids.set(row, l.action!);
      this.chosen = row >= 0;
      this.arrive(t, l, row);
      this.settle();
      this.tell();
    }, () => undefined);
  }

  private arrive(t: Trace, l: Link, row: number): void {
    if (t !== this.trace) return;
    if (row !== NONE) { this.selected = row; this.chosen = true; this.reveal(row); }
    if (PHASES.includes(l.phase as PhaseTab)) this.phase = l.phase as PhaseTab;
    if (TABS.includes(l.tab as Tab) && !this.turned) this.tab = l.tab as Tab;
    if (l.row !== undefined && this.tab === "network" && l.row < t.network.rows) this.request = l.row;
    if (l.view) this.view = clamp({ from: l.view[0], to: l.view[1] }, t.end);
    if (l.range) this.range = { from: l.range[0], to: l.range[1] };
    if (l.filter) this.filter = l.filter;
  }

  /** The address of what is on screen. */
  link(): string {
    if (this.comparison) return this.comparison.link();
    const t = this.trace;
    if (!t) return "";
    const l: Link = { trace: t.id.slice(0, 12), tab: this.tab };
    if (this.selected >= 0 && this.selected < t.actions.rows) {
      const id = t.ids.get(this.selected);
      if (id !== undefined) { l.action = id; l.phase = this.phase; }
    }
    if (this.tab === "network" && this.request !== NONE) l.row = this.request;
    if (this.view) l.view = [this.view.from, this.view.to];
    if (this.range) l.range = [this.range.from, this.range.to];
    if (this.filter) l.filter = this.filter;
    return printLink(l);
  }

  /** The call id of the selected step is in links only; the server is asked for it. */
  async identify(): Promise<void> {
    const t = this.trace, row = this.selected;
    if (!t || row < 0 || t.ids.has(row)) return;
    const { id } = await this.connection.get<{ id: string }>(t, "id", row);
    t.ids.set(row, id);
    this.address(false);
    this.tell();
  }

  /** Writes the address when the view has come to rest: browsers are slow at it. */
  private settled: ReturnType<typeof setTimeout> | undefined;

  private addressSoon(): void {
    clearTimeout(this.settled);
    this.settled = setTimeout(() => this.address(false), 150);
  }

  private address(push: boolean): void {
    this.identify().catch(() => undefined); // without a server the address waits
    const link = this.link();
    if (link === location.hash || !link) return;
    if (push) history.pushState(null, "", link); else history.replaceState(null, "", link);
  }

  select(row: number): void {
    if (row === this.selected) { this.tell(); return; }
    this.picks++;
    Object.assign(this, { selected: row, chosen: true, walked: true, cursor: undefined, sourceHit: undefined });
    if (this.tab === "errors" && this.trace && !this.derived?.tree.trouble[row]) this.tab = "call";
    this.reveal(row);
    this.address(true);
    this.tell();
  }

  openTab(tab: Tab): void {
    if (tab === this.docked) { document.getElementById("dock")?.focus(); this.tell(); return; }
    this.tab = tab;
    this.turned = true;
    this.chosen ||= this.selected !== NONE;
    this.address(true);
    this.tell();
  }

  /** Splits a tab off to the bottom, so that two are seen; "" puts it back. */
  splitOff(tab: Tab | ""): void {
    const old = this.docked;
    this.docked = tab;
    if (tab !== "" && this.tab === tab) this.tab = TABS.find((t) => t !== tab && (t === "errors" ? this.derived?.failed() : t === "call")) ?? "call";
    if (tab !== "" && this.tab === tab) this.tab = "log";
    if (tab === "" && old !== "") this.tab = old;
    this.address(false);
    this.tell();
  }

  openPhase(phase: PhaseTab): void {
    this.phase = phase;
    this.address(true);
    this.tell();
  }

  openRequest(row: number): void {
    this.request = row;
    if (this.docked !== "network") this.tab = "network";
    this.address(true);
    this.tell();
  }

  /** Opens all rows around one, so that the tree shows it. */
  private reveal(row: number): void {
    const t = this.trace;
    if (!t || row < 0) return;
    const parent = t.actions.col("parent");
    for (let r = parent.at(row), n = 0; r >= 0 && n < 1000; r = parent.at(r), n++) this.toggled.set(r, true);
  }

  isExpanded(row: number): boolean {
    const own = this.toggled.get(row);
    if (own !== undefined) return own;
    const t = this.trace!;
    return t.num(t.actions, "kind", row) !== 3 || this.derived?.tree.trouble[row] === 1;
  }

  toggle(row: number): void {
    this.toggled.set(row, !this.isExpanded(row));
    this.tell();
  }

  get window(): Range {
    const end = this.trace?.end ?? 1000;
    return this.view ? clamp(this.view, end) : { from: 0, to: end };
  }

  /** Shows a stretch of time, as one change of its own, as a part of a gesture, or of what goes on. */
  look(view: Range | undefined, change?: Change): void {
    this.note(change);
    const end = this.trace?.end ?? 1000;
    this.view = view && (view.from > 0 || view.to < end) ? view : undefined;
    this.addressSoon();
    this.tell();
  }

  /** Remembers the view and the range; a drag, however long it rests, or a turn of the wheel is one change. */
  private note(change?: Change): void {
    const now = performance.now(), last = this.views.at(-1), of = change === "own" ? undefined : change;
    const goesOn = last && (of ? last.of === of : change !== "own" && !last.of && now - last.at < 700);
    if (goesOn) { last.at = now; return; }
    this.views = [...this.views.slice(-50), { view: this.view, range: this.range, at: now, of }];
  }

  /** Undoes the last change of the view or the range. */
  back(): void {
    const same = (a: Range | undefined, b: Range | undefined): boolean => a?.from === b?.from && a?.to === b?.to;
    for (let last = this.views.pop(); last; last = this.views.pop()) {
      if (same(last.view, this.view) && same(last.range, this.range)) continue;
      this.view = last.view;
      this.range = last.range;
      this.addressSoon();
      this.tell();
      return;
    }
  }

  /** Fits the range, or the selected step, into the timeline. */
  fit(): void {
    const t = this.trace;
    if (!t) return;
    const r = this.range ?? (this.selected >= 0 ? { from: t.num(t.actions, "start", this.selected), to: t.actionEnd(this.selected) } : undefined);
    if (r) this.look(around(r, t.end), "own");
  }

  setRange(range: Range | undefined, change?: Change): void {
    this.note(range ? change : "own");
    this.range = range;
    this.addressSoon();
    this.tell();
  }

  say(text: string): void {
    clearTimeout(this.toastTimer);
    this.toastTimer = setTimeout(() => this.set({ toast: "" }), 2500);
    this.set({ toast: text });
  }

  /** The address, on the content's origin, of something that was recorded. */
  content(path: string): string {
    return this.contentOf(this.trace, path);
  }

  contentOf(t: Trace | undefined, path: string): string {
    return `${this.welcome?.content ?? ""}${t?.meta?.content ?? "/"}${path}`;
  }

  resourceOf(t: Trace | undefined, entry: string): string {
    if (this.offline && t) return this.offline.entry(t, entry);
    return this.contentOf(t, `r/${entry.split("/").map(encodeURIComponent).join("/")}`);
  }

  resource(entry: string): string {
    return this.resourceOf(this.trace, entry);
  }
}

export const shortName = (path: string): string => path.split(/[\\/]/).filter((p) => p !== "").at(-1) ?? path;

/** What a person would call the trace: the test's title, or the file's name. */
export function title(t: Trace): string {
  const named = t.meta?.contexts.map((c) => c.title).find((s) => s !== "");
  return named ?? shortName(t.meta?.name ?? t.id);
}

export const app = new App();
