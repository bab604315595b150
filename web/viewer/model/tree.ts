// The actions as a tree: which rows a list shows, in which order and how deep.

import { Flag, HIDDEN, Kind, NONE } from "./schema";
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
  /** Of all rows, by row; nobody may change them. */
  readonly starts: Float64Array;
  readonly kinds: Uint8Array;
  readonly flags: Uint32Array;
  private readonly sorted: boolean; // rows have come in the order of time
  private readonly nested: boolean = false; // whether any row is inside of another
  /** Rows that failed, or in which something failed. */
  readonly trouble: Uint8Array;

  constructor(private readonly t: Trace) {
    const a = t.actions, n = a.rows, start = this.starts = a.moments("start"), parents = a.col("parent");
    this.kinds = a.col("kind").flat(n) as Uint8Array;
    this.flags = a.col("flags").flat(n) as Uint32Array;
    const order = new Int32Array(n);
    let sorted = true;
    for (let i = 0, last = -Infinity; i < n; i++) {
      const at = start[i];
      if (!(at >= last)) sorted = false;
      last = at;
      order[i] = i;
    }
    if (!sorted) order.sort((a, b) => start[a] - start[b] || a - b);
    this.order = order;
    this.sorted = sorted;
    this.root = n;
    this.trouble = new Uint8Array(n);
    const parent = parents.bare ? new Int32Array() : parents.flat(n);
    this.first = new Int32Array(parent.length && n + 1).fill(NONE);
    this.next = new Int32Array(parent.length);
    if (parent.length > 0) this.nested = this.nest(parent);
    for (let row = 0; row < n; row++) if (this.flags[row] & Flag.failed) this.blame(row, parent);
  }

  /** Links each row with the one around it, and reports whether there is any. */
  private nest(parent: ArrayLike<number>): boolean {
    const { order, first, next, root } = this;
    let nested = false;
    for (let i = order.length - 1; i >= 0; i--) {
      const row = order[i], p = parent[row];
      const above = p >= 0 && p < root && p !== row ? p : root;
      if (above !== root) nested = true;
      next[row] = first[above];
      first[above] = row;
    }
    return nested;
  }

  private blame(row: number, parent: ArrayLike<number>): void {
    while (row >= 0 && row < this.trouble.length && !this.trouble[row]) {
      this.trouble[row] = 1;
      row = parent[row] ?? NONE;
    }
  }

  hasChildren(row: number): boolean { return this.nested && this.first[row] !== NONE; }

  /** Whether anything that is shown is inside a row. */
  hasShown(row: number, shown: Shown): boolean {
    if (!this.nested) return false;
    for (let c = this.first[row]; c !== NONE; c = this.next[c]) {
      if (this.visible(c, shown)) return true;
      if (!this.isProtocol(c) && this.hasShown(c, shown)) return true;
    }
    return false;
  }

  isProtocol(row: number): boolean { return this.kinds[row] === Kind.protocol; }

  visible(row: number, shown: Shown): boolean {
    if (!shown.protocol && this.isProtocol(row)) return false;
    const flags = this.flags[row];
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
    if (!this.nested) return this.plain((row) => this.visible(row, shown) && (!match || match(row)));
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

  /** The rows of a tree in which nothing is inside of anything. */
  private plain(fits: (row: number) => boolean): Flat {
    const { order } = this, depth = new Uint16Array(order.length), fitting = new Uint8Array(order.length);
    let n = 0;
    for (let i = 0; i < order.length; i++) if (fits(order[i])) { fitting[i] = 1; n++; }
    if (n === order.length && this.sorted) return { rows: order, depth, at: (row) => (row >= 0 && row < n ? row : NONE), matched: n };
    const rows = new Int32Array(n), place = new Int32Array(order.length).fill(NONE);
    for (let i = 0, at = 0; at < n; i++) if (fitting[i]) { place[order[i]] = at; rows[at++] = order[i]; }
    return { rows, depth: depth.subarray(0, n), at: (row) => place[row] ?? NONE, matched: n };
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
