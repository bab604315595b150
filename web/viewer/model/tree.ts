// The actions as a tree: which rows a list shows, in which order and how deep.

import { Flag, HIDDEN, Kind, NONE } from "./schema";
import type { Column } from "./column";
import type { Trace } from "./trace";

export interface Shown { protocol: boolean; hidden: boolean }

export interface Flat {
  rows: Int32Array;
  depth: Uint16Array;
  /** Where a row stands in rows; -1 if it is not shown. */
  at(row: number): number;
  /** How many rows the filter itself let through; the others are around them. */
  matched: number;
}

export class Tree {
  /** Rows by start. */
  readonly order: Int32Array;
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  private readonly root: number;
  private readonly kind: Column;
  private readonly flags: Column;
  /** Rows that failed, or in which something failed. */
  readonly trouble: Uint8Array;

  constructor(private readonly t: Trace) {
    const n = t.actions.rows;
    const start = t.actions.col("start"), parent = t.actions.col("parent"), flags = t.actions.col("flags");
    this.kind = t.actions.col("kind");
    this.flags = flags;
    this.order = new Int32Array(n);
    let sorted = true;
    for (let i = 0, last = -Infinity; i < n; i++) {
      const at = start.at(i);
      sorted &&= at >= last;
      last = at;
      this.order[i] = i;
    }
    if (!sorted) this.order.sort((a, b) => start.at(a) - start.at(b) || a - b);
    this.first = new Int32Array(n + 1).fill(NONE);
    this.next = new Int32Array(n).fill(NONE);
    this.trouble = new Uint8Array(n);
    this.root = n;
    for (let i = n - 1; i >= 0; i--) {
      const row = this.order[i];
      const p = parent.at(row);
      const above = p >= 0 && p < n && p !== row ? p : n;
      this.next[row] = this.first[above];
      this.first[above] = row;
      if (flags.at(row) & Flag.failed) this.blame(row, parent);
    }
  }

  private blame(row: number, parent: { at(row: number): number }): void {
    while (row >= 0 && row < this.trouble.length && !this.trouble[row]) {
      this.trouble[row] = 1;
      row = parent.at(row);
    }
  }

  hasChildren(row: number): boolean { return this.first[row] !== NONE; }

  /** Whether anything that is shown is inside a row. */
  hasShown(row: number, shown: Shown): boolean {
    for (let c = this.first[row]; c !== NONE; c = this.next[c]) {
      if (this.visible(c, shown)) return true;
      if (!this.isProtocol(c) && this.hasShown(c, shown)) return true;
    }
    return false;
  }

  private isProtocol(row: number): boolean { return this.kind.at(row) === Kind.protocol; }

  visible(row: number, shown: Shown): boolean {
    if (!shown.protocol && this.isProtocol(row)) return false;
    const flags = this.flags.at(row);
    return shown.hidden || (flags & HIDDEN) === 0 || (flags & Flag.failed) !== 0;
  }

  /** The how manieth step a row is, of how many. */
  rank(row: number, shown: Shown): [number, number] {
    let nth = 0, all = 0;
    for (const r of this.order) {
      if (!this.visible(r, shown)) continue;
      all++;
      if (r === row) nth = all;
    }
    return [nth, all];
  }

  flatten(shown: Shown, expanded: (row: number) => boolean, match?: (row: number) => boolean): Flat {
    const place = new Int32Array(this.order.length).fill(NONE);
    const all = new Int32Array(this.order.length), deep = new Uint16Array(this.order.length);
    const flat: Flat = { rows: all, depth: deep, at: (row) => place[row] ?? NONE, matched: 0 };
    let n = 0;
    const keep = match ? this.kept(shown, match, flat) : undefined;
    const rows = [this.first[this.root]], depths = [0]; // a stack
    while (rows.length > 0) {
      const row = rows.pop()!, depth = depths.pop()!;
      if (row === NONE) continue;
      rows.push(this.next[row]);
      depths.push(depth);
      const here = this.visible(row, shown) && (!keep || keep[row] === 1);
      if (here) {
        place[row] = n;
        all[n] = row;
        if (depth > 0) deep[n] = depth;
        n++;
      }
      if (this.first[row] === NONE || here && !keep && !expanded(row)) continue;
      rows.push(this.first[row]);
      depths.push(here ? depth + 1 : depth);
    }
    flat.rows = all.subarray(0, n);
    flat.depth = deep.subarray(0, n);
    if (!match) flat.matched = n;
    return flat;
  }

  /** Rows that match, and all rows around them. */
  private kept(shown: Shown, match: (row: number) => boolean, flat: Flat): Uint8Array {
    const keep = new Uint8Array(this.order.length);
    const parent = this.t.actions.col("parent");
    for (const row of this.order) {
      if (!this.visible(row, shown) || !match(row)) continue;
      flat.matched++;
      for (let r = row; r >= 0 && r < keep.length && !keep[r]; r = parent.at(r)) keep[r] = 1;
    }
    return keep;
  }
}
