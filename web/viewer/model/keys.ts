// The keys, as data: the help, the palette and the tests read the same table.

/** Where a key acts: in one trace, in a comparison, on the start page, or in all of them. */
export type Place = "trace" | "compare" | "start" | "all";

export interface Key { id: string; keys: string[]; text: string; group: string; in?: Place }

export const KEYS: Key[] = [
  { id: "next", keys: ["ArrowDown", "j"], text: "next step", group: "Steps" },
  { id: "previous", keys: ["ArrowUp", "k"], text: "previous step", group: "Steps" },
  { id: "expand", keys: ["ArrowRight"], text: "expand, or go to the first step inside", group: "Steps" },
  { id: "collapse", keys: ["ArrowLeft"], text: "collapse, or go to the step around", group: "Steps" },
  { id: "first", keys: ["Home"], text: "first step", group: "Steps" },
  { id: "last", keys: ["End"], text: "last step", group: "Steps" },
  { id: "nextError", keys: ["e"], text: "next error", group: "Steps" },
  { id: "previousError", keys: ["Shift+e"], text: "previous error", group: "Steps" },
  { id: "protocol", keys: ["p"], text: "show protocol commands", group: "Steps" },
  { id: "hidden", keys: ["h"], text: "show getters, routes and configuration", group: "Steps" },
  { id: "before", keys: ["1"], text: "page before the step", group: "Page" },
  { id: "during", keys: ["2"], text: "page as the step acts", group: "Page" },
  { id: "after", keys: ["3"], text: "page after the step", group: "Page" },
  { id: "screenshot", keys: ["4"], text: "screenshot", group: "Page" },
  { id: "aria", keys: ["5"], text: "recorded accessibility tree", group: "Page" },
  { id: "inspect", keys: ["i"], text: "inspect the page: locators, accessibility and DOM trees", group: "Page" },
  { id: "zoomIn", keys: ["w"], text: "zoom in", group: "Timeline" },
  { id: "zoomOut", keys: ["s"], text: "zoom out", group: "Timeline" },
  { id: "panLeft", keys: ["a"], text: "earlier", group: "Timeline" },
  { id: "panRight", keys: ["d"], text: "later", group: "Timeline" },
  { id: "rangeFrom", keys: ["["], text: "the range begins at this step", group: "Timeline" },
  { id: "rangeTo", keys: ["]"], text: "the range ends with this step", group: "Timeline" },
  { id: "fit", keys: ["z"], text: "fit the range or the step", group: "Timeline" },
  { id: "all", keys: ["0"], text: "the whole trace", group: "Timeline" },
  { id: "back", keys: ["Backspace"], text: "back to the view and the range before", group: "Timeline" },
  { id: "lanes", keys: ["v"], text: "which lanes there are, pinned or folded, and how high", group: "Timeline" },
  { id: "search", keys: ["/"], text: "search", group: "Everywhere" },
  { id: "palette", keys: ["Ctrl+k"], text: "commands", group: "Everywhere", in: "all" },
  { id: "filter", keys: ["f"], text: "filter steps", group: "Everywhere" },
  { id: "copyLink", keys: ["l"], text: "copy a link to this moment", group: "Everywhere" },
  { id: "copyText", keys: ["t"], text: "copy this step as text", group: "Everywhere" },
  { id: "compare", keys: ["c"], text: "compare with another trace", group: "Everywhere" },
  { id: "code", keys: ["b"], text: "bug report, script or test of this session", group: "Everywhere" },
  { id: "dock", keys: ["y"], text: "split the open tab off to the bottom, or back", group: "Tabs" },
  { id: "nextRegion", keys: ["F6"], text: "next region", group: "Everywhere", in: "all" },
  { id: "previousRegion", keys: ["Shift+F6"], text: "previous region", group: "Everywhere", in: "all" },
  ...["Errors", "Call", "Log", "Console", "Network", "Source", "Attachments", "Metadata", "Storage", "Audit"].map((name, i) => (
    { id: `tab${i + 1}`, keys: [`Alt+${(i + 1) % 10}`], text: `tab ${name}`, group: "Tabs" })),
  { id: "tab11", keys: ["Shift+c"], text: "tab Contract", group: "Tabs" },
  { id: "tab12", keys: ["Shift+p"], text: "tab Performance", group: "Tabs" },
  { id: "c-next", keys: ["ArrowDown", "j"], text: "next step", group: "Compare", in: "compare" },
  { id: "c-previous", keys: ["ArrowUp", "k"], text: "previous step", group: "Compare", in: "compare" },
  { id: "c-first", keys: ["Home"], text: "first step", group: "Compare", in: "compare" },
  { id: "c-last", keys: ["End"], text: "last step", group: "Compare", in: "compare" },
  { id: "c-divergence", keys: ["g", "e"], text: "the first step that differs", group: "Compare", in: "compare" },
  { id: "c-nextChange", keys: ["n"], text: "next step that differs", group: "Compare", in: "compare" },
  { id: "c-previousChange", keys: ["Shift+n"], text: "previous step that differs", group: "Compare", in: "compare" },
  { id: "c-mode", keys: ["m"], text: "side by side, swipe, blend, blink, pixels", group: "Compare", in: "compare" },
  { id: "c-left", keys: ["["], text: "divider to the left", group: "Compare", in: "compare" },
  { id: "c-right", keys: ["]"], text: "divider to the right", group: "Compare", in: "compare" },
  { id: "c-region", keys: ["r"], text: "next area that differs", group: "Compare", in: "compare" },
  { id: "c-axis", keys: ["t"], text: "time by step, or as it was", group: "Compare", in: "compare" },
  { id: "c-swap", keys: ["x"], text: "swap A and B", group: "Compare", in: "compare" },
  { id: "c-before", keys: ["1"], text: "page before the step", group: "Compare", in: "compare" },
  { id: "c-during", keys: ["2"], text: "page as the step acts", group: "Compare", in: "compare" },
  { id: "c-after", keys: ["3"], text: "page after the step", group: "Compare", in: "compare" },
  { id: "c-screenshot", keys: ["4"], text: "screenshot", group: "Compare", in: "compare" },
  { id: "c-in", keys: ["w"], text: "zoom in", group: "Compare", in: "compare" },
  { id: "c-out", keys: ["s"], text: "zoom out", group: "Compare", in: "compare" },
  { id: "c-panLeft", keys: ["a"], text: "earlier", group: "Compare", in: "compare" },
  { id: "c-panRight", keys: ["d"], text: "later", group: "Compare", in: "compare" },
  { id: "c-all", keys: ["0"], text: "both whole traces", group: "Compare", in: "compare" },
  ...["Step", "DOM", "Network", "Console", "Timing", "Env", "Noise"].map((name, i) => ({ id: `c-tab${i + 1}`, keys: [`Alt+${i + 1}`], text: `tab ${name}`, group: "Compare", in: "compare" as const })),
  { id: "c-whole", keys: ["v"], text: "what differs in this step, or in the whole traces", group: "Compare", in: "compare" },
  { id: "c-open", keys: ["Enter"], text: "open the step in its own trace", group: "Compare", in: "compare" },
  { id: "c-link", keys: ["l"], text: "copy a link", group: "Compare", in: "compare" },
  { id: "save", keys: ["Shift+s"], text: "save as one HTML file", group: "Everywhere" },
  { id: "c-save", keys: ["Shift+s"], text: "save as one HTML file", group: "Compare", in: "compare" },
  { id: "home", keys: ["u"], text: "start page", group: "Everywhere" },
  { id: "s-next", keys: ["ArrowDown", "j"], text: "next trace", group: "Start page", in: "start" },
  { id: "s-previous", keys: ["ArrowUp", "k"], text: "previous trace", group: "Start page", in: "start" },
  { id: "s-open", keys: ["Enter"], text: "open it", group: "Start page", in: "start" },
  { id: "s-pick", keys: [" "], text: "pick it, for comparing two", group: "Start page", in: "start" },
  { id: "s-compare", keys: ["c"], text: "compare the two, or with the last pass of the test", group: "Start page", in: "start" },
  { id: "s-files", keys: ["o"], text: "choose files", group: "Start page", in: "start" },
  { id: "s-address", keys: ["u"], text: "open an address", group: "Start page", in: "start" },
  { id: "s-filter", keys: ["/", "f"], text: "filter tests", group: "Start page", in: "start" },
  ...Array.from({ length: 9 }, (_, i) => ({ id: `s-recent${i + 1}`, keys: [`${i + 1}`], text: `recent trace ${i + 1}`, group: "Start page", in: "start" as const })),
  { id: "escape", keys: ["Escape"], text: "close, clear the range, leave", group: "Everywhere", in: "all" },
  { id: "help", keys: ["?"], text: "this list", group: "Everywhere", in: "all" },
];

