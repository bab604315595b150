import { isElement, nodeName } from "../dom/native";
import { age, type Stage } from "./stage";

const scrollKeys = new Set(["PageDown", "PageUp", "ArrowDown", "ArrowUp", "Home", "End", " "]);

// watchScrolls reports where people scroll to; all of one go is one act.
// What pages scroll by themselves is none. scrolled is called for both.
export function watchScrolls(s: Stage, scrolled: (e: Element) => void, tell: boolean): void {
  let moved = -Infinity; // when the user did something that scrolls
  let by: EventTarget | undefined; // what it was done over
  const move = (e: Event, n: EventTarget): void => { moved = e.timeStamp; by = n; };
  s.on("wheel", move);
  s.on("touchmove", move);
  s.on<KeyboardEvent>("keydown", e => { if (scrollKeys.has(e.key)) moved = -Infinity; }); // told as keys
  s.on<MouseEvent>("mousedown", (e, n) => { if (isElement(n) && onBar(e, n)) { held = true; by = n; } });
  s.on("mouseup", () => { held = false; });
  let held = false; // a scroll bar
  s.on("scroll", (e, n) => {
    const box = n === document ? document.scrollingElement ?? document.documentElement : isElement(n) ? n : null;
    if (!box) return;
    scrolled(box);
    if (!tell) return;
    if (held) moved = e.timeStamp;
    if (e.timeStamp - moved > 1500 || s.last.method !== "scroll" && s.last.at > moved) return; // it answers what was done since
    if (by instanceof Node && !s.contains(box, by)) return; // the page has it follow
    const position = { x: box.scrollLeft, y: box.scrollTop };
    if (s.last.method === "scroll" && s.last.node === box) { s.report({ op: "value", position, age: age(e) }); return; }
    s.act(e, box, "scroll", position, { title: "Scroll" });
  });
}

// onBar reports whether the mouse is on a scroll bar, which no element is.
function onBar(e: MouseEvent, n: Element): boolean {
  if (nodeName(n) === "HTML") return e.clientX >= n.clientWidth || e.clientY >= n.clientHeight;
  const b = n.getBoundingClientRect();
  return n.clientWidth > 0 && (e.clientX - b.left - n.clientLeft >= n.clientWidth && n.scrollHeight > n.clientHeight || e.clientY - b.top - n.clientTop >= n.clientHeight && n.scrollWidth > n.clientWidth);
}
