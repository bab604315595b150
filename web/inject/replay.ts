// Finds elements and looks at them for a replay, in a world of its own.
//
//   __deckReplay.find(parts)   → elements of this document
//   __deckReplay.state(e) …    → what replay/state.ts and replay/expect.ts offer
import { assert } from "./replay/expect";
import { type Part, Query } from "./replay/query";
import { control, describe, fill, focus, isChecked, over, scrolled, select, state, takes } from "./replay/state";

const api = { find: (parts: Part[], scope?: Element): Element[] => new Query().find(parts, scope ?? document), assert, control, describe, fill, focus, isChecked, over, scrolled, select, state, takes };
(globalThis as { __deckReplay?: typeof api }).__deckReplay ??= api;
