import { isElement, nodeName } from "../dom/native";
import { groupKey } from "../page/overlay";
import { isTextual, modifiers, type Stage } from "./stage";

const silent = new Set(["Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock", "Dead", "Process", "Unidentified"]);
const editing = new Set(["Backspace", "Delete", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]);

// watchKeys reports keys that do something else than write text, and returns
// a function that tells which one was the last.
export function watchKeys(s: Stage, groups: boolean): () => Event | undefined {
  let last: KeyboardEvent | undefined;
  s.on<KeyboardEvent>("keydown", (e, n) => {
    last = e;
    const group = groups ? groupKey(e) : -1;
    if (group >= 0) { if (!e.repeat) s.report({ op: "command", name: "group", number: group }); return; }
    if (e.repeat || e.isComposing || silent.has(e.key) || !isElement(n) || writes(e, n)) return;
    s.act(e, n, "press", { key: [...modifiers(e).filter(m => m !== "Shift" || e.key.length > 1), e.key].join("+") });
  });
  return () => last;
}

// writes reports whether the key is a part of writing, which is told as the
// text that comes of it.
function writes(e: KeyboardEvent, n: Element): boolean {
  const textual = isTextual(n), graph = e.getModifierState("AltGraph");
  if ((e.ctrlKey || e.metaKey || e.altKey && e.key.length > 1) && !graph) return false;
  if (e.key.length === 1) return textual || e.key !== " " && !isShortcut(n);
  if (!textual) return false;
  const lines = nodeName(n) !== "INPUT";
  if (e.key === "Enter") return lines;
  return editing.has(e.key) && (lines || e.key !== "ArrowUp" && e.key !== "ArrowDown");
}

// isShortcut reports whether a letter means something where no text is.
function isShortcut(n: Element): boolean { return /^(listbox|menu|menubar|tree|grid|application|slider)$/.test(n.getAttribute("role") ?? "") || nodeName(n) === "BODY"; }
