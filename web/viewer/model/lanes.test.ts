import assert from "node:assert/strict";
import { test } from "node:test";
import { Lane } from "./lanes";

function lane(spans: [number, number][], lines = 3, marked: number[] = []): Lane {
  return new Lane(Int32Array.from(spans, (_, i) => i), Float64Array.from(spans, (s) => s[0]), Float64Array.from(spans, (s) => s[1]), NaN, Uint8Array.from(spans, (_, i) => Number(marked.includes(i))), lines);
}

// The same numbers each time, spread as if by chance.
function spread(n: number): [number, number][] {
  let seed = 7;
  const next = (): number => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: n }, () => { const at = next() * 1e6; return [at, at + next() ** 8 * 4e5]; });
}

test("rows come in the order of time whatever the table's is", () => {
  const l = lane([[30, 40], [10, 20], [20, 25]]);
  assert.deepEqual([...l.rows], [1, 2, 0]);
  assert.deepEqual([...l.starts], [10, 20, 30]);
});

test("rows at work at once are drawn in different lines", () => {
  const l = lane([[0, 100], [10, 20], [15, 50], [25, 30], [110, 120]]);
  assert.deepEqual([...l.line], [0, 1, 2, 1, 0]);
  assert.equal(l.lines, 3);
  assert.equal(lane([[0, 1], [1, 2]]).lines, 1);
});

test("a window has every row that is at work in it", () => {
  const spans = spread(5000), l = lane(spans);
  for (const [from, to] of [[0, 1e6], [5e5, 5.001e5], [2e5, 2e5], [9.9e5, 2e6], [-10, -5]]) {
    const [lo, hi] = l.window(from, to);
    const inside = new Set(l.rows.subarray(lo, hi));
    spans.forEach(([a, b], i) => { if (a <= to && b >= from) assert.ok(inside.has(i), `row ${i} ${a}–${b} is missing from ${from}–${to}`); });
    for (let i = lo; i < hi; i++) assert.ok(l.starts[i] <= to);
  }
});

test("density counts each row once, where it starts", () => {
  const spans = spread(3000), l = lane(spans, 1, [5, 6, 7]);
  const d = l.density(0, 1e6, 137);
  assert.equal(d.counts.reduce((a, b) => a + b, 0), 3000);
  assert.equal(d.marks.reduce((a, b) => a + b, 0), 3);
  const by = new Uint32Array(137);
  for (const [a] of spans) by[Math.floor((a / 1e6) * 137)]++;
  assert.deepEqual([...d.counts], [...by]);
});

test("find takes what is under the pointer", () => {
  const l = lane([[0, 100], [10, 20]]);
  assert.equal(l.rows[l.find(15, 1, 1)], 1);
  assert.equal(l.rows[l.find(15, 1, 0)], 0);
  assert.equal(l.find(150, 1, 0), -1);
});

test("a row without an end lasts until the trace's end, or no time at all", () => {
  const until = (open: number): number[] => [...new Lane(Int32Array.of(0, 1), Float64Array.of(1, 2), Float64Array.of(NaN, 3), open, undefined).ends];
  assert.deepEqual(until(9), [9, 3]);
  assert.deepEqual(until(NaN), [1, 3]);
});