export interface Press { key: string; ctrlKey: boolean; altKey: boolean; shiftKey: boolean; metaKey: boolean }

/** "Ctrl+k", "Shift+e", "?": what was pressed, as the table writes it. */
export function pressed(e: Press): string {
  const letter = e.key.length === 1;
  const upper = letter && e.key !== e.key.toLowerCase();
  const parts = [];
  if (e.ctrlKey || e.metaKey) parts.push("Ctrl");
  if (e.altKey) parts.push("Alt");
  if (e.shiftKey && (!letter || upper)) parts.push("Shift");
  parts.push(letter ? e.key.toLowerCase() : e.key);
  return parts.join("+");
}

const here = (k: Key, place: Place): boolean => k.in === "all" || (k.in ?? "trace") === place;

const STORED = "tracedeck-keys";

interface Stored { keys: Record<string, string[]>; plain: boolean }

/** What the user changed: keys by command, and whether keys without Ctrl or Alt act at all. */
const own: Stored = read();

function read(): Stored {
  const none: Stored = { keys: {}, plain: true };
  try {
    const v = JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Stored>;
    for (const [id, keys] of Object.entries(v.keys ?? {})) if (Array.isArray(keys)) none.keys[id] = keys.filter((k) => typeof k === "string");
    none.plain = v.plain !== false;
  } catch { /* no browser, or what is stored is not ours */ }
  return none;
}

