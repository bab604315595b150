// Columns of rows, in chunks that never move: tables only grow, and a table of
// a million rows must not be copied when row a million and one comes.

export type ColumnType = "byte" | "number" | "flags" | "text" | "ref" | "real" | "moment" | "count";

type Cells = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

const SHIFT = 14;
const SIZE = 1 << SHIFT;
const MASK = SIZE - 1;
const NO_MOMENT = 0xffffffff;

/** One column. A moment is microseconds since the recording's start, NaN where there is none. */
export abstract class Column {
  abstract readonly chunks: (Cells | undefined)[];
  /** What stands for nothing. */
  protected readonly nothing: number = 0;

  constructor(readonly name: string, readonly type: ColumnType) {}

  /** The cell of a row; of a row that has not come, what stands for nothing. */
  abstract at(row: number): number;

  set(row: number, value: number): void {
    this.chunk(row >> SHIFT)[row & MASK] = value;
  }

  private chunk(at: number): Cells {
    while (this.chunks.length < at) this.chunks.push(undefined);
    return (this.chunks[at] ??= this.room(SIZE));
  }

  /** Takes n cells as they come over the wire, for the rows from first on. Those that all stand for nothing take no room. */
  append(bin: Uint8Array, n: number, base: number, first: number): void {
    if (this.isOne(bin, n)) { this.fill(this.decode(bin, 1, base)[0], n, first); return; }
    const cells = this.decode(bin, n, base);
    for (let done = 0; done < n;) {
      const at = first + done, some = Math.min(n - done, SIZE - (at & MASK));
      const part = some === n ? cells : cells.subarray(done, done + some);
      if (this.chunks[at >> SHIFT] !== undefined || !this.empty(part)) this.chunk(at >> SHIFT).set(part, at & MASK);
      done += some;
    }
  }

  /** Takes the cells of some rows. */
  patch(bin: Uint8Array, rows: Uint32Array, base: number): void {
    const one = this.isOne(bin, rows.length), cells = this.decode(bin, one ? 1 : rows.length, base);
    for (let i = 0; i < rows.length; i++) this.set(rows[i], cells[one ? 0 : i]);
  }

  /** Whether one cell came for all rows. */
  private isOne(bin: Uint8Array, n: number): boolean {
    return n > 1 && this.type !== "moment" && this.type !== "count" && bin.length === (this.type === "byte" ? 1 : 4);
  }

  private fill(value: number, n: number, first: number): void {
    for (let at = first; at < first + n;) {
      const to = Math.min(first + n, (at | MASK) + 1);
      if (value !== this.nothing || this.chunks[at >> SHIFT] !== undefined) this.chunk(at >> SHIFT).fill(value, at & MASK, ((to - 1) & MASK) + 1);
      at = to;
    }
  }

  private empty(cells: Cells): boolean {
    const nothing = this.nothing;
    for (let i = 0; i < cells.length; i++) if (cells[i] !== nothing && (cells[i] === cells[i] || nothing === nothing)) return false;
    return true;
  }

  protected abstract room(n: number): Cells;

  /** Whether all cells stand for nothing, as far as is known without a look at each. */
  get bare(): boolean { return this.chunks.every((c) => c === undefined); }

  /** The cells of the first n rows in one array, a copy: loops over a million rows are several times as fast over it. */
  flat(n: number): Cells {
    const cells = this.room(n);
    for (let at = 0; at << SHIFT < n; at++) {
      const chunk = this.chunks[at], from = at << SHIFT;
      if (chunk) cells.set(n - from < SIZE ? chunk.subarray(0, n - from) : chunk, from);
    }
    return cells;
  }

