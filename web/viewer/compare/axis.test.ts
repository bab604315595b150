import assert from "node:assert/strict";
import { test } from "node:test";
import { Axis } from "./axis";
import type { Comparison } from "./model";

/** Two traces whose steps begin at the given moments. */
function beside(a: number[], b: number[], pairs: [number, number][], end = 1000): Comparison {
  const trace = (starts: number[]): unknown => ({ end, actions: {}, num: (_t: unknown, _c: string, row: number) => starts[row] });
  return { a: trace(a), b: trace(b), pairs: pairs.map(([x, y]) => ({ kind: "same", a: x, b: y, depth: 0 })) } as unknown as Comparison;
}

test("steps of both begin at the same place", () => {
  const axis = new Axis(beside([100, 300, 600], [200, 250, 900], [[0, 0], [1, 1], [2, 2]]), false);
  for (const [a, b] of [[100, 200], [300, 250], [600, 900]]) assert.equal(axis.place("a", a), axis.place("b", b));
  for (const t of [0, 55, 300, 431, 999]) assert.ok(Math.abs(axis.moment("a", axis.place("a", t)) - t) < 1e-6);
  assert.equal(axis.across("a", 300), 250);
});

test("by the clock nothing moves", () => {
  const axis = new Axis(beside([100], [200], [[0, 0]]), true);
  assert.equal(axis.place("b", 200), 200);
  assert.equal(axis.end, 1000);
});

test("steps of one side, and steps that overlap, do not bend the axis", () => {
  const axis = new Axis(beside([100, 100, 300], [100, 90, 300], [[0, 0], [1, 1], [2, -1], [-1, 2]]), false);
  assert.equal(axis.place("a", 100), axis.place("b", 100));
  assert.ok(axis.end >= 1000);
});
