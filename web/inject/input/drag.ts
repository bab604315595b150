import { boxOf, closest, isContentEditable, isElement, nodeName, openRoot } from "../dom/native";
import { type Target } from "../selector/describe";
import { type Press, type Presses } from "./press";
import { place, type Stage } from "./stage";

const far = 8; // CSS px that the pointer goes for a press to be a drag
const pointed = "button,a[href],[role=button],[role=link],[role=menuitem],[role=tab],[role=option],[role=checkbox],[role=switch],summary,label";

// watchDrags reports what is dragged and where it is dropped, by the browser's
// own dragging or by that of the page. Files from outside are named.
export function watchDrags(s: Stage, presses: Presses): void {
  let source: { selector: string; position: { x: number; y: number } } | undefined, pull: Pull | undefined;
  s.on<DragEvent>("dragstart", (e, n) => {
    const from = isElement(n) ? n : n instanceof Text ? n.parentElement : null;
    source = from ? { selector: s.selector(from), position: place(e, from).position } : undefined;
  });
  s.on<DragEvent>("drop", (e, n) => {
    if (!isElement(n)) return;
    const { point, position } = place(e, n), files = Array.from(e.dataTransfer?.files ?? [], f => ({ name: f.name, type: f.type, size: f.size }));
    const params: Record<string, unknown> = { selector: undefined, source: source?.selector, target: s.selector(n), targetPosition: position };
    if (source) params["sourcePosition"] = source.position;
    if (files.length > 0) params["_files"] = files;
    s.act(e, n, "dragAndDrop", params, { point });
    source = undefined;
  });
  s.on("dragend", () => { source = undefined; });

  const drop = (): void => { pull?.end(); pull = undefined; };
  s.on<PointerEvent>("pointermove", e => {
    const p = presses.last;
    if (pull || !p || !(e.buttons & 1) || away(e, p) < 3 || native(p.node)) return;
    p.described ??= s.describe(p.target);
    pull = new Pull(p, p.described);
  });
  s.on("pointercancel", drop); // the browser drags or scrolls by itself
  s.on<PointerEvent>("pointerup", e => {
    const p = pull;
    drop();
    if (!p || e.button !== 0 || !p.real(e)) return;
    const to = p.under(e), { point, position } = place(e, to);
    s.dragEnded = e.timeStamp;
    s.act(e, to, "dragAndDrop", { selector: undefined, source: p.source.selector, target: s.selector(to), sourcePosition: p.press.position, targetPosition: position, _pointer: true },
      { point, since: p.press.event });
  });
}

function away(e: MouseEvent, p: Press): number { return Math.hypot(e.clientX - p.point.x, e.clientY - p.point.y); }

// native reports whether moving the pointer there means something to the browser
// that is told otherwise: as what a field holds then.
function native(n: Element): boolean { return /^(INPUT|TEXTAREA|SELECT|OPTION|VIDEO|AUDIO)$/.test(nodeName(n)) || isContentEditable(n); }

// Pull is a press under way of which the pointer moves. Whether the page follows
// shows in what it does.
class Pull {
  private changed = false;
  private observer = new MutationObserver(() => { this.changed = true; this.observer.disconnect(); });

  constructor(readonly press: Press, readonly source: Target) { this.observer.observe(document, { subtree: true, childList: true, attributes: true }); }

  end(): void {
    if (this.observer.takeRecords().length > 0) this.changed = true;
    this.observer.disconnect();
  }

  real(e: PointerEvent): boolean {
    const { target, box, node, mouse, event } = this.press;
    if (away(e, this.press) < far) return false;
    if (nodeName(node) === "CANVAS") return true;
    const inside = e.clientX >= box.left && e.clientX <= box.right && e.clientY >= box.top && e.clientY <= box.bottom;
    if (inside && closest(target, pointed)) return false; // a click of an unsteady hand
    if (event.defaultPrevented || mouse?.defaultPrevented) return true;
    const selected = document.getSelection();
    return this.changed && (!selected || selected.isCollapsed);
  }

  // under is what the pointer is over, below what is dragged if that went along.
  under(e: PointerEvent): Element {
    const { node, target, box } = this.press, now = boxOf(target);
    const moved = !target.isConnected || Math.abs(now.x - box.x) + Math.abs(now.y - box.y) > 2;
    let found: Element | undefined;
    for (let root: Document | ShadowRoot | null = document; root; root = found ? openRoot(found) : null) {
      const next: Element | undefined = root.elementsFromPoint(e.clientX, e.clientY).find(x => !moved || !(x === node || x === target || target.contains(x)) && nodeName(x) !== "TRACEDECK-OVERLAY");
      if (!next || next === found || root !== document && !root.contains(next)) break;
      found = next;
    }
    return found ?? document.body;
  }
}
