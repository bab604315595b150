import { isElement } from "../dom/native";
import { type Stage } from "./stage";

const longest = 10_000; // characters of what is pasted

// watchNotes tells what accompanies actions and is none by itself.
export function watchNotes(s: Stage): void {
  for (const kind of ["focusin", "focusout"]) {
    s.on(kind, (e, n) => { if (isElement(n)) s.note(e, kind === "focusin" ? "focus" : "blur", { selector: quick(n) }); });
  }
  s.on<SubmitEvent>("submit", (e, n) => { if (isElement(n)) s.note(e, "submit", { selector: quick(n), action: (n as HTMLFormElement).getAttribute("action") ?? "", method: (n as HTMLFormElement).getAttribute("method") ?? "get" }); });
  for (const kind of ["copy", "cut", "paste"]) s.on<ClipboardEvent>(kind, (e, n) => s.note(e, kind, { selector: isElement(n) ? quick(n) : "", ...held(e, n, s) }));
  let due: ReturnType<typeof setTimeout> | undefined;
  s.on("resize", e => {
    if (window !== top) return;
    clearTimeout(due);
    due = setTimeout(() => s.note(e, "resize", { width: innerWidth, height: innerHeight }), 200);
  });
  s.on("visibilitychange", e => s.note(e, "visibility", { state: document.visibilityState }));
  s.on("fullscreenchange", e => s.note(e, "fullscreen", { on: document.fullscreenElement !== null }));
}

// held is what a paste brings; what is copied says the act that copies.
function held(e: ClipboardEvent, n: EventTarget, s: Stage): Record<string, unknown> {
  if (e.type !== "paste" || !e.clipboardData || isElement(n) && s.isSecret(n)) return {};
  return { types: Array.from(e.clipboardData.types), text: e.clipboardData.getData("text/plain").slice(0, longest) };
}

// quick names an element well enough for a line in a log.
function quick(n: Element): string {
  const id = n.getAttribute("id"), name = n.getAttribute("name");
  return n.localName + (id ? "#" + id : name ? `[name=${JSON.stringify(name)}]` : "");
}
