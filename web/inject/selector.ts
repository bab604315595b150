// Names elements, and finds them by name, without recording anything: for
// replays and for picking an element by hand.
//
//   __deckSelector.describe(element)  → Target
//   __deckSelector.find(selector)     → elements; throws for a selector that is not understood
import { Describer } from "./selector/describe";

type World = { __deckSelector?: Describer; __deckOptions?: { testId?: string; mask?: string; keep?: boolean } };

const world = globalThis as World;
world.__deckSelector ??= new Describer({ testId: "data-testid", mask: "", keep: false, ...world.__deckOptions });
