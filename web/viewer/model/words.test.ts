import assert from "node:assert/strict";
import { test } from "node:test";
import { matches, parseFilter, type Facts } from "./filter";
import { asCurl, asFetch, asHar, carried } from "./har";
import { highlight } from "./highlight";
import { bind, command, KEYS, keyName, keyOf, keysOf, pressed, resetKeys, setPlainKeys } from "./keys";
import { parseLink, printLink, wanted, type Link } from "./link";
import { because, checks, headline, rest } from "./reasons";

const row: Facts = { text: "Click getByRole('button', { name: 'Pay now' })", duration: 250_000, size: 5000, words: { kind: "action", status: "502", method: "POST" } };
const fits = (filter: string, f = row): boolean => matches(parseFilter(filter), f);

test("filters have words, keys, negation, numbers and patterns", () => {
  for (const yes of ["", "click", "PAY", '"Pay now"', "click pay", "kind:action", "method:post", "status:5xx", "status:502,404", "slower-than:200ms", "faster-than:1s", "larger-than:4kb", "-kind:group", "/pay\\s+now/", "-nothing"]) assert.ok(fits(yes), yes);
  for (const no of ["fill", '"pay  now"', "click -pay", "kind:group", "status:4xx", "status:50", "slower-than:1s", "larger-than:1mb", "-click", "/^pay/"]) assert.ok(!fits(no), no);
});

test("a colon in text is no key", () => {
  assert.ok(fits("http://x", { text: "GET http://x/y", words: {} }));
  assert.ok(!fits("http://z", { text: "GET http://x/y", words: {} }));
});

test("broken patterns are looked for as text", () => assert.ok(fits("/a(/", { text: "what /a(/ is", words: {} })));

test("a link comes back as it went out", () => {
  const links: Link[] = [{ trace: "abcdef012345" }, { trace: "abcdef", action: "call@14", phase: "after", tab: "network", row: 3, view: [2_900_000, 6_210_000], range: [1, 4_520_001], filter: "a b&c=ü#%" }];
  for (const l of links) assert.deepEqual(parseLink(printLink(l)), l);
});

test("what is no link is none, and broken parts are left out", () => {
  for (const bad of ["", "#", "#/t/", "#/t/xyz", "#token=abc", "#/t/../../etc"]) assert.equal(parseLink(bad), undefined, bad);
  assert.deepEqual(parseLink("#/t/abcdef?v=9-2&sel=x&r=-4&a=c"), { trace: "abcdef", action: "c" });
});

test("no key means two things, and the help can name each", () => {
  for (const place of ["trace", "compare", "start"] as const) {
    const all = keysOf(place).flatMap((k) => k.keys);
    assert.equal(new Set(all).size, all.length, place);
  }
  for (const k of KEYS) assert.ok(k.text !== "" && k.keys.every((n) => keyName(n) !== ""));
});

test("presses are named as the table names them", () => {
  const press = (key: string, more = {}): string => pressed({ key, ctrlKey: false, altKey: false, shiftKey: false, metaKey: false, ...more });
  assert.equal(press("j"), "j");
  assert.equal(press("E", { shiftKey: true }), "Shift+e");
  assert.equal(press("?", { shiftKey: true }), "?");
  assert.equal(press("k", { metaKey: true }), "Ctrl+k");
  assert.equal(press("F6", { shiftKey: true }), "Shift+F6");
  assert.equal(command({ key: "?", ctrlKey: false, altKey: false, shiftKey: true, metaKey: false }), "help");
  assert.equal(command({ key: "3", ctrlKey: false, altKey: true, shiftKey: false, metaKey: false }), "tab3");
  assert.equal(command({ key: "q", ctrlKey: false, altKey: false, shiftKey: false, metaKey: false }), undefined);
});

test("an error's headline is its first sentence in words", () => {
  const m = "TimeoutError: locator.click: Timeout 1500ms exceeded.\nCall log:\n  - waiting for locator('#x')";
  assert.equal(headline(m), "Timeout 1500ms exceeded.");
  assert.equal(rest(m), "");
  assert.equal(headline("\u001b[31mError: boom\u001b[39m\n\nmore"), "boom");
  assert.equal(rest("Error: boom\n\nExpected: 1\nReceived: 2\n\nCall log:\n x"), "Expected: 1\nReceived: 2");
});

