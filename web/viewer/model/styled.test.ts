import assert from "node:assert/strict";
import { test } from "node:test";
import { safe, styled } from "./styled";

const args = (...values: unknown[]): { value: unknown }[] => values.map((value) => ({ value }));

test("each stretch has the style that its %c names", () => {
  assert.deepEqual(styled(args("%cred%c and %s", "color: red", "font-weight:bold", "strong", 7)), [
    { text: "red", style: { color: "red" } }, { text: " and strong", style: { fontWeight: "bold" } }, { text: " 7", style: {} }]);
  assert.deepEqual(styled([{ value: "a%cb", preview: "a%cb" }, { value: "color:#fff;background:rgb(1, 2, 3)" }, { preview: "[1, x, Object]" }]), [
    { text: "a", style: {} }, { text: "b", style: { color: "#fff", backgroundColor: "rgb(1, 2, 3)" } }, { text: " [1, x, Object]", style: {} }]);
  assert.deepEqual(styled(args("100%% %c", "color:red", "x")), [{ text: "100% ", style: {} }, { text: " x", style: {} }]);
});

test("a message without styles is none of this", () => {
  for (const list of [undefined, [], args("plain"), args("%s", "x"), args({ a: 1 }, "%c")]) assert.equal(styled(list), undefined);
  assert.deepEqual(styled(args("only %c")), [{ text: "only %c", style: {} }]); // there is no style to take
});

test("no property is let through that loads, moves or hides", () => {
  assert.deepEqual(safe("background:url(http://127.0.0.1/x);background-image:url(x);position:fixed;top:0;font-size:900px;color:var(--x);padding:9em;display:none;color:transparent"), {});
  assert.deepEqual(safe("COLOR : Red ; font-weight:900;color:expression(alert(1))"), { color: "Red", fontWeight: "900" });
  assert.deepEqual(safe("color"), {});
});
