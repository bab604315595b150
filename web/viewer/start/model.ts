// The start page: traces looked at lately, and those in a watched folder.

import type { App } from "../model/app";

export interface Entry {
  key: string; name: string; place: string; recent: number; watched: boolean; run: string; test: string; retry: number; browser: string;
  verdict: "passed" | "failed" | "unread" | "broken" | "empty"; error: string; took: number; recorded: number; size: number; live: boolean; picture?: string;
}

interface Answer { version: number; folder: string; entries: Entry[] | null }

/** A test in a run: all its tries, of which the last one counts. */
export interface Row { entry: Entry; tries: Entry[]; verdict: "failed" | "flaky" | "passed" | "unread" | "broken"; history: Bar[] }

export interface Bar { verdict: Row["verdict"]; run: string }

export interface Group { name: string; rows: Row[]; counts: Record<Row["verdict"], number>; latest: number }

const RANK: Record<Row["verdict"], number> = { failed: 0, broken: 1, flaky: 2, unread: 3, passed: 4 };
const POLL = 1000;
const RUNS = 12;

export class Start {
  entries: Entry[] = [];
  folder = "";
  read = false;
  problem = "";
  busy = ""; // what is being opened
  pill: "all" | "failed" | "flaky" | "passed" = "all";
  by: "run" | "test" = "run";
  filter = "";
  selected = "";
  picked: string[] = [];
  open = new Set<string>(); // groups whose passed tests are shown
  version = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private worked: { key: string; groups: Group[] } | undefined;
  private stopped = true;

  constructor(private readonly app: App) {}

  begin(): void {
    if (!this.stopped) return;
    this.stopped = false;
    void this.ask();
  }

