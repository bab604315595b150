// What is worked out from a trace's tables, anew when they have changed.

import { Lane } from "./lanes";
import { ErrorSource, Flag, Kind, MAIN_FRAME, NONE, Phase, Req, Still } from "./schema";
import type { Trace } from "./trace";
import { Tree } from "./tree";

function range(n: number): Int32Array {
  const rows = new Int32Array(n);
  for (let i = 0; i < n; i++) rows[i] = i;
  return rows;
}

function group(t: { rows: number; col(name: string): { at(row: number): number } }): Map<number, number[]> {
  const by = new Map<number, number[]>();
  const action = t.col("action");
  for (let row = 0; row < t.rows; row++) {
    const a = action.at(row);
    const list = by.get(a);
    if (list) list.push(row); else by.set(a, [row]);
  }
  return by;
}

export class Derived {
  readonly tree: Tree;
  readonly actions: Lane;
  readonly groups: Lane;
  readonly protocol: Lane;
  readonly network: Lane;
  readonly console: Lane;
  readonly frames: Lane;
  readonly errors: Lane;
  private readonly snapshots: Map<number, number[]>;
  private readonly stills: Map<number, number[]>;
  private readonly inputs: Map<number, number[]>;
  readonly attachments: Map<number, number[]>;
  readonly failures: number[];
  /** Whether accessibility trees were recorded. */
  readonly hasTrees: boolean;

  constructor(readonly t: Trace, readonly version: number) {
    this.tree = new Tree(t);
    const { order, flags, kinds, starts } = this.tree, n = order.length, sorts = new Uint8Array(n), counts = [0, 0, 0], failed = new Uint8Array(n);
    this.failures = [];
    for (let i = 0; i < n; i++) {
      const row = order[i], k = kinds[row];
      const sort = k === Kind.protocol ? 2 : k === Kind.group || k === Kind.hook || this.tree.hasChildren(row) && !(flags[row] & Flag.call) ? 1 : 0;
      if (sort > 0) sorts[i] = sort;
      counts[sort]++;
      if (!(flags[row] & Flag.failed)) continue;
      failed[row] = 1;
      if (k !== Kind.protocol) this.failures.push(row);
    }
    const [leaves, groups, protocol] = counts.map((n, sort) => {
      if (n === order.length) return order;
      const rows = new Int32Array(n);
      for (let i = 0, at = 0; at < n; i++) if (sorts[i] === sort) rows[at++] = order[i];
      return rows;
    });
    const ends = t.actions.moments("end");
    this.actions = new Lane(leaves, starts, ends, t.end, failed, 3);
    this.groups = new Lane(groups, starts, ends, t.end, failed, 4);
    this.protocol = new Lane(protocol, starts, ends, t.end, failed);
    this.network = this.networkLane();
    this.console = this.at("console", (r) => ["error", "stderr", "assert"].includes(t.text(t.console, "level", r)));
    this.errors = this.at("errors", () => true);
    this.frames = this.at("frames", () => false);
    this.snapshots = group(t.snapshots);
    this.stills = group(t.stills);
    this.inputs = group(t.inputs);
    this.attachments = group(t.attachments);
    const what = t.stills.col("kind");
    this.hasTrees = range(t.stills.rows).some((r) => what.at(r) === Still.aria);
  }

  private at(table: "console" | "errors" | "frames", bad: (row: number) => boolean): Lane {
    const times = this.t[table].moments("time"), all = range(times.length);
    return new Lane(all.filter((r) => times[r] === times[r]), times, times, NaN, Uint8Array.from(all, (r) => Number(bad(r))));
  }

  private networkLane(): Lane {
    const n = this.t.network, all = range(n.rows);
    return new Lane(all, n.moments("start"), n.moments("end"), NaN, Uint8Array.from(all, (r) => Number(bad(this.t, r))), 4);
  }

  /** The first step that something can be seen of: a page or a picture. -1 if there is none. */
  firstSeen(): number {
    if (this.snapshots.size === 0 && this.stills.size === 0) return NONE;
    return this.tree.order.find((r) => this.own(r, Phase.after) !== NONE || this.own(r, Phase.before) !== NONE || this.still(r) !== NONE) ?? NONE;
  }

  /** The DOM snapshot of the main frame that an action has for a phase; -1 if none. */
  own(action: number, phase: number): number {
    const s = this.t.snapshots;
    for (const row of this.snapshots.get(action) ?? []) {
      if (s.col("phase").at(row) === phase && s.col("flags").at(row) & MAIN_FRAME) return row;
    }
    return NONE;
  }

