// Runs in each frame of a page that is recorded, in a world of its own, which
// the page cannot see and whose scripts the page's rules do not bind.
//
// The recorder sets globalThis.__deckOptions before, and finds afterwards:
//   __deck.snapshot(target?)     → Snapshot (dom/snapshot.ts)
//   __deck.reset()               the next snapshot refers to none before it
//   __deck.frame(element, id)    → selector; the element shows the frame of that id
//   __deck.suspects()            elements that may have a closed shadow root, each once
//   __deck.shadow(root)          a closed shadow root
//   __deck.again()               the document may be another one
//   __deck.describe(element)     → Target (selector/describe.ts)
//   __deck.find(selector)        → elements
//   __deck.end()                 what waits is told now: the recording ends
//   __deck.overlay               .show(events, group), .hide(yes); of the page's main frame
//   __deck.flush()               the binding is there now
// What the user does is told through the binding (input/report.ts).
import { Snapshotter } from "./dom/snapshot";
import { watchDrags } from "./input/drag";
import { watchFields } from "./input/field";
import { watchKeys } from "./input/keyboard";
import { watchNotes } from "./input/note";
import { watchSteps } from "./input/history";
import { watchPointer } from "./input/pointer";
import { Presses } from "./input/press";
import { Reporter } from "./input/report";
import { watchScrolls } from "./input/scroll";
import { Stage } from "./input/stage";
import { openRoot } from "./dom/native";
import { Overlay } from "./page/overlay";
import { Pace } from "./page/pace";
import { watchVitals } from "./page/vitals";
import { Describer } from "./selector/describe";

interface Options { mask: string; keep: boolean; testId: string; snapshots: boolean; canvas: boolean; input: boolean; vitals: boolean; overlay: boolean; binding: string }

type World = { __deck?: object; __deckDocument?: Document; __deckForget?: () => void; __deckOptions?: Partial<Options> };

function start(world: World): void {
  const o: Options = { mask: "", keep: false, testId: "data-testid", snapshots: true, canvas: true, input: true, vitals: true, overlay: false, binding: "__deckReport", ...world.__deckOptions };
  delete world.__deckOptions;
  const snapshotter = new Snapshotter(o), shadowOf = (e: Element): ShadowRoot | null => snapshotter.shadowOf(e);
  const describer = new Describer(o, shadowOf), reporter = new Reporter(o.binding), report = reporter.send;
  const pace = new Pace((target, again) => snapshotter.take(target, again), report);
  const stage = new Stage(report, describer, (target, again) => pace.take(target, again), snapshotter, e => openRoot(e) ? null : shadowOf(e), o);
  snapshotter.listen = root => { if (root instanceof ShadowRoot) stage.listen(root); };
  let end = (): void => {};
  world.__deck = {
    snapshot: (target?: Element) => { stage.again(); stage.settled = true; return pace.take(target ?? null); },
    reset: () => snapshotter.reset(),
    frame: (e: Element, id: string) => { snapshotter.frame(e, id); return describer.describe(e).selector; },
    suspects: () => snapshotter.suspects(),
    shadow: (root: ShadowRoot) => { snapshotter.shadow(root); },
    describe: (e: Element) => describer.describe(e),
    flush: () => reporter.flush(),
    end: () => { end(); reporter.flush(); },
    overlay: undefined as Overlay | undefined,
    find: (selector: string) => describer.find(selector),
  };
  if (o.overlay && window === top) (world.__deck as { overlay?: Overlay }).overlay = new Overlay(report);
  if (o.input) {
    const presses = new Presses(stage);
    watchPointer(stage, presses, watchKeys(stage, o.overlay));
    watchFields(stage);
    watchDrags(stage, presses);
    watchSteps(stage);
    watchNotes(stage);
  }
  watchScrolls(stage, e => snapshotter.scrolled(e), o.input);
  addEventListener("pagehide", () => reporter.flush(), { capture: true });
  world.__deckForget = () => stage.forget();
  // document.open() takes the listeners away and puts another root in.
  const opened = new MutationObserver(() => stage.again()), again = (): void => { stage.again(); opened.observe(document, { childList: true }); };
  again();
  (world.__deck as { again?: () => void }).again = again;
  if (o.vitals && window === top) end = watchVitals(report);
}

// A window that opens empty keeps its globals, but not its document and
// listeners, when it comes to what it was opened for.
const known = globalThis as World;
if (known.__deckDocument !== document) {
  known.__deckDocument = document;
  known.__deckForget?.();
  start(known);
}
