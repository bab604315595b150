import { attribute, children, hasAttribute, localName, nodeName } from "../dom/native";
import { kindOf } from "./generated";
import { ancestors } from "./path";
import { type Finder } from "./engine";

// Row is the item of a list or table that an element is in. Which place it has
// says little about which one it is; its text says more.
export interface Row {
  role: string;
  text: string;
  index: number; // among its siblings
  position: number | undefined; // as the page counts, in lists of which only a part is in the document
  virtual: boolean;
}

const rowRoles = new Set(["row", "listitem", "option", "treeitem", "menuitem", "tab", "article"]);
const positions = ["aria-rowindex", "aria-posinset", "data-index", "data-row-index", "data-rowindex", "row-index", "data-item-index", "data-known-size"];

// rowOf returns the innermost item around an element, or that is the element.
export function rowOf(e: Element, finder: Finder): { element: Element; row: Row } | undefined {
  for (const a of [e, ...ancestors(e).slice(0, 12)]) {
    const role = finder.role(a), virtual = isVirtual(a);
    if (!rowRoles.has(role) && !virtual) continue;
    const at = Array.from(a.parentElement ? children(a.parentElement) : []).indexOf(a);
    return { element: a, row: { role, text: finder.text(a).slice(0, 200), index: at, position: positionOf(a), virtual } };
  }
  return undefined;
}

function positionOf(e: Element): number | undefined {
  for (const name of positions) {
    const v = attribute(e, name);
    if (v !== null && /^\d+$/.test(v)) return Number(v);
  }
  return undefined;
}

// isVirtual reports whether an item is one of a list whose items take turns in
// the document: it is put at its place by a style, beside others like it.
export function isVirtual(e: Element): boolean {
  const style = (e as HTMLElement).style, parent = e.parentElement;
  if (!style || !parent || children(parent).length < 2) return false;
  const placed = /translate(Y|3d)?\(/.test(style.transform) || style.position === "absolute" && style.top !== "" || positions.some(p => hasAttribute(e, p));
  if (!placed || nodeName(e) === "BODY") return false;
  let alike = 0;
  for (const c of Array.from(children(parent)).slice(0, 20)) {
    const s = (c as HTMLElement).style;
    if (c !== e && s && (s.transform !== "" && style.transform !== "" || s.top !== "" && style.top !== "" && s.position === style.position || positions.some(p => hasAttribute(c, p)))) alike++;
  }
  return alike > 0;
}

const states = /^(is-|has-|ng-|v-enter|v-leave)|(^|[-_])(active|open|opened|selected|hover|hovered|focus|focused|focus-visible|disabled|hidden|show|shown|visible|blank|empty|checked|current|dragging|expanded|collapsed|invalid|valid|dirty|pristine|touched|untouched)$/i;

// stableClasses are the first classes that were written by people and say no
// state.
export function stableClasses(e: Element): string[] {
  return Array.from(e.classList).filter(c => !c.includes(":") && kindOf(c) === "stable" && !states.test(c)).slice(0, 3);
}

// itemOf returns the innermost element around another that is one of several
// alike, such as a card: with text of its own besides.
export function itemOf(e: Element): Element | undefined {
  const own = (e.textContent ?? "").trim();
  for (const a of ancestors(e).slice(0, 12)) {
    const parent = a.parentElement;
    if (!parent || nodeName(a) === "BODY") return undefined;
    if ((a.textContent ?? "").trim() !== own && Array.from(children(parent)).slice(0, 30).some(c => c !== a && alike(a, c))) return a;
  }
  return undefined;
}

function alike(a: Element, b: Element): boolean {
  if (localName(a) !== localName(b)) return false;
  const first = (e: Element): string => Array.from(children(e)).slice(0, 4).map(localName).join();
  return first(a) === first(b) && first(a) !== "";
}

// shapeOf is a selector of such elements, and of few others.
export function shapeOf(e: Element): string {
  const name = CSS.escape(localName(e)), place = positions.find(p => hasAttribute(e, p)), classes = stableClasses(e);
  if (place) return `${name}[${place}]`;
  if (classes.length > 0) return name + classes.map(c => "." + CSS.escape(c)).join("");
  const names = Array.from(children(e)).map(localName), telling = names.find(n => !/^(div|span|button|svg)$/.test(n)) ?? names[0];
  return telling ? `${name}:has(> ${CSS.escape(telling)})` : name;
}
