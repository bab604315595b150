import assert from "node:assert/strict";
import { test } from "node:test";
import { around, clamp, duration, moment, pan, ticks, zoom } from "./time";

test("durations are short to read", () => {
  for (const [us, want] of [[0, "0 ms"], [120, "0.1 ms"], [12_345, "12 ms"], [999_400, "999 ms"], [999_600, "1.00 s"], [1_240_000, "1.24 s"], [59_990_000, "59.99 s"], [59_996_000, "1 m 00 s"], [125_000_000, "2 m 05 s"], [3_725_000_000, "1 h 02 m"], [NaN, ""]] as const) {
    assert.equal(duration(us), want, String(us));
  }
  assert.equal(moment(4_523_000), "4.523 s");
});

test("ticks are round, in order, inside, and not too near", () => {
  for (const width of [2e3, 5e4, 1e6, 3.3e7, 4e9]) {
    const marks = ticks({ from: width * 0.37, to: width * 1.37 }, 1200);
    assert.ok(marks.length >= 3 && marks.length <= 14, `${marks.length} marks for ${width}`);
    const step = marks[1].at - marks[0].at;
    assert.match(step.toPrecision(1), /^[125]/);
    assert.ok((step / width) * 1200 >= 89);
    for (const m of marks) assert.ok(m.at >= width * 0.37 && m.at <= width * 1.37);
    assert.equal(new Set(marks.map((m) => m.label)).size, marks.length, "labels differ");
  }
});

test("zoom keeps what is under the pointer where it is", () => {
  const view = { from: 1e6, to: 2e6 };
  const near = zoom(view, 0.5, 1.25e6, 1e7);
  assert.ok(Math.abs((1.25e6 - near.from) / (near.to - near.from) - 0.25) < 1e-9);
  assert.equal(near.to - near.from, 5e5);
});

test("a view stays inside the trace", () => {
  assert.deepEqual(zoom({ from: 0, to: 100_000 }, 4, 5000, 100_000), { from: 0, to: 100_000 });
  assert.deepEqual(pan({ from: 0, to: 50_000 }, -1, 100_000), { from: 0, to: 50_000 });
  assert.deepEqual(pan({ from: 0, to: 50_000 }, 9, 100_000), { from: 50_000, to: 100_000 });
  const tiny = zoom({ from: 10, to: 60 }, 0.001, 20, 1e6);
  assert.ok(tiny.to - tiny.from >= 50 - 1e-9 && tiny.from >= 0);
  assert.deepEqual(clamp({ from: -5, to: 1e9 }, 1000), { from: 0, to: 1000 });
  const r = around({ from: 40_000, to: 60_000 }, 100_000);
  assert.ok(r.from < 40_000 && r.to > 60_000);
});
