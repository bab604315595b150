// The keys, as data: the help, the palette and the tests read the same table.

export interface Key { id: string; keys: string[]; text: string; group: string }

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
  { id: "zoomIn", keys: ["w"], text: "zoom in", group: "Timeline" },
  { id: "zoomOut", keys: ["s"], text: "zoom out", group: "Timeline" },
  { id: "panLeft", keys: ["a"], text: "earlier", group: "Timeline" },
  { id: "panRight", keys: ["d"], text: "later", group: "Timeline" },
  { id: "fit", keys: ["z"], text: "fit the range or the step", group: "Timeline" },
  { id: "all", keys: ["0"], text: "the whole trace", group: "Timeline" },
  { id: "back", keys: ["Backspace"], text: "back to the view before", group: "Timeline" },
  { id: "search", keys: ["/"], text: "search", group: "Everywhere" },
  { id: "palette", keys: ["Ctrl+k"], text: "commands", group: "Everywhere" },
  { id: "filter", keys: ["f"], text: "filter steps", group: "Everywhere" },
  { id: "copyLink", keys: ["l"], text: "copy a link to this moment", group: "Everywhere" },
  { id: "copyText", keys: ["t"], text: "copy this step as text", group: "Everywhere" },
  { id: "nextRegion", keys: ["F6"], text: "next region", group: "Everywhere" },
  { id: "previousRegion", keys: ["Shift+F6"], text: "previous region", group: "Everywhere" },
  ...["Errors", "Call", "Log", "Console", "Network", "Source", "Attachments", "Metadata"].map((name, i) => (
    { id: `tab${i + 1}`, keys: [`Alt+${i + 1}`], text: `tab ${name}`, group: "Tabs" })),
  { id: "escape", keys: ["Escape"], text: "close, clear the range, leave", group: "Everywhere" },
  { id: "help", keys: ["?"], text: "this list", group: "Everywhere" },
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

const BY_KEY = new Map(KEYS.flatMap((k) => k.keys.map((name) => [name, k.id] as const)));

export const command = (e: Press): string | undefined => BY_KEY.get(pressed(e));

const NAMES: Record<string, string> = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Backspace: "⌫" };

export const keyName = (k: string): string => k.split("+").map((p) => NAMES[p] ?? (p.length === 1 ? p.toUpperCase() : p)).join(" ");
