// The messages of package viewer/wire, and what they do to a trace.

import { decode, encode } from "@msgpack/msgpack";
import type { TableSchema } from "./column";
import type { Meta, State, Trace } from "./trace";

export interface Welcome {
  program: string;
  content: string;
  traces: { id: string; name: string; live: boolean }[];
  opened?: string;
  tables: TableSchema[];
  compare: boolean;
  start: boolean;
}

export interface Answer { json: unknown; done: boolean }

export interface Failure { code: string; text: string; hint: string }

export type Incoming =
  | { op: "welcome"; version: number; welcome: Welcome }
  | { op: "meta" | "state" | "reset" | "strs" | "rows" | "patch"; ref: number; parts: unknown[] }
  | { op: "lod"; ref: number; from: number; width: number; counts: Uint32Array }
  | { op: "res"; ref: number; answer: Answer }
  | { op: "err"; ref: number; failure: Failure };

const text = new TextDecoder();

export const message = (op: string, ref: number, ...parts: unknown[]): Uint8Array => encode([op, ref, ...parts]);

export function words(bin: unknown): Uint32Array {
  if (!(bin instanceof Uint8Array) || bin.length % 4 !== 0) throw new Error("not a column of words");
  return new Uint32Array(bin.slice().buffer);
}

export function parse(frame: ArrayBuffer): Incoming {
  const [op, ref, ...parts] = decode(frame) as [string, number, ...unknown[]];
  switch (op) {
    case "welcome":
      return { op, version: parts[0] as number, welcome: parts[1] as Welcome };
    case "meta": case "state": case "reset": case "strs": case "rows": case "patch":
      return { op, ref, parts };
    case "lod":
      return { op, ref, from: parts[1] as number, width: parts[2] as number, counts: words((parts[3] as unknown[])[0]) };
    case "res":
      return { op, ref, answer: { json: JSON.parse(text.decode(parts[0] as Uint8Array)), done: parts[1] as boolean } };
    case "err":
      return { op, ref, failure: { code: parts[0] as string, text: parts[1] as string, hint: parts[2] as string } };
  }
  throw new Error(`the server says ${op}, which this page does not know`);
}

/** Ops whose frames cost the server a credit. */
export const COSTS = new Set(["strs", "rows", "patch"]);

/** Does to the trace what a message says. */
export function apply(t: Trace, op: string, parts: unknown[]): void {
  switch (op) {
    case "reset":
      t.reset(parts[0] as string);
      break;
    case "meta":
      t.meta = { ...(parts[0] as Meta), contexts: (parts[0] as Meta).contexts ?? [] };
      break;
    case "state": {
      const end = t.end;
      t.state = { ...(parts[0] as State), warnings: (parts[0] as State).warnings ?? [] };
      if (t.end === end) return; // nothing that is worked out depends on the rest
      break;
    }
    case "strs":
      t.strings.take(words(parts[0]), words(parts[1]), parts[2] as Uint8Array);
      break;
    case "rows": {
      const [table, first, count, base, bins] = parts as [string, number, number, number, Uint8Array[]];
      t.tables[table].append(first, count, base, bins);
      break;
    }
    case "patch": {
      const [table, to, base, rows, bins] = parts as [string, number, number, unknown, Uint8Array[]];
      t.tables[table].patch(words(rows), base, bins);
      if (to >= 0) t.patches = to;
    }
  }
  t.version++;
}