function store(): void {
  try { localStorage.setItem(STORED, JSON.stringify(own)); } catch { /* then they hold until the page is gone */ }
}

/** The keys of a command, as the user wants them. */
export const keysFor = (k: Key): string[] => own.keys[k.id] ?? k.keys;

export const changed = (k: Key): boolean => own.keys[k.id] !== undefined;

/** The first key of a command, as it is shown; "" if it has none. */
export function keyOf(id: string): string {
  const k = KEYS.find((x) => x.id === id), first = k && keysFor(k)[0];
  return first ? keyName(first) : "";
}

const meet = (a: Key, b: Key): boolean => a.in === "all" || b.in === "all" || (a.in ?? "trace") === (b.in ?? "trace");

/** Gives a command a key instead of its own, or none; who had it loses it. Their texts are returned. */
export function bind(id: string, key: string | undefined): string[] {
  const k = KEYS.find((x) => x.id === id);
  if (!k) return [];
  const lost: string[] = [];
  for (const other of KEYS) {
    if (key === undefined || other === k || !meet(k, other) || !keysFor(other).includes(key)) continue;
    own.keys[other.id] = keysFor(other).filter((x) => x !== key);
    lost.push(other.text);
  }
  own.keys[id] = key === undefined ? [] : [key];
  store();
  return lost;
}

/** Gives all commands their own keys again. */
export function resetKeys(): void {
  own.keys = {};
  own.plain = true;
  store();
}

export const plainKeys = (): boolean => own.plain;

/** Switches keys that are a single sign without Ctrl or Alt on or off. */
export function setPlainKeys(on: boolean): void {
  own.plain = on;
  store();
}

const isPlain = (key: string): boolean => key.replace("Shift+", "").length === 1;

export function command(e: Press, place: Place = "trace"): string | undefined {
  const key = pressed(e);
  if (!own.plain && isPlain(key)) return undefined;
  return KEYS.find((k) => here(k, place) && keysFor(k).includes(key))?.id;
}

/** The keys that act in a place. */
export const keysOf = (place: Place): Key[] => KEYS.filter((k) => here(k, place));

const NAMES: Record<string, string> = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Backspace: "⌫", " ": "Space" };

export const keyName = (k: string): string => k.split("+").map((p) => NAMES[p] ?? (p.length === 1 ? p.toUpperCase() : p)).join(" ");