  end(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Asks again and again: only what has changed travels. */
  private async ask(): Promise<void> {
    try {
      const lots: Entry[] = [];
      const a = await this.app.connection.shelf<Answer>("list", String(this.version), (x) => { lots.push(...((x as Answer).entries ?? [])); });
      this.folder = a.folder;
      if (a.entries !== null || !this.read) { this.entries = lots; this.version = a.version; this.read = true; this.worked = undefined; this.app.tell(); }
    } catch {
      // the connection comes back by itself
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.ask(), POLL);
  }

  set(change: Partial<Start>): void {
    Object.assign(this, change);
    this.app.tell();
  }

  get recent(): Entry[] {
    return this.entries.filter((e) => e.recent > 0).sort((a, b) => b.recent - a.recent).slice(0, 12);
  }

  get live(): Entry[] { return this.entries.filter((e) => e.live); }

  /** What the folder holds, in groups, the failed ones first. */
  get groups(): Group[] {
    const key = `${this.version}/${this.by}/${this.filter}/${this.pill}`;
    if (this.worked?.key !== key) this.worked = { key, groups: grouped(this.entries.filter((e) => e.watched), this.by, this.filter, this.pill) };
    return this.worked.groups;
  }

  /** The rows that are on screen, from top to bottom. */
  get rows(): Row[] {
    return this.groups.flatMap((g) => this.shownOf(g));
  }

  shownOf(g: Group): Row[] {
    return this.open.has(g.name) || this.pill === "passed" || this.filter !== "" ? g.rows : [...g.rows.filter((r) => r.verdict !== "passed"), ...g.rows.filter((r) => r.verdict === "passed").slice(0, 5)];
  }

  counts(): Record<Row["verdict"], number> {
    const n: Record<Row["verdict"], number> = { failed: 0, flaky: 0, passed: 0, unread: 0, broken: 0 };
    for (const g of grouped(this.entries.filter((e) => e.watched), this.by, "", "all")) for (const k of Object.keys(n) as Row["verdict"][]) n[k] += g.counts[k];
    return n;
  }

  /** The last try before this one in which the same test passed. */
  lastPass(e: Entry): Entry | undefined {
    return this.entries.filter((o) => o.key !== e.key && o.verdict === "passed" && o.test === e.test && o.test !== "" && o.browser === e.browser).sort((a, b) => b.recorded - a.recorded)
      .sort((a, b) => Number(b.recorded < e.recorded) - Number(a.recorded < e.recorded))[0];
  }

  async visit(key: string): Promise<string | undefined> {
    return this.take(this.app.connection.shelf<{ id: string; name: string; live: boolean }>("open", key), this.entries.find((e) => e.key === key)?.name ?? "");
  }

  /** Waits for a trace that is being opened; its id, or undefined when that went wrong. */
  async take(opening: Promise<{ id: string; name: string; live: boolean }>, name: string): Promise<string | undefined> {
    this.set({ busy: name, problem: "" });
    try {
      const t = await opening;
      const known = this.app.welcome!.traces;
      if (!known.some((k) => k.id === t.id)) known.push(t);
      this.set({ busy: "" });
      return t.id;
    } catch (e) {
      this.set({ busy: "", problem: (e as { text?: string }).text ?? String(e) });
      return undefined;
    }
  }

  async go(key: string): Promise<void> {
    const id = await this.visit(key);
    if (id) this.app.goTrace(id);
  }

  async compare(a: string, b: string): Promise<void> {
    const x = await this.visit(a), y = await this.visit(b);
    if (x && y && x !== y) this.app.goCompare(x, y);
    else if (x && x === y) this.set({ problem: "The two are copies of the same trace." });
  }

  /** Compares with the last pass of the same test, or the two that are picked. */
  compareNow(): void {
    if (this.picked.length === 2) { void this.compare(this.picked[0], this.picked[1]); return; }
    const e = this.entries.find((o) => o.key === this.selected);
    const pass = e && this.lastPass(e);
    if (!e) this.app.say("Select a test first, or pick two with Space");
    else if (!pass) this.app.say("No other run in which this test passed is here. Pick two with Space");
    else void this.compare(pass.key, e.key);
  }

  pick(key: string): void {
    if (key === "") return;
    this.set({ picked: this.picked.includes(key) ? this.picked.filter((k) => k !== key) : [...this.picked.slice(-1), key] });
  }

  /** Sends dropped zips to the server; one is opened, two are compared. */
  async drop(files: File[]): Promise<void> {
    const ids: string[] = [];
    for (const f of files.slice(0, 8)) {
      const id = await this.take(upload(f, this.app.token), f.name);
      if (!id) return;
      ids.push(id);
    }
    const [a, b] = [...new Set(ids)];
    if (a && b && files.length === 2) this.app.goCompare(a, b);
    else if (a) this.app.goTrace(a);
  }
}

async function upload(f: File, token: string): Promise<{ id: string; name: string; live: boolean }> {
  const r = await fetch(`upload?name=${encodeURIComponent(f.name)}`, { method: "POST", body: f, headers: { Authorization: `Bearer ${token}` }, credentials: "omit" });
  if (!r.ok) throw { text: `${f.name}: ${(await r.text()).trim()}` };
  return r.json() as Promise<{ id: string; name: string; live: boolean }>;
}

const idOf = (e: Entry): string => `${e.test || e.place}\u0000${e.browser}`;

function verdict(tries: Entry[]): Row["verdict"] {
  const last = tries[tries.length - 1].verdict;
  if (last === "failed" || last === "broken") return last;
  if (last === "unread") return "unread";
  return tries.some((t) => t.verdict === "failed") ? "flaky" : "passed";
}

export function grouped(entries: Entry[], by: "run" | "test", filter: string, pill: Start["pill"]): Group[] {
  const runs = new Map<string, Map<string, Entry[]>>();
  for (const e of entries) {
    let run = runs.get(e.run);
    if (!run) runs.set(e.run, (run = new Map()));
    const list = run.get(idOf(e));
    if (list) list.push(e); else run.set(idOf(e), [e]);
  }
  const order = [...runs.keys()].sort((a, b) => latest(runs.get(a)!) - latest(runs.get(b)!));
  const histories = new Map<string, Bar[]>();
  const rows: { run: string; row: Row }[] = [];
  for (const run of order) for (const [id, tries] of runs.get(run)!) {
    // Tries of one test by number; files of the same test and number are runs of their own in time.
    tries.sort((a, b) => a.retry - b.retry || a.recorded - b.recorded);
    const v = verdict(tries);
    const history = histories.get(id) ?? [];
    histories.set(id, history);
    history.push({ verdict: v, run });
    rows.push({ run, row: { entry: tries[tries.length - 1], tries, verdict: v, history } });
  }
  for (const h of histories.values()) h.splice(0, h.length - RUNS);
  const words = filter.toLowerCase().split(/\s+/).filter((w) => w !== "");
  const groups = new Map<string, Group>();
  for (const { run, row } of rows) {
    const e = row.entry;
    if (pill !== "all" && row.verdict !== pill && !(pill === "failed" && row.verdict === "broken")) continue;
    if (!words.every((w) => `${e.test} ${e.place} ${e.browser} ${e.error}`.toLowerCase().includes(w))) continue;
    const name = by === "run" ? run : e.test || e.place;
    let g = groups.get(name);
    if (!g) groups.set(name, (g = { name, rows: [], counts: { failed: 0, flaky: 0, passed: 0, unread: 0, broken: 0 }, latest: 0 }));
    g.rows.push(row);
    g.counts[row.verdict]++;
    g.latest = Math.max(g.latest, e.recorded);
  }
  const list = [...groups.values()];
  for (const g of list) g.rows.sort((a, b) => RANK[a.verdict] - RANK[b.verdict] || (by === "test" ? b.entry.recorded - a.entry.recorded : 0) || a.entry.test.localeCompare(b.entry.test));
  const bad = (g: Group): number => (g.counts.failed + g.counts.broken > 0 ? 0 : g.counts.flaky > 0 ? 1 : 2);
  return list.sort((a, b) => (by === "test" ? bad(a) - bad(b) : 0) || b.latest - a.latest);
}

const latest = (run: Map<string, Entry[]>): number => Math.max(...[...run.values()].flat().map((e) => e.recorded));
