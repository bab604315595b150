import { isElement, nodeName } from "../dom/native";
import { groupKey } from "../page/overlay";
import { isTextual, modifiers, type Stage } from "./stage";

const silent = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock", "Dead", "Process", "Unidentified"]);
// stepped are the fields whose value these keys change.
export const stepped = new Set(["number", "range", "date", "datetime-local", "month", "time", "week", "color"]);
const steps = new Set(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End", "Backspace", "Delete"]);
const editing = new Set(["Backspace", "Delete", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

// watchKeys reports keys that do something else than write text, and returns
// a function that tells which one was the last.
export function watchKeys(s: Stage, groups: boolean): () => Event | undefined {
  let last: KeyboardEvent | undefined;
  const hear = (e: KeyboardEvent, n: EventTarget, told = false): void => {
    last = e;
    const group = groups ? groupKey(e) : -1;
    if (group >= 0) { if (!e.repeat) s.report({ op: "command", name: "group", number: group }); return; }
    if (e.repeat || e.isComposing || silent.has(e.key) || !isElement(n)) return;
    if (!told && writes(e, n, s)) { if (meant.has(e.key) && isTextual(n) && !s.typed(n)) unlessWritten(e, n, s, () => hear(e, n, true)); return; }
    if (browsers(e) && !told) { setTimeout(() => { if (e.defaultPrevented) hear(e, n, true); }); return; } // unless the page takes it
    s.act(e, n, "press", { key: [...modifiers(e).filter(m => m !== "Shift" || e.key.length > 1), e.key].join("+") });
  };
  s.on<KeyboardEvent>("keydown", (e, n) => hear(e, n));
  return () => last;
}

// meant are keys that pages take for something else than writing: sending a
// message, choosing from a list below the text.
const meant = new Set(["Enter", "ArrowUp", "ArrowDown"]);

// unlessWritten calls f if the page took the key for itself and wrote nothing.
function unlessWritten(e: KeyboardEvent, n: Element, s: Stage, f: () => void): void {
  const before = s.plain(n).length;
  setTimeout(() => { if (e.defaultPrevented && s.plain(n).length <= before) f(); });
}

// writes reports whether the key is a part of writing, which is told as the
// text that comes of it.
function writes(e: KeyboardEvent, n: Element, s: Stage): boolean {
  if (nodeName(n) === "SELECT") return !e.ctrlKey && !e.metaKey && e.key !== "Tab" && e.key !== "Escape"; // told as what is chosen
  const textual = isTextual(n), graph = e.getModifierState("AltGraph");
  if ((e.ctrlKey || e.metaKey || e.altKey && e.key.length > 1) && !graph) return false;
  if (e.key.length === 1) return textual || e.key !== " " && !isShortcut(n);
  if (!textual) return false;
  if (s.typed(n)) return false;
  if (n instanceof HTMLInputElement && stepped.has(n.type)) return steps.has(e.key);
  const lines = nodeName(n) !== "INPUT";
  if (e.key === "Enter") return lines;
  return editing.has(e.key) && (lines || e.key !== "ArrowUp" && e.key !== "ArrowDown");
}

// browsers reports whether a key is the browser's own, which is told as what comes of it.
function browsers(e: KeyboardEvent): boolean {
  return /^F(3|5|6|11|12)$/.test(e.key) || e.key === "BrowserBack" || e.key === "BrowserForward" || e.altKey && !e.ctrlKey && /^Arrow(Left|Right)$/.test(e.key) || (e.ctrlKey || e.metaKey) && !e.altKey && /^[rldfpsougjhn+0-]$/i.test(e.key);
}

// isShortcut reports whether a letter means something where no text is.
function isShortcut(n: Element): boolean { return /^(listbox|menu|menubar|tree|grid|application|slider)$/.test(n.getAttribute("role") ?? "") || nodeName(n) === "BODY"; }
