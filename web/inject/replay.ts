// Finds elements and looks at them for a replay, in a world of its own.
//
//   __deckReplay.find(parts)   → elements of this document
//   __deckReplay.state(e) …    → what replay/state.ts and replay/expect.ts offer
import { assert } from "./replay/expect";
import { type Part, Query } from "./replay/query";
import { carrier, control, describe, fill, focus, isChecked, over, scrolled, select, state, takes, within } from "./replay/state";

const api = { find: (parts: Part[], scope?: Element): Element[] => new Query().find(parts, scope ?? document), assert, carrier, control, describe, fill, focus, isChecked, over, scrolled, select, state, takes, within };
(globalThis as { __deckReplay?: typeof api }).__deckReplay ??= api;
