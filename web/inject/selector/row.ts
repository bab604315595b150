import { attribute, children, hasAttribute, nodeName } from "../dom/native";
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
