// One time axis for two traces. By step, every pair of steps begins at the same
// place in both, and what lies between is stretched; by the clock, nothing is.

import type { Comparison } from "./model";

export class Axis {
  readonly end: number;
  private readonly u: number[] = [0];
  private readonly times: { a: number[]; b: number[] } = { a: [0], b: [0] };

  constructor(c: Comparison, readonly wall: boolean) {
    const start = (t: Comparison["a"], row: number): number => t.num(t.actions, "start", row);
    for (const p of c.pairs) {
      if (p.a < 0 || p.b < 0) continue;
      const a = start(c.a, p.a), b = start(c.b, p.b), n = this.u.length - 1;
      // Steps inside others and side by side do not all follow each other: only those that do hold the axis.
      if (!(a > this.times.a[n]) || !(b > this.times.b[n])) continue;
      this.add(a, b);
    }
    const n = this.u.length - 1;
    this.add(Math.max(c.a.end, this.times.a[n] + 1), Math.max(c.b.end, this.times.b[n] + 1));
    this.end = wall ? Math.max(c.a.end, c.b.end) : this.u[this.u.length - 1];
  }

  private add(a: number, b: number): void {
    const n = this.u.length - 1;
    this.u.push(this.u[n] + Math.max(a - this.times.a[n], b - this.times.b[n]));
    this.times.a.push(a);
    this.times.b.push(b);
  }

  /** Where a moment of one side lies on the axis. */
  place(side: "a" | "b", t: number): number {
    return this.wall ? t : between(this.times[side], this.u, t);
  }

  /** The moment of one side that lies at a place of the axis. */
  moment(side: "a" | "b", u: number): number {
    return this.wall ? u : between(this.u, this.times[side], u);
  }

  /** The moment of the other side that belongs to one: where the same steps are. */
  across(side: "a" | "b", t: number): number {
    return between(this.times[side], this.times[side === "a" ? "b" : "a"], t);
  }
}

function between(from: number[], to: number[], x: number): number {
  let lo = 0, hi = from.length - 1;
  while (lo < hi - 1) {
    const mid = (lo + hi) >> 1;
    if (from[mid] <= x) lo = mid; else hi = mid;
  }
  const width = from[hi] - from[lo];
  const share = width > 0 ? Math.max(0, Math.min(1, (x - from[lo]) / width)) : 0;
  return to[lo] + share * (to[hi] - to[lo]);
}
