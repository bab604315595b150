import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableSchema } from "./column";
import { Flag, Kind } from "./schema";
import { Trace } from "./trace";
import { Tree } from "./tree";

const names = ["start", "end", "parent", "kind", "flags"] as const;
const types = { start: "moment", end: "moment", parent: "ref", kind: "byte", flags: "flags" } as const;
const SCHEMAS: TableSchema[] = [{ name: "actions", columns: names.map((name) => ({ name, type: types[name] })) }];

function trace(rows: { start: number; parent?: number; kind?: number; flags?: number }[]): Trace {
  const t = new Trace("x", SCHEMAS);
  rows.forEach((r, i) => {
    for (const [name, v] of [["start", r.start], ["end", r.start + 1], ["parent", r.parent ?? -1], ["kind", r.kind ?? Kind.call], ["flags", r.flags ?? 0]] as const) t.actions.col(name).set(i, v);
  });
  t.actions.rows = rows.length;
  return t;
}

const all = { protocol: false, hidden: false };
const open = (): boolean => true;

test("steps come by start, each below what it is inside of", () => {
  const tree = new Tree(trace([{ start: 5 }, { start: 1 }, { start: 7, parent: 0 }, { start: 6, parent: 0 }, { start: 8, parent: 3 }]));
  const flat = tree.flatten(all, open);
  assert.deepEqual([...flat.rows], [1, 0, 3, 4, 2]);
  assert.deepEqual([...flat.depth], [0, 0, 1, 2, 1]);
  assert.deepEqual([...tree.flatten(all, (r) => r !== 0).rows], [1, 0]);
});

test("protocol commands and getters are shown when asked for, failed ones always", () => {
  const tree = new Tree(trace([{ start: 1, kind: Kind.protocol }, { start: 2, flags: Flag.getter }, { start: 3, flags: Flag.route | Flag.failed }, { start: 4 }]));
  assert.deepEqual([...tree.flatten(all, open).rows], [2, 3]);
  assert.deepEqual([...tree.flatten({ protocol: true, hidden: true }, open).rows], [0, 1, 2, 3]);
});

test("what is inside of a hidden step stays reachable", () => {
  const tree = new Tree(trace([{ start: 1, flags: Flag.configuration }, { start: 2, parent: 0 }]));
  const flat = tree.flatten(all, open);
  assert.deepEqual([[...flat.rows], [...flat.depth], flat.at(1), flat.at(0), flat.at(-1), flat.matched], [[1], [0], 0, -1, -1, 1]);
});

test("a filter keeps what is around a match, and counts the match only", () => {
  const tree = new Tree(trace([{ start: 1, kind: Kind.group }, { start: 2, parent: 0 }, { start: 3, parent: 0 }, { start: 4 }]));
  const flat = tree.flatten(all, () => false, (r) => r === 2);
  assert.deepEqual([[...flat.rows], flat.matched], [[0, 2], 1]);
});

test("trouble climbs to what is around it; a loop of parents ends", () => {
  const tree = new Tree(trace([{ start: 1 }, { start: 2, parent: 0 }, { start: 3, parent: 1, flags: Flag.failed }, { start: 4 }]));
  assert.deepEqual([...tree.trouble], [1, 1, 1, 0]);
  const loop = new Tree(trace([{ start: 1, parent: 1, flags: Flag.failed }, { start: 2, parent: 0 }, { start: 3, parent: 2 }, { start: 4, parent: 99 }]));
  assert.deepEqual([...loop.flatten(all, open).rows], [2, 3]);
});

test("a tree in which nothing is inside of anything is filtered too", () => {
  const tree = new Tree(trace([{ start: 3 }, { start: 1 }, { start: 2, flags: Flag.getter }]));
  const flat = tree.flatten(all, open);
  assert.deepEqual([[...flat.rows], [...flat.depth], flat.at(0), flat.at(1), flat.at(2), flat.at(-1), flat.matched], [[1, 0], [0, 0], 1, 0, -1, -1, 2]);
  const one = tree.flatten(all, open, (r) => r === 0);
  assert.deepEqual([[...one.rows], one.at(0), one.at(1), one.matched], [[0], 0, -1, 1]);
  assert.deepEqual([...tree.flatten(all, open, () => false).rows], []);
  assert.deepEqual([...new Tree(trace([])).flatten(all, open).rows], []);
});
