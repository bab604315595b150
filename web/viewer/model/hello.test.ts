import assert from "node:assert/strict";
import { test } from "node:test";
import { decode } from "@msgpack/msgpack";
import { hello } from "./hello";
import { launchToken } from "./token";

test("the hello is packed as the server reads it", () => {
  assert.deepEqual(decode(hello("k".repeat(43), "0123456789ab")), ["hello", 1, 2, "k".repeat(43), "0123456789ab"]);
  assert.deepEqual(decode(hello("", "")), ["hello", 1, 2, "", ""]);
  assert.deepEqual(decode(hello("key", undefined)), ["hello", 0, 2, "key", ""]);
});

test("a launch link brings a token, and leaves the rest of the address", () => {
  assert.deepEqual(launchToken("#token=abcdefgh"), { token: "abcdefgh", rest: "" });
  assert.deepEqual(launchToken("#token=abcdefgh&/t/0123456789ab?tab=log"), { token: "abcdefgh", rest: "#/t/0123456789ab?tab=log" });
  assert.equal(launchToken("#/t/0123456789ab"), undefined);
  assert.equal(launchToken("#token=short"), undefined);
});