  /** The cells that came, which stay good until the next are decoded. */
  private decode(bin: Uint8Array, n: number, base: number): Cells {
    const width = this.type === "byte" ? 1 : this.type === "count" ? 8 : this.type === "moment" && bin.length === n * 8 ? 8 : 4;
    if (bin.length !== n * width) throw new Error(`column ${this.name}: ${bin.length} bytes for ${n} rows`);
    if (this.type === "byte") return bin;
    const words = aligned(bin);
    if (width === 8) return new Float64Array(words.buffer, 0, n);
    if (this.type === "ref") return new Int32Array(words.buffer, 0, n);
    if (this.type === "real") return new Float32Array(words.buffer, 0, n);
    if (this.type !== "moment") return words;
    if (unpacked.length < n) unpacked = new Float64Array(n);
    for (let i = 0; i < n; i++) unpacked[i] = words[i] === NO_MOMENT ? NaN : base + words[i];
    return unpacked.subarray(0, n);
  }
}

// Cells on their way into a column lie here: what a million rows would leave
// behind costs more to collect than to take in.
let packed = new ArrayBuffer(64 << 10);
let unpacked = new Float64Array(4096);

/** The bytes as words, until the next call: in a message they may lie at any place. */
function aligned(bin: Uint8Array): Uint32Array {
  if (packed.byteLength < bin.length) packed = new ArrayBuffer(bin.length);
  new Uint8Array(packed).set(bin);
  return new Uint32Array(packed, 0, bin.length >> 2);
}

// A kind of cells has a class of its own, with the same few lines: engines
// read arrays of one type several times as fast as of five.

class Bytes extends Column {
  readonly chunks: (Uint8Array | undefined)[] = [];

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? 0 : chunk[row & MASK];
  }

  protected room(n: number): Uint8Array { return new Uint8Array(n); }
}

class Words extends Column {
  readonly chunks: (Uint32Array | undefined)[] = [];

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? 0 : chunk[row & MASK];
  }

  protected room(n: number): Uint32Array { return new Uint32Array(n); }
}

class Refs extends Column {
  readonly chunks: (Int32Array | undefined)[] = [];
  protected override readonly nothing = -1;

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? -1 : chunk[row & MASK];
  }

  protected room(n: number): Int32Array { return new Int32Array(n).fill(-1); }
}

class Reals extends Column {
  readonly chunks: (Float32Array | undefined)[] = [];

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? 0 : chunk[row & MASK];
  }

  protected room(n: number): Float32Array { return new Float32Array(n); }
}

class Moments extends Column {
  readonly chunks: (Float64Array | undefined)[] = [];
  protected override readonly nothing = NaN;

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? NaN : chunk[row & MASK];
  }

  protected room(n: number): Float64Array { return new Float64Array(n).fill(NaN); }
}

class Counts extends Column {
  readonly chunks: (Float64Array | undefined)[] = [];

  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? 0 : chunk[row & MASK];
  }

  protected room(n: number): Float64Array { return new Float64Array(n); }
}

const classes = { byte: Bytes, number: Words, flags: Words, text: Words, ref: Refs, real: Reals, moment: Moments, count: Counts };

export interface TableSchema {
  name: string;
  columns: { name: string; type: ColumnType }[];
}

/** A table: its columns by name, and how many rows it has. */
export class Table {
  rows = 0;
  readonly list: Column[];
  private readonly byName = new Map<string, Column>();

  constructor(readonly schema: TableSchema) {
    this.list = schema.columns.map((c) => new classes[c.type](c.name, c.type));
    for (const c of this.list) this.byName.set(c.name, c);
  }

  /** The column of that name; one the server does not send is an error of ours. */
  col(name: string): Column {
    const c = this.byName.get(name);
    if (!c) throw new Error(`${this.schema.name} has no column ${name}`);
    return c;
  }

  /** All cells of a column of moments, in one array. */
  moments(name: string): Float64Array { return this.col(name).flat(this.rows) as Float64Array; }

  append(first: number, count: number, base: number, bins: Uint8Array[]): void {
    if (first !== this.rows) throw new Error(`${this.schema.name}: row ${first} came after ${this.rows} rows`);
    this.list.forEach((c, i) => c.append(bins[i], count, base, first));
    this.rows = first + count;
  }

  patch(rows: Uint32Array, base: number, bins: Uint8Array[]): void {
    this.list.forEach((c, i) => c.patch(bins[i], rows, base));
  }
}
