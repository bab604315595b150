import assert from "node:assert/strict";
import { test } from "node:test";
import { ariaLines } from "./aria";

test("a tree is read as nodes and as text", () => {
  const nodes = ariaLines(JSON.stringify([{ role: "list", children: [{ role: "listitem", name: "a", checked: true, level: 2, box: { x: 1, y: 2, width: 3, height: 4 } }, "loose"] }]));
  assert.deepEqual(nodes.map((l) => [l.depth, l.role, l.name, l.states, l.text, l.box]), [[0, "list", "", "", "", ""], [1, "listitem", "a", "[checked] [level=2]", "", "3×4 at 1, 2"], [1, "text", "", "", "loose", ""]]);
  assert.deepEqual(ariaLines('- list:\n  - heading "A \\"b\\"" [level=1]\n  - text: c').map((l) => [l.depth, l.role, l.name, l.states, l.text]), [[0, "list", "", "", ""], [1, "heading", 'A \\"b\\"', "[level=1]", ""], [1, "text", "", "", "c"]]);
});

test("what is no tree does no harm", () => {
  let deep: unknown = "x";
  for (let i = 0; i < 500; i++) deep = { role: "a", children: [deep] };
  assert.ok(ariaLines(JSON.stringify(deep)).length < 300);
  for (const s of ["", "null", "3", "{}", "[[[]]]", '{"role":{}}', "\u0000", '"- button"']) assert.ok(Array.isArray(ariaLines(s)));
});
