import { closest, isContentEditable, isElement, nodeName } from "../dom/native";
import { modifiers, place, type Stage } from "./stage";

const meant = "button,a[href],[role=button],[role=link],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=option],[role=switch],[role=checkbox],[role=radio],[role=treeitem],summary,label";

// interactive is what was meant by pressing on something inside of a button or link.
function interactive(n: Element): Element {
  return /^(INPUT|TEXTAREA)$/.test(nodeName(n)) || isContentEditable(n) ? n : closest(n, meant) ?? n;
}

// watchPointer reports clicks of all kinds, taps, boxes that are checked, and
// menus that open when the mouse is over something.
export function watchPointer(s: Stage, key: () => Event | undefined): void {
  const hover = new Hover();
  const pressed = (e: PointerEvent, n: EventTarget, button: string): void => {
    if (!isElement(n) || byKey(e, key()) || /^(SELECT|OPTION)$/.test(nodeName(n)) || n instanceof HTMLInputElement && n.type === "file") return;
    const box = n instanceof HTMLInputElement && (n.type === "checkbox" || n.type === "radio");
    if (box && e.type === "click") {
      s.act(e, n, n.checked || n.type === "radio" ? "check" : "uncheck", {}, e.detail ? place(e, n) : {});
      return;
    }
    const control = closest(n, "label") ? (closest(n, "label") as HTMLLabelElement).control : null;
    // The control gets a click of its own.
    if (control instanceof HTMLInputElement && control !== n && e.type === "click" && ["checkbox", "radio", "file"].includes(control.type)) return;
    const target = interactive(n), { point, position } = place(e, target);
    const over = hover.before(target);
    if (over) s.act(e, over, "hover");
    const params: Record<string, unknown> = { position };
    if (button !== "left") params["button"] = button;
    if (modifiers(e).length > 0) params["modifiers"] = modifiers(e);
    if (e.detail > 1) params["clickCount"] = e.detail;
    s.act(e, target, e.pointerType === "touch" ? "tap" : e.detail === 2 && button === "left" ? "dblclick" : "click", params, { point });
  };
  s.on<PointerEvent>("click", (e, n) => pressed(e, n, "left"));
  s.on<PointerEvent>("contextmenu", (e, n) => { if (e.button === 2) pressed(e, n, "right"); });
  s.on<PointerEvent>("auxclick", (e, n) => { if (e.button === 1) pressed(e, n, "middle"); });
  s.on<PointerEvent>("pointerover", (e, n) => { if (e.pointerType === "mouse" && isElement(n)) hover.over(n, e.timeStamp); });
  s.on<PointerEvent>("pointerdown", () => hover.stop());
}

// byKey reports whether a click is one that the browser made of a key.
function byKey(e: MouseEvent, key: Event | undefined): boolean {
  return e.type === "click" && e.detail === 0 && key !== undefined && e.timeStamp - key.timeStamp < 1000;
}

// Hover finds out whether what is clicked came because the mouse was over
// something: a menu button that says so, and what it says to be its menu.
class Hover {
  private opened: { by: Element; at: number } | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;

  over(n: Element, at: number): void {
    const by = closest(n, "[aria-haspopup],[aria-expanded]");
    if (!by || by.getAttribute("aria-expanded") === "true" || by === this.opened?.by) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { if (by.getAttribute("aria-expanded") === "true") this.opened = { by, at }; }, 250);
  }

  stop(): void { clearTimeout(this.waiting); }

  // before returns what had to be hovered for the target to be there.
  before(target: Element): Element | undefined {
    const o = this.opened;
    this.opened = undefined;
    if (!o || !o.by.isConnected || o.by.contains(target)) return undefined;
    const menu = o.by.getAttribute("aria-controls") ?? o.by.getAttribute("aria-owns");
    const inside = menu ? target.closest("#" + CSS.escape(menu)) : target.closest("[role=menu],[role=listbox],[role=dialog],[role=tooltip]") ?? (o.by.parentElement?.contains(target) ? o.by : null);
    return inside ? o.by : undefined;
  }
}
