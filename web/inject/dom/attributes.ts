import { attributesOf, boxOf, closest, inputType, isElement, matches, parentNode, nodeName, scrollLeft, scrollTop } from "./native";
import { type Attributes } from "./known";
import { hide, hideAll, isSecret, told, type Secrets } from "./secret";

const scriptAddress = /^[\s\0-\x1f]*(javascript|vbscript):/i;
const addresses = new Set(["src", "srcset", "href", "xlink:href", "data", "action", "formaction"]);

// written are the attributes that the page gave an element, without what
// would run or would lead to other pages than the snapshot's.
export function written(e: Element, name: string, masked: boolean, s: Secrets): Attributes {
  const out = Object.create(null) as Attributes, frame = name === "IFRAME" || name === "FRAME";
  for (const { name: n, value } of attributesOf(e)) {
    if (n.startsWith("__playwright") || n.startsWith("__tracedeck")) continue;
    if (frame && (n === "src" || n === "srcdoc" || n === "sandbox")) continue;
    if (n === "integrity" && name === "LINK" || n === "open" && name === "DIALOG") continue;
    if (n === "value" && name === "INPUT" && isSecret(e, s)) continue;
    if (n === "charset" && name === "META") out[n] = "utf-8";
    else if (n.startsWith("on")) out[n] = "";
    else if (addresses.has(n) && name !== "A" && scriptAddress.test(value)) out[n] = "";
    else out[n] = masked && told.has(n) ? hide(value) : value;
  }
  return out;
}

// Kinds of state that change without a mutation.
export type Volatile = "field" | "select" | "option" | "rect" | "source" | "popover" | "dialog" | "canvas" | "video";

// volatile says what there is to watch about an element.
export function volatileOf(e: Element, name: string): Volatile | undefined {
  switch (name) {
    case "INPUT": return inputType(e) === "file" ? undefined : "field";
    case "TEXTAREA": return "field";
    case "SELECT": return "select";
    case "OPTION": return closest(e, "select") ? undefined : "option";
    case "IFRAME": case "FRAME": return "rect";
    case "CANVAS": return "canvas";
    case "VIDEO": return "video";
    case "IMG": return pictured(e) ? "source" : undefined;
    case "DIALOG": return "dialog";
  }
  return e instanceof HTMLElement && e.popover !== null ? "popover" : undefined;
}

// pictured reports whether the browser chose the address of a picture.
function pictured(e: Element): boolean {
  return (e as HTMLImageElement).srcset !== "" || nodeName(parentNode(e) ?? e) === "PICTURE";
}

function box(e: Element): string {
  const { left, top, right, bottom } = boxOf(e);
  return JSON.stringify({ left, top, right, bottom });
}

// glance is what tells that state has changed, at the least cost.
export function glance(e: Element, kind: Volatile): unknown {
  switch (kind) {
    case "field": { const i = e as HTMLInputElement; return isBox(e) ? i.checked : i.value; }
    case "select": { const s = e as HTMLSelectElement; return s.multiple ? Array.from(s.options, o => o.selected ? 1 : 0).join("") : s.selectedOptions[0]; }
    case "option": return (e as HTMLOptionElement).selected;
    case "rect": case "canvas": return box(e);
    case "source": return (e as HTMLImageElement).currentSrc;
    case "popover": return matches(e, ":popover-open");
    case "dialog": return (e as HTMLDialogElement).open ? matches(e, ":modal") ? 2 : 1 : 0;
    case "video": return 0;
  }
}

function isBox(e: Element): boolean {
  if (!(e instanceof HTMLInputElement)) return false;
  const t = inputType(e);
  return t === "checkbox" || t === "radio";
}

// addState adds what an element is without saying so in its attributes. It
// reports whether it is scrolled.
export function addState(out: Attributes, e: Element, name: string, masked: boolean, s: Secrets): boolean {
  const top = scrollTop(e), left = scrollLeft(e);
  if (top) out["__playwright_scroll_top_"] = String(top);
  if (left) out["__playwright_scroll_left_"] = String(left);
  switch (name) {
    case "INPUT": addField(out, e as HTMLInputElement, masked, s); break;
    case "TEXTAREA": { const v = (e as HTMLTextAreaElement).value; out["__playwright_value_"] = masked || isSecret(e, s) ? hide(v) : v; break; }
    case "OPTION": out["__playwright_selected_"] = String((e as HTMLOptionElement).selected); break;
    case "CANVAS": case "IFRAME": case "FRAME": out["__playwright_bounding_rect__"] = box(e); break;
    case "IMG": { const i = e as HTMLImageElement; if (pictured(e) && i.currentSrc) out["__playwright_current_src__"] = i.currentSrc; break; }
    case "PICTURE": if (Array.from(e.children).some(c => c instanceof HTMLImageElement && c.currentSrc)) out["__playwright_current_src__"] = ""; break;
    case "DIALOG": if ((e as HTMLDialogElement).open) out["__playwright_dialog_open_"] = matches(e, ":modal") ? "modal" : "true"; break;
  }
  if (e instanceof HTMLElement && e.popover !== null && matches(e, ":popover-open")) out["__playwright_popover_open_"] = "true";
  return top !== 0 || left !== 0;
}

function addField(out: Attributes, e: HTMLInputElement, masked: boolean, s: Secrets): void {
  if (isBox(e)) out["__playwright_checked_"] = String(e.checked);
  else if (inputType(e) !== "file") out["__playwright_value_"] = isSecret(e, s) ? hideAll(e.value) : masked ? hide(e.value) : e.value;
}

// isHost reports whether an element could get a shadow root without being seen to.
const hosts = new Set(["ARTICLE", "ASIDE", "BLOCKQUOTE", "BODY", "DIV", "FOOTER", "H1", "H2", "H3", "H4", "H5", "H6", "HEADER", "MAIN", "NAV", "P", "SECTION", "SPAN"]);
export function mayHost(e: Element, name: string, empty: boolean): boolean {
  return name.includes("-") || empty && hosts.has(name) && isElement(e);
}
