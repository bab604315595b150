import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, type Entry } from "./model";

let n = 0;
const entry = (run: string, name: string, verdict: Entry["verdict"], more: Partial<Entry> = {}): Entry => ({ key: String(++n), name: "trace.zip", place: `${run}/${name}/trace.zip`, recent: 0, watched: true, run, test: name, retry: 0,
  browser: "chromium", verdict, error: "", took: 1, recorded: n, size: 1, live: false, ...more });

test("failed tests come first, and a retry that passed makes a test flaky", () => {
  const groups = grouped([entry("1", "a", "passed"), entry("1", "b", "failed"), entry("1", "b", "passed", { retry: 1 }), entry("1", "c", "failed"), entry("1", "c", "failed", { retry: 1 })], "run", "", "all");
  assert.deepEqual(groups.map((g) => g.rows.map((r) => `${r.entry.test} ${r.verdict} ${r.tries.length}`)), [["c failed 2", "b flaky 2", "a passed 1"]]);
  assert.deepEqual(groups[0].counts, { failed: 1, flaky: 1, passed: 1, unread: 0, broken: 0 });
});

test("runs come with the latest first, and each test remembers its runs", () => {
  const groups = grouped([entry("1", "a", "passed"), entry("2", "a", "failed"), entry("3", "a", "passed")], "run", "", "all");
  assert.deepEqual(groups.map((g) => g.name), ["3", "2", "1"]);
  assert.deepEqual(groups[0].rows[0].history.map((b) => b.verdict), ["passed", "failed", "passed"]);
  assert.equal(grouped([entry("1", "a", "passed"), entry("1", "a", "failed", { browser: "firefox" })], "test", "", "all")[0].rows.length, 2);
});

test("filter and buttons narrow what is shown", () => {
  const all = [entry("1", "pays", "failed", { error: "Pay now disabled" }), entry("1", "logs in", "passed"), entry("1", "x", "broken")];
  assert.deepEqual(grouped(all, "run", "disabled", "all").flatMap((g) => g.rows.map((r) => r.entry.test)), ["pays"]);
  assert.deepEqual(grouped(all, "run", "", "failed").flatMap((g) => g.rows.map((r) => r.entry.test)), ["pays", "x"]);
  assert.deepEqual(grouped(all, "run", "", "passed").flatMap((g) => g.rows.map((r) => r.entry.test)), ["logs in"]);
});
