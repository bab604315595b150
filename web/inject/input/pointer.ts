import { closest, isElement, nodeName } from "../dom/native";
import { Hover } from "./hover";
import { interactive, type Presses } from "./press";
import { modifiers, place, type Stage } from "./stage";

// watchPointer reports clicks of all kinds, taps, boxes that are checked, and
// menus that open when the mouse is over something.
export function watchPointer(s: Stage, presses: Presses, key: () => Event | undefined): void {
  const hover = new Hover();
  const pressed = (e: PointerEvent, n: EventTarget, button: string): void => {
    if (!isElement(n) || byKey(e, key()) || s.dragged(e) || /^(SELECT|OPTION)$/.test(nodeName(n)) || n instanceof HTMLInputElement && n.type === "file") return;
    const press = button === "left" ? presses.of(e, n) : undefined, since = press?.event;
    if (press) press.clicked = true;
    const box = n instanceof HTMLInputElement && (n.type === "checkbox" || n.type === "radio");
    if (box && e.type === "click") {
      const own = press?.target === n ? press : undefined;
      s.act(e, n, n.checked || n.type === "radio" ? "check" : "uncheck", {}, { ...e.detail ? own ? { point: own.point, position: own.position } : place(e, n) : {}, since, described: own?.described });
      return;
    }
    const control = closest(n, "label") ? (closest(n, "label") as HTMLLabelElement).control : null;
    // The control gets a click of its own.
    if (control instanceof HTMLInputElement && control !== n && e.type === "click" && ["checkbox", "radio", "file"].includes(control.type)) return;
    const target = press?.target ?? interactive(n), { point, position } = press ?? place(e, target);
    for (const over of hover.before(target)) s.act(e, over, "hover", {}, { since, described: s.describe(over, false, target) });
    const params: Record<string, unknown> = { position };
    if (button !== "left") params["button"] = button;
    if (modifiers(e).length > 0) params["modifiers"] = modifiers(e);
    if (e.detail > 1) params["clickCount"] = e.detail;
    s.act(e, target, e.pointerType === "touch" ? "tap" : e.detail === 2 && button === "left" ? "dblclick" : "click", params, { point, since, described: press?.described });
  };
  s.on<PointerEvent>("click", (e, n) => pressed(e, n, "left"));
  presses.lost(p => s.act(p.event, p.target, "click", { position: p.position }, { point: p.point, described: p.described }));
  s.on<PointerEvent>("contextmenu", (e, n) => { if (e.button === 2) pressed(e, n, "right"); });
  s.on<PointerEvent>("auxclick", (e, n) => { if (e.button === 1) pressed(e, n, "middle"); });
  s.on<PointerEvent>("pointerover", (e, n) => { if (e.pointerType === "mouse" && e.buttons === 0 && isElement(n)) hover.over(n, e); });
  for (const other of ["pointerdown", "keydown", "input", "wheel", "scroll"]) s.on(other, () => hover.stop()); // what comes now is its doing
}

// byKey reports whether a click is one that the browser made of a key.
function byKey(e: MouseEvent, key: Event | undefined): boolean {
  return e.type === "click" && e.detail === 0 && key !== undefined && e.timeStamp - key.timeStamp < 1000;
}