  /** The snapshot that a tab shows for an action: its own, or the one nearest in meaning. */
  snapshot(action: number, phase: number): number {
    if (action < 0) return NONE;
    const own = this.own(action, phase);
    if (own !== NONE) return own;
    if (phase === Phase.during) return this.snapshot(action, Phase.after);
    if (phase === Phase.before) return this.lastAfter((r) => this.t.actionEnd(r) <= this.t.num(this.t.actions, "start", action), action);
    const from = this.t.num(this.t.actions, "start", action), to = this.t.actionEnd(action);
    const inside = this.lastAfter((r) => this.t.actionEnd(r) >= from && this.t.actionEnd(r) <= to, action);
    return inside !== NONE ? inside : this.snapshot(action, Phase.before);
  }

  private lastAfter(fits: (row: number) => boolean, but: number): number {
    let best = NONE, latest = -Infinity;
    for (const [action] of this.snapshots) {
      if (action < 0 || action === but || !fits(action)) continue;
      const end = this.t.actionEnd(action);
      if (end <= latest) continue;
      const own = this.own(action, Phase.after);
      if (own !== NONE) { best = own; latest = end; }
    }
    return best;
  }

  /** The full picture, or accessibility tree, that an action has, of a phase or after it if there are several. */
  still(action: number, kind: number = Still.screenshot, phase: number = Phase.none): number {
    const s = this.t.stills;
    const rows = (this.stills.get(action) ?? []).filter((r) => this.t.num(s, "kind", r) === kind && (phase === Phase.none || this.t.num(s, "phase", r) === phase));
    return rows.length > 0 ? rows.reduce((x, y) => (this.t.num(this.t.stills, "phase", y) >= this.t.num(this.t.stills, "phase", x) ? y : x)) : NONE;
  }

  /** The accessibility tree of an action, or of the last step before it that has one. */
  ariaOf(action: number): number {
    const own = this.still(action, Still.aria);
    if (own !== NONE || action < 0) return own;
    const s = this.t.stills, end = this.t.actionEnd(action);
    let best = NONE;
    for (let r = 0; r < s.rows; r++) if (this.t.num(s, "kind", r) === Still.aria && this.t.num(s, "time", r) <= end && (best === NONE || this.t.num(s, "time", r) >= this.t.num(s, "time", best))) best = r;
    return best;
  }

  /** The last place where an action acted; -1 if it is not known. */
  input(action: number): number {
    return this.inputs.get(action)?.at(-1) ?? NONE;
  }

  /** The screencast frame that was on screen at a moment, of one page if that is known; -1 if none. */
  frameAt(time: number, page = NONE): number {
    const pages = this.t.frames.col("page");
    for (let i = this.frames.lower(time + 1) - 1, tries = 0; i >= 0 && tries < 2000; i--, tries++) {
      const row = this.frames.rows[i];
      if (page === NONE || pages.at(row) === page) return row;
    }
    return this.frames.length > 0 && page === NONE ? this.frames.rows[0] : NONE;
  }

  /** The step to look at first when something failed: the last one that failed by itself. -1 if nothing failed. */
  culprit(): number {
    const kind = this.t.actions.col("kind");
    const parent = this.t.actions.col("parent");
    const around = new Set(this.failures.map((r) => parent.at(r)));
    const leaf = this.failures.filter((r) => !around.has(r));
    return leaf.findLast((r) => !this.inHook(r) && kind.at(r) !== Kind.hook) ?? leaf.at(-1) ?? this.suspect();
  }

  /** The last step that took all the time it had, where no failure is written down. -1 if there is none. */
  suspect(): number {
    return this.failures.length === 0 && this.t.limits ? Math.max(NONE, ...this.t.limits.keys()) : NONE;
  }

  private inHook(row: number): boolean {
    const parent = this.t.actions.col("parent"), kind = this.t.actions.col("kind");
    for (let r = parent.at(row), n = 0; r >= 0 && n < 1000; r = parent.at(r), n++) if (kind.at(r) === Kind.hook && /after/i.test(this.t.text(this.t.actions, "title", r))) return true;
    return false;
  }

  /** Whether the test as a whole failed. */
  failed(): boolean {
    const source = this.t.errors.col("source");
    for (let r = 0; r < this.t.errors.rows; r++) if (source.at(r) === ErrorSource.test) return true;
    return this.failures.length > 0;
  }
}

/** Whether a request went wrong: no answer, or one that says so. */
export function bad(t: Trace, row: number): boolean {
  const flags = t.num(t.network, "flags", row);
  return (flags & (Req.failed | Req.aborted)) !== 0 || t.num(t.network, "status", row) >= 400;
}
