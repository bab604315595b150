import { hostOf, isContentEditable, nodeName, parentNode } from "../dom/native";
import { squeeze } from "../selector/text";
import { checked, disabled, isVisible } from "./query";

// What a driver asks about an element before it acts on it, and what it does
// to fields that cannot be typed into.

export interface State { connected: boolean; visible: boolean; enabled: boolean; editable: boolean; tag: string; type: string; text: string; box: { x: number; y: number; width: number; height: number } }

export function editable(e: Element): boolean {
  if (isContentEditable(e)) return true;
  if (!/^(INPUT|TEXTAREA|SELECT)$/.test(nodeName(e))) return false;
  return !disabled(e) && !(e as HTMLInputElement).readOnly && e.getAttribute("aria-readonly") !== "true";
}

export function state(e: Element): State {
  const b = e.getBoundingClientRect();
  return { connected: e.isConnected, visible: e.isConnected && isVisible(e), enabled: !disabled(e), editable: editable(e), tag: nodeName(e), type: (e as HTMLInputElement).type ?? "",
    text: squeeze((e as HTMLElement).innerText ?? e.textContent ?? "").slice(0, 80), box: { x: b.x, y: b.y, width: b.width, height: b.height } };
}

// control is what a label is for, or what an element is a part of.
export function control(e: Element): Element {
  if (e instanceof HTMLLabelElement) return e.control ?? e;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(nodeName(e)) || isContentEditable(e)) return e;
  const l = e.closest("label");
  return l instanceof HTMLLabelElement && l.control ? l.control : e;
}

// carrier is what gets the clicks of a control that is not drawn: a label of it, or
// the innermost element around it that is. It is null where the control is drawn.
export function carrier(e: Element): Element | null {
  if (isVisible(e)) return null;
  for (const l of (e as HTMLInputElement).labels ?? []) if (isVisible(l)) return l;
  for (let n = parentNode(e); n; n = parentNode(n) ?? (n instanceof ShadowRoot ? hostOf(n) : null)) if (n instanceof Element && isVisible(n)) return n;
  return null;
}

// within is the place on the carrier that is that far from an element's corner, or
// null if it is beside it.
export function within(e: Element, carrier: Element, dx: number, dy: number): { x: number; y: number } | null {
  const from = e.getBoundingClientRect(), box = carrier.getBoundingClientRect(), x = from.x + dx - box.x, y = from.y + dy - box.y;
  return x >= 0 && y >= 0 && x <= box.width && y <= box.height ? { x, y } : null;
}

// inside goes up as events do: from what stands in a slot into the shadow that
// the slot is of.
function inside(n: Node | null, of: Element): boolean {
  for (; n; n = (n as Text).assignedSlot ?? parentNode(n) ?? (n instanceof ShadowRoot ? hostOf(n) : null)) if (n === of) return true;
  return false;
}

// takes reports whether an event for what is hit reaches the target, and
// otherwise what is in the way.
//
// dx and dy are where it is within the target's box: of what stands in a slot,
// the browser names the element that the slot's shadow is of.
export function takes(target: Element, hit: Node | null, dx = 0, dy = 0): string {
  if (!hit) return "nothing is there";
  if (!(hit instanceof Node)) return "what is drawn over the page is in the way"; // such as the backdrop of a dialog
  if (inside(hit, target)) return "";
  const e = hit instanceof Element ? hit : hit.parentElement, root = target.getRootNode(), box = target.getBoundingClientRect();
  if (e && root instanceof ShadowRoot && inside(target, e) && inside(root.elementsFromPoint(box.x + dx, box.y + dy)[0] ?? null, target)) return "";
  if (e?.closest("label") && control(e) === control(target)) return "";
  const own = target.closest("button,a,[role=button],[role=link],label");
  if (own && own !== target && inside(hit, own)) return "";
  return e ? describe(e) + " is in the way" : "something is in the way";
}

