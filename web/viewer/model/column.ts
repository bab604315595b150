// Columns of rows, in chunks that never move: tables only grow, and a table of
// a million rows must not be copied when row a million and one comes.

export type ColumnType = "byte" | "number" | "flags" | "text" | "ref" | "real" | "moment" | "count";

type Cells = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array;

const SHIFT = 14;
const SIZE = 1 << SHIFT;
const MASK = SIZE - 1;
const NO_MOMENT = 0xffffffff;

/** One column. A moment is microseconds since the recording's start, NaN where there is none. */
export class Column {
  readonly chunks: Cells[] = [];

  constructor(readonly name: string, readonly type: ColumnType) {}

  /** The cell of a row; of a row that has not come, what stands for nothing. */
  at(row: number): number {
    const chunk = this.chunks[row >> SHIFT];
    return chunk === undefined ? this.nothing : chunk[row & MASK];
  }

  private get nothing(): number {
    return this.type === "ref" ? -1 : this.type === "moment" ? NaN : 0;
  }

  set(row: number, value: number): void {
    while (this.chunks.length <= row >> SHIFT) this.chunks.push(this.room());
    this.chunks[row >> SHIFT][row & MASK] = value;
  }

  /** Takes n cells as they come over the wire and puts them at the rows that `to` names. */
  take(bin: Uint8Array, n: number, base: number, to: (i: number) => number): void {
    const cells = this.decode(bin, n, base);
    for (let i = 0; i < n; i++) this.set(to(i), cells[i]);
  }

  private room(): Cells {
    switch (this.type) {
      case "byte": return new Uint8Array(SIZE);
      case "ref": return new Int32Array(SIZE);
      case "real": return new Float32Array(SIZE);
      case "moment": case "count": return new Float64Array(SIZE);
      default: return new Uint32Array(SIZE);
    }
  }

  private decode(bin: Uint8Array, n: number, base: number): Cells {
    const width = this.type === "byte" ? 1 : this.type === "count" ? 8 : this.type === "moment" && bin.length === n * 8 ? 8 : 4;
    if (bin.length !== n * width) throw new Error(`column ${this.name}: ${bin.length} bytes for ${n} rows`);
    if (this.type === "byte") return bin;
    const copy = bin.slice().buffer; // aligned
    if (width === 8) return new Float64Array(copy);
    if (this.type === "ref") return new Int32Array(copy);
    if (this.type === "real") return new Float32Array(copy);
    const words = new Uint32Array(copy);
    if (this.type !== "moment") return words;
    return Float64Array.from(words, (w) => (w === NO_MOMENT ? NaN : base + w));
  }
}

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
    this.list = schema.columns.map((c) => new Column(c.name, c.type));
    for (const c of this.list) this.byName.set(c.name, c);
  }

  /** The column of that name; one the server does not send is an error of ours. */
  col(name: string): Column {
    const c = this.byName.get(name);
    if (!c) throw new Error(`${this.schema.name} has no column ${name}`);
    return c;
  }

  append(first: number, count: number, base: number, bins: Uint8Array[]): void {
    if (first !== this.rows) throw new Error(`${this.schema.name}: row ${first} came after ${this.rows} rows`);
    this.list.forEach((c, i) => c.take(bins[i], count, base, (at) => first + at));
    this.rows = first + count;
  }

  patch(rows: Uint32Array, base: number, bins: Uint8Array[]): void {
    this.list.forEach((c, i) => c.take(bins[i], rows.length, base, (at) => rows[at]));
  }
}