test("the log tells why an action waited", () => {
  const log = ["waiting for getByRole('button', { name: 'Pay' })", "  locator resolved to <button disabled>Pay</button>", "attempting click action", "  waiting for element to be visible, enabled and stable", "    element is not enabled", "  retrying click action"];
  const found = checks(log);
  assert.equal(found.attempts, 2);
  assert.deepEqual(found.checks.find((c) => c.name === "enabled"), { name: "enabled", verdict: "no" });
  assert.deepEqual(found.checks.find((c) => c.name === "found"), { name: "found", verdict: "yes" });
  assert.match(because(found.checks), /disabled/);
  assert.match(because(checks(["waiting for locator('#never') to be visible"]).checks), /No element/);
  assert.match(because(checks(["  locator resolved to <a>", "<div></div> intercepts pointer events"]).checks), /Another element/);
  assert.match(because(checks(["Error: strict mode violation: locator('.dup') resolved to 2 elements"]).checks), /More than one/);
  assert.deepEqual(checks(["navigated to x"]).checks, []);
});

test("an expectation that was not met says what came instead", () => {
  const found = checks(["waiting for locator('#count')", "  locator resolved to <output>1</output>", '  unexpected value "1"']);
  assert.deepEqual(found.checks.at(-1), { name: "as expected", verdict: "no" });
});

test("a request comes back as a command that does it again", () => {
  const e = { request: { method: "POST", url: "http://a/b?c='d'", headers: [{ name: "Host", value: "a" }, { name: "X-A", value: "it's" }], postData: { text: "{}" } } };
  assert.equal(asCurl(e), `curl 'http://a/b?c='\\''d'\\''' \\\n  -X 'POST' \\\n  -H 'X-A: it'\\''s' \\\n  -H 'Content-Type:' \\\n  --data-raw '{}'`);
  assert.match(asFetch(e), /method: "POST"[\s\S]*"X-A": "it's"[\s\S]*body: "\{\}"/);
  const sent = carried(new Uint8Array([1, 0, 255]));
  assert.match(asCurl(e, sent), /^printf %s 'AQD\/' \| base64 -d \| curl [\s\S]*--data-binary @-$/);
  assert.match(asFetch(e, sent), /body: Uint8Array\.from\(atob\("AQD\/"\)/);
  assert.deepEqual(carried(new TextEncoder().encode("a\nß")), { text: "a\nß" });
  assert.ok(carried(new TextEncoder().encode("a\r\n")).base64, "a terminal would make a line end of it");
  assert.match(asCurl({ request: { method: "HEAD", url: "http://a/[1]" } }), /^curl --globoff 'http:\/\/a\/\[1\]' \\\n  --head$/);
  assert.equal(JSON.parse(asHar(e, { text: "sent" }, { text: "got" })).log.entries[0].request.postData.text, "sent");
});

test("highlighting loses no character", () => {
  for (const line of ["  await page.click('#a'); // go", "x = \"open", "# note", "", "const n = 0x1f + 2.5e3", "`${a}`"]) assert.equal(highlight(line).map((p) => p.text).join(""), line);
  assert.deepEqual(highlight("await x").map((p) => p.kind), ["word", "", ""]);
});

test("keys are changed, taken from who had them, and given back", () => {
  const press = (key: string, shift = false): Parameters<typeof command>[0] => ({ key, ctrlKey: false, altKey: false, shiftKey: shift, metaKey: false });
  assert.equal(command(press("x")), undefined);
  assert.deepEqual(bind("nextError", "x"), []);
  assert.equal(command(press("x")), "nextError");
  assert.equal(command(press("e")), undefined);
  assert.equal(command(press("x"), "compare"), "c-swap", "a key of another place stays");
  assert.deepEqual(bind("nextError", "f"), ["filter steps"]);
  assert.equal(command(press("f")), "nextError");
  assert.equal(keyOf("filter"), "");
  bind("help", undefined);
  assert.equal(command(press("?", true)), undefined);
  setPlainKeys(false);
  assert.equal(command(press("f")), undefined);
  assert.equal(command(press("Escape")), "escape");
  assert.equal(command({ ...press("k"), ctrlKey: true }), "palette");
  resetKeys();
  assert.equal(command(press("e")), "nextError");
  assert.equal(command(press("?", true)), "help");
});

test("an address tells which trace is shown first", () => {
  assert.equal(wanted(""), "");
  assert.equal(wanted(printLink({ trace: "abcdef123456", tab: "log" })), "abcdef123456");
  for (const none of ["#/", "#/c/abcdef..abcdee?u=1", "#foo"]) assert.equal(wanted(none), undefined, none);
});
