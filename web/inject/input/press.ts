import { boxOf, closest, isContentEditable, isElement, nodeName, parentOf } from "../dom/native";
import { type Target } from "../selector/describe";
import { type Stage } from "./stage";
import { type Point } from "./report";

const meant = "button,a[href],[role=button],[role=link],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=option],[role=switch],[role=checkbox],[role=radio],[role=treeitem],[role=combobox],[role=slider],summary,label";

// interactive is what was meant by pressing on something inside of a button or
// link, which may be the host of the shadow tree that it is in.
export function interactive(n: Element): Element {
  if (/^(INPUT|TEXTAREA)$/.test(nodeName(n)) || isContentEditable(n)) return n;
  for (let e: Element = n, depth = 0; depth < 5; depth++) {
    const found = closest(e, meant);
    if (found) return found;
    const root = e.getRootNode();
    if (!(root instanceof ShadowRoot)) break;
    e = root.host;
  }
  // A slot has no box of its own.
  let own: Node | null = n;
  while (own && isElement(own) && nodeName(own) === "SLOT") own = parentOf(own);
  return own instanceof ShadowRoot ? own.host : isElement(own) ? own : n;
}

// opens is what often shows something else before the button is up, or is gone by then.
const opens = "[aria-haspopup],[aria-expanded],[role=combobox],[role=slider],[role=option],[role=treeitem],[role^=menuitem],li";

// Press is what the pointer went down on. What happens then may change the page
// before the click is known.
export interface Press {
  node: Element;
  target: Element; // what was meant
  described: Target | undefined; // before the page knew of it; where that may matter
  event: PointerEvent;
  point: Point;
  position: Point; // in target
  box: DOMRect; // of target
  mouse: Event | undefined; // the mouse event of it
  clicked: boolean; // it ended in a click
}

// Presses remembers the last one.
export class Presses {
  last: Press | undefined;

  constructor(private s: Stage) {
    s.on<PointerEvent>("pointerdown", (e, n) => {
      this.last = undefined;
      if (!isElement(n) || !e.isPrimary || e.button !== 0 || /^(SELECT|OPTION|HTML)$/.test(nodeName(n))) return;
      const target = interactive(n), box = boxOf(target), point = { x: e.clientX, y: e.clientY };
      this.last = { node: n, target, described: closest(target, opens) ? s.describe(target) : undefined, event: e, point, box, position: { x: Math.round(point.x - box.x), y: Math.round(point.y - box.y) }, mouse: undefined, clicked: false };
    });
    s.on<MouseEvent>("mousedown", e => {
      if (this.last && e.button === 0) this.last.mouse = e;
      if (e.detail > 1) s.report({ op: "again" });
    });
  }

  // lost calls f for presses that end in no click, because the page took away
  // what was pressed: menus that answer before the button is up.
  lost(f: (p: Press) => void): void {
    this.s.on<PointerEvent>("pointerup", e => {
      const p = this.last;
      if (!p?.described || e.button !== 0 || e.pointerType !== "mouse" || this.s.dragged(e)) return;
      setTimeout(() => { if (!p.clicked && p === this.last && !p.target.isConnected) f(p); });
    });
  }

  // of returns the press that a click is the end of. The target of a click is
  // around both where the pointer went down and where it went up.
  of(e: MouseEvent, n: Element): Press | undefined {
    const p = this.last;
    return p && e.detail > 0 && (p.described || p.target.isConnected) && e.timeStamp - p.event.timeStamp < 10_000 && (p.described && !p.target.isConnected || p.node === n || n.contains(p.node) || this.s.contains(n, p.node)) ? p : undefined;
  }
}
