// Rows of a lane in the order of time, ready to be asked for a stretch of it.

const BLOCK_BITS = 8;
const BLOCK = 1 << BLOCK_BITS;

export class Lane {
  readonly rows: Int32Array;
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** In which of the lane's lines a row is drawn, so that none covers another. */
  readonly line: Uint8Array;
  /** How many rows with a mark come before each. */
  readonly marks: Uint32Array;
  /** How many lines are in use. */
  lines = 1;
  private readonly latest: Float64Array; // running maximum of ends, a value a block

  /**
   * Start, end and bad are those of all rows of the table, by row; a row
   * without an end lasts until open, or, if that is NaN, no time at all. The
   * rows stay the lane's; what is not written (no marks, one line) takes no
   * memory.
   */
  constructor(rows: Int32Array, start: Float64Array, end: Float64Array, open: number, bad: Uint8Array | undefined, most = 1) {
    const n = rows.length;
    const times = gather(start, rows);
    this.rows = rows;
    this.starts = times;
    if (!sorted(times)) {
      const order = new Uint32Array(n);
      for (let i = 0; i < n; i++) order[i] = i;
      order.sort((a, b) => times[a] - times[b] || a - b);
      this.rows = Int32Array.from(order, (i) => rows[i]);
      this.starts = Float64Array.from(order, (i) => times[i]);
    }
    this.ends = new Float64Array(n);
    this.line = new Uint8Array(n);
    this.marks = new Uint32Array(n + 1);
    this.latest = new Float64Array(Math.ceil(n / BLOCK));
    this.measure(end, open);
    if (bad) for (let i = 0, marked = 0; i < n; i++) {
      if (bad[this.rows[i]] !== 0) marked++;
      if (marked > 0) this.marks[i + 1] = marked;
    }
    if (most > 1) this.pack(most);
  }

  private measure(end: Float64Array, open: number): void {
    const { rows, starts, ends, latest } = this;
    for (let i = 0, most = -Infinity; i < rows.length; i++) {
      const from = starts[i];
      let to = end[rows[i]];
      if (to !== to) to = open; // NaN
      if (!(to >= from)) to = from;
      ends[i] = to;
      if (to > most) most = to;
      latest[i >> BLOCK_BITS] = most;
    }
  }

  get length(): number { return this.rows.length; }

  /** Puts each row in the first line that is free; when all are taken, in the one that is free first. */
  private pack(most: number): void {
    const free = new Float64Array(most).fill(-Infinity);
    const { starts, ends, line } = this;
    for (let i = 0; i < starts.length; i++) {
      let best = 0;
      for (let l = 0; l < most; l++) {
        if (free[l] <= starts[i]) { best = l; break; }
        if (free[l] < free[best]) best = l;
      }
      if (best > 0) line[i] = best;
      if (ends[i] > free[best]) free[best] = ends[i];
      if (best >= this.lines) this.lines = best + 1;
    }
  }

  /** The first place whose row starts at t or later. */
  lower(t: number): number {
    let lo = 0, hi = this.length;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (this.starts[mid] < t) lo = mid + 1; else hi = mid;
    }
    return lo;
  }

  /** Places [lo, hi) hold every row that is at work between from and to; some at the beginning may have ended. */
  window(from: number, to: number): [number, number] {
    let lo = 0, hi = this.latest.length;
    while (lo < hi) {
      const mid = (lo + hi) >>> 1;
      if (this.latest[mid] < from) lo = mid + 1; else hi = mid;
    }
    return [Math.min(lo * BLOCK, this.length), this.lower(to + 1e-9)];
  }

  /** The place of the row at a moment, within some slack; the latest to start wins. -1 if there is none. */
  find(t: number, slack: number, line: number): number {
    const [lo, hi] = this.window(t - slack, t + slack);
    for (let i = hi - 1; i >= lo; i--) if (this.line[i] === line && this.ends[i] >= t - slack) return i;
    return -1;
  }

  /** How many rows start in each of n stretches, and how many of them have a mark. */
  density(from: number, to: number, n: number): { counts: Uint32Array; marks: Uint32Array } {
    const counts = new Uint32Array(n), marks = new Uint32Array(n);
    let before = this.lower(from);
    for (let i = 0; i < n; i++) {
      const next = this.lower(from + ((to - from) * (i + 1)) / n);
      counts[i] = next - before;
      marks[i] = this.marks[next] - this.marks[before];
      before = next;
    }
    return { counts, marks };
  }
}

/** The cells of some rows; of all of them in their order, the cells themselves. */
function gather(cells: Float64Array, rows: Int32Array): Float64Array {
  let same = rows.length === cells.length;
  for (let i = 0; same && i < rows.length; i++) same = rows[i] === i;
  if (same) return cells;
  const out = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) out[i] = cells[rows[i]];
  return out;
}

function sorted(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if (times[i] < times[i - 1]) return false;
  return true;
}