// over are the elements from the innermost one around both to what is hit, that
// one not: what of it lies over the target.
export function over(target: Element, hit: Node): { tag: string; attributes: Record<string, string> }[] {
  const list: { tag: string; attributes: Record<string, string> }[] = [];
  for (let n: Node | null = hit; n && !(n instanceof Element && inside(target, n)); n = parentNode(n) ?? (n instanceof ShadowRoot ? hostOf(n) : null)) {
    if (n instanceof Element) list.unshift({ tag: nodeName(n), attributes: Object.fromEntries(Array.from(n.attributes, a => [a.name, a.value])) });
  }
  return list;
}

export function describe(e: Element): string {
  const copy = (e.cloneNode(false) as Element).outerHTML.replace(/><\/[^>]*>$/, ">");
  return copy.length > 120 ? copy.slice(0, 120) + "…" : copy;
}

const typed = new Set(["", "text", "search", "url", "tel", "email", "password", "number"]);

function told(e: Element): void {
  e.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  e.dispatchEvent(new Event("change", { bubbles: true }));
}

// fill prepares a field for text, or sets its value where none is typed. It
// answers "type" if the text is to be written into what is selected now.
export function fill(element: Element, value: string): string {
  const e = control(element);
  if (e instanceof HTMLInputElement && !typed.has(e.type)) {
    if (/^(checkbox|radio|file|button|submit|reset|image)$/.test(e.type)) throw new Error(`an input of type ${e.type} cannot be filled`);
    e.focus();
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    set?.call(e, e.type === "color" ? value.toLowerCase().trim() : value.trim());
    if (e.value !== (e.type === "color" ? value.toLowerCase().trim() : value.trim())) throw new Error("malformed value");
    told(e);
    return "done";
  }
  if (e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement) {
    if (e instanceof HTMLInputElement && e.type === "number" && value !== "" && Number.isNaN(Number(value.trim()))) throw new Error("cannot type text into an input of type number");
    e.focus();
    e.select();
    return "type";
  }
  if (!isContentEditable(e)) throw new Error("element is not an <input>, <textarea> or [contenteditable] element");
  (e as HTMLElement).focus();
  const range = document.createRange(), selection = getSelection();
  range.selectNodeContents(e);
  selection?.removeAllRanges();
  selection?.addRange(range);
  return "type";
}

export function focus(e: Element, start = false): void {
  const h = e as HTMLElement, was = (e.getRootNode() as Document | ShadowRoot).activeElement === e && document.hasFocus();
  h.focus();
  // Playwright types before what is in a field that had no focus.
  if (start && !was && e instanceof HTMLInputElement) { try { e.setSelectionRange(0, 0); } catch { /* of a type without a caret */ } }
  // The caret of what is typed into for the first time goes to the end of a
  // text that can be edited.
  if (isContentEditable(e) && getSelection()?.rangeCount === 0) { const r = document.createRange(); r.selectNodeContents(e); r.collapse(false); getSelection()?.addRange(r); }
}

export interface Choice { value?: string; label?: string; valueOrLabel?: string; index?: number }

// select chooses options. It answers the values that are chosen, or "" while
// one is not there.
export function select(element: Element, choices: Choice[]): string[] | string {
  const e = control(element);
  if (!(e instanceof HTMLSelectElement)) throw new Error("element is not a <select> element");
  const wanted = new Set<HTMLOptionElement>(), options = [...e.options];
  for (const c of choices) {
    const o = options.find((o, i) => (c.valueOrLabel === undefined || o.value === c.valueOrLabel || squeeze(o.label) === squeeze(c.valueOrLabel)) && (c.value === undefined || o.value === c.value) &&
      (c.label === undefined || squeeze(o.label) === squeeze(c.label)) && (c.index === undefined || c.index === i));
    if (!o) return "";
    wanted.add(o);
    if (!e.multiple) break;
  }
  e.focus();
  if (!e.multiple) e.value = undefined as never;
  for (const o of options) o.selected = wanted.has(o);
  told(e);
  return [...wanted].map(o => o.value);
}

export function isChecked(element: Element): boolean { return checked(control(element)) === true; }

// scrolled moves an element, or the document, as if a person had.
export function scrolled(e: Element | null, x: number, y: number): void { (e ?? document.scrollingElement ?? document.documentElement).scrollTo({ left: x, top: y, behavior: "instant" }); }
