import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { decode } from "@msgpack/msgpack";
import type { TableSchema } from "./column";
import { Trace } from "./trace";
import { apply, message, parse } from "./wire";

// The messages that the server's tests make; see viewer/wire/wire_test.go.
function golden(name: string): ArrayBuffer {
  const b = readFileSync(`../viewer/wire/testdata/${name}.msgpack`);
  return b.buffer.slice(b.byteOffset, b.byteOffset + b.length) as ArrayBuffer;
}

const SCHEMAS: TableSchema[] = [
  { name: "actions", columns: [{ name: "start", type: "moment" }, { name: "end", type: "moment" }, { name: "kind", type: "byte" }, { name: "title", type: "text" }, { name: "parent", type: "ref" }, { name: "size", type: "count" }] },
  { name: "far", columns: [{ name: "time", type: "moment" }] },
];

function take(t: Trace, name: string): void {
  const m = parse(golden(name));
  assert.ok("parts" in m);
  apply(t, m.op, m.parts);
}

test("rows, strings and patches of the server become a table", () => {
  const t = new Trace("x", SCHEMAS);
  for (const name of ["reset", "meta", "strs", "rows"]) take(t, name);
  assert.equal(t.epoch, "abcdef");
  assert.equal(t.meta?.name, "ä.zip");
  const a = t.actions;
  const column = (name: string): number[] => Array.from({ length: a.rows }, (_, i) => a.col(name).at(i));
  assert.deepEqual(column("start"), [1500, 2000, 5000]); // cut to microseconds
  assert.deepEqual(column("end"), [2500, NaN, 4_294_000_000]);
  assert.deepEqual(column("kind"), [0, 1, 4]);
  assert.deepEqual(column("title").map((id) => t.strings.get(id)), ["Click", "€", ""]);
  assert.deepEqual(column("parent"), [-1, 0, 1]);
  assert.deepEqual(column("size"), [-1, 12.5, 2 ** 40]);
  take(t, "patch");
  assert.equal(a.col("end").at(1), 9000);
  assert.equal(t.text(a, "title", 1), "😀");
  assert.equal(a.rows, 3);
  assert.equal(t.patches, 7);
  assert.deepEqual(t.has(), { actions: 3, far: 0 });
});

test("moments beyond 71 minutes are wide", () => {
  const t = new Trace("x", SCHEMAS);
  take(t, "far");
  assert.deepEqual([0, 1, 2].map((i) => t.num(t.tables["far"], "time", i)), [0, NaN, 10_000_000_000]);
});

test("a reset forgets, and rows out of order are an error", () => {
  const t = new Trace("x", SCHEMAS);
  take(t, "rows");
  assert.throws(() => take(t, "rows"), /came after 3 rows/);
  take(t, "reset");
  assert.equal(t.actions.rows, 0);
  take(t, "rows");
  assert.equal(t.actions.rows, 3);
});

test("a column of the wrong length is an error", () => {
  const t = new Trace("x", SCHEMAS);
  assert.throws(() => apply(t, "rows", ["far", 0, 2, 0, [new Uint8Array(5)]]), /5 bytes for 2 rows/);
});

test("one cell stands for a column of equal ones", () => {
  const t = new Trace("x", SCHEMAS), nothing = [new Uint8Array(12), new Uint8Array(12), new Uint8Array([4]), new Uint8Array([9, 0, 0, 0]), new Uint8Array(4).fill(255), new Uint8Array(24)];
  apply(t, "rows", ["actions", 0, 3, 100, nothing]);
  assert.deepEqual([0, 1, 2].map((r) => [t.num(t.actions, "start", r), t.num(t.actions, "kind", r), t.num(t.actions, "title", r), t.num(t.actions, "parent", r)]), Array(3).fill([100, 4, 9, -1]));
  assert.equal(t.actions.col("parent").chunks.length, 0, "what stands for nothing takes no room");
  apply(t, "patch", ["actions", 1, 0, new Uint8Array([2, 0, 0, 0]), [new Uint8Array(4), new Uint8Array(4), new Uint8Array([1]), new Uint8Array([1, 0, 0, 0]), new Uint8Array([1, 0, 0, 0]), new Uint8Array(8)]]);
  assert.deepEqual([0, 1, 2, 3].map((r) => t.num(t.actions, "parent", r)), [-1, -1, 1, -1]);
});

test("answers, errors, views and the welcome are read", () => {
  assert.deepEqual(parse(golden("res")), { op: "res", ref: 4, answer: { json: { a: [1, "ü"] }, done: true } });
  assert.deepEqual(parse(golden("err")), { op: "err", ref: 4, failure: { code: "E_X", text: "text", hint: "hint" } });
  const lod = parse(golden("lod"));
  assert.ok(lod.op === "lod");
  assert.deepEqual([lod.ref, lod.from, lod.width, [...lod.counts]], [9, 1000, 250.5, [0, 2, 1]]);
  const w = parse(golden("welcome"));
  assert.ok(w.op === "welcome" && w.version === 2 && w.welcome.program === "1.2");
  assert.throws(() => parse(message("dance", 1).slice().buffer as ArrayBuffer), /dance/);
});

test("what the page says is an array with its op first", () => {
  assert.deepEqual(decode(message("get", 4, 2, "action", 7, "")), ["get", 4, 2, "action", 7, ""]);
});
