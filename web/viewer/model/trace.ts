// One trace as far as it has come over the wire.

import { Table, type TableSchema } from "./column";
import { Strings } from "./strings";

export interface Context {
  origin: string; browser: string; channel: string; producer: string; version: number; platform: string; language: string;
  title: string; file: string; testId: string; timeout: number; width: number; height: number; options: string;
}

export interface Meta {
  id: string; name: string; content: string; start: number; live: boolean; bytes: number; contexts: Context[];
}

export interface Warning { code: string; place: string; text: string }

export interface State {
  rows: Record<string, number>; bytes: number; total: number; took: number; end: number;
  done: boolean; live: boolean; bad: number; warnings: Warning[]; error: string;
}

export class Trace {
  meta: Meta | undefined;
  state: State | undefined;
  epoch = "";
  patches = 0;
  /** Goes up with every change; what is derived remembers at which it was. */
  version = 0;
  tables: Record<string, Table> = {};
  strings = new Strings();
  /** Its first steps have been drawn. */
  begun = false;
  /** Steps that took all the time they had, in milliseconds, of a recorder that writes no errors down; undefined until that is known. */
  limits: Map<number, number> | undefined;
  /** Call ids of actions, as far as somebody asked. */
  ids = new Map<number, string>();

  constructor(readonly id: string, private readonly schemas: TableSchema[]) {
    this.reset("");
  }

  reset(epoch: string): void {
    this.epoch = epoch;
    this.patches = 0;
    this.tables = Object.fromEntries(this.schemas.map((s) => [s.name, new Table(s)]));
    this.strings = new Strings();
    this.ids = new Map();
    this.limits = undefined;
    this.version++;
  }

  get actions(): Table { return this.tables["actions"]; }
  get network(): Table { return this.tables["network"]; }
  get console(): Table { return this.tables["console"]; }
  get errors(): Table { return this.tables["errors"]; }
  get frames(): Table { return this.tables["frames"]; }
  get snapshots(): Table { return this.tables["snapshots"]; }
  get stills(): Table { return this.tables["stills"]; }
  get inputs(): Table { return this.tables["inputs"]; }
  get pages(): Table { return this.tables["pages"]; }
  get attachments(): Table { return this.tables["attachments"]; }

  text(t: Table, column: string, row: number): string {
    return this.strings.get(t.col(column).at(row));
  }

  num(t: Table, column: string, row: number): number {
    return t.col(column).at(row);
  }

  /** The last moment that anything tells of, at least a millisecond. */
  get end(): number {
    return Math.max(this.state?.end ?? 0, 1000);
  }

  /** Whether the trace has been read to its end and all rows are here. */
  get complete(): boolean {
    return this.rest() === 0;
  }

  /** How many rows of a trace that has been read to its end are not here yet; endless while it is being read. */
  rest(): number {
    const s = this.state;
    return s?.done ? Object.values(this.tables).reduce((n, t) => n + Math.max(0, (s.rows[t.schema.name] ?? 0) - t.rows), 0) : Infinity;
  }

  /** When an action ended, the trace's end if it has not. */
  actionEnd(row: number): number {
    const end = this.num(this.actions, "end", row);
    return Number.isNaN(end) ? this.end : end;
  }

  /** How many rows of each table there are, for taking up a lost connection. */
  has(): Record<string, number> {
    return Object.fromEntries(Object.values(this.tables).map((t) => [t.schema.name, t.rows]));
  }
}
