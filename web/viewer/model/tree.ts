// The actions as a tree: which rows a list shows, in which order and how deep.

import { Flag, HIDDEN, Kind, NONE } from "./schema";
import type { Trace } from "./trace";

export interface Shown { protocol: boolean; hidden: boolean }

export interface Flat {
  rows: number[];
  depth: number[];
  /** Where a row stands in rows. */
  at: Map<number, number>;
  /** How many rows the filter itself let through; the others are around them. */
  matched: number;
}

export class Tree {
  /** Rows by start. */
  readonly order: Int32Array;
  private readonly first: Int32Array;
  private readonly next: Int32Array;
  private readonly root: number;
  /** Rows that failed, or in which something failed. */
  readonly trouble: Uint8Array;

  constructor(private readonly t: Trace) {
    const n = t.actions.rows;
    const start = t.actions.col("start"), parent = t.actions.col("parent"), flags = t.actions.col("flags");
    this.order = Int32Array.from({ length: n }, (_, i) => i).sort((a, b) => start.at(a) - start.at(b) || a - b);
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

  private isProtocol(row: number): boolean { return this.t.num(this.t.actions, "kind", row) === Kind.protocol; }

  visible(row: number, shown: Shown): boolean {
    if (!shown.protocol && this.isProtocol(row)) return false;
    const flags = this.t.num(this.t.actions, "flags", row);
    return shown.hidden || (flags & HIDDEN) === 0 || (flags & Flag.failed) !== 0;
  }

  flatten(shown: Shown, expanded: (row: number) => boolean, match?: (row: number) => boolean): Flat {
    const flat: Flat = { rows: [], depth: [], at: new Map(), matched: 0 };
    const keep = match ? this.kept(shown, match, flat) : undefined;
    const stack: [number, number][] = [[this.first[this.root], 0]];
    while (stack.length > 0) {
      const [row, depth] = stack.pop()!;
      if (row === NONE) continue;
      stack.push([this.next[row], depth]);
      const here = this.visible(row, shown) && (!keep || keep[row] === 1);
      if (here) {
        flat.at.set(row, flat.rows.length);
        flat.rows.push(row);
        flat.depth.push(depth);
      }
      if (!here || keep || expanded(row)) stack.push([this.first[row], here ? depth + 1 : depth]);
    }
    if (!match) flat.matched = flat.rows.length;
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
