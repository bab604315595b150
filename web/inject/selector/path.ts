import { attribute, idOf, localName, nextElement, parentNode, parentOf, previousElement, query, rootOf } from "../dom/native";
import { kindOf } from "./generated";

// cssPath names an element by its place in its tree, from the nearest ancestor
// that has an id of its own.
export function cssPath(e: Element): string {
  const parts: string[] = [], root = rootOf(e);
  for (let n: Node | null = e; n instanceof Element; n = parentNode(n)) {
    const id = idOf(n);
    if (typeof id === "string" && id && kindOf(id) === "stable" && query(root, "#" + CSS.escape(id)).length === 1) { parts.unshift("#" + CSS.escape(id)); break; }
    const parent: Node | null = parentNode(n);
    if (localName(n) === "html" || localName(n) === "body" && parts.length > 0) { parts.unshift(localName(n)); break; }
    parts.unshift(step(n, parent));
  }
  return parts.join(" > ");
}

function step(e: Element, parent: Node | null): string {
  const name = CSS.escape(localName(e)), at = parent instanceof Element || parent instanceof DocumentFragment ? placeOf(e) : 0;
  return at > 0 ? `${name}:nth-of-type(${at})` : name;
}

// placeOf is the number of an element among its siblings of the same name, from 1; 0 if it is the only one.
function placeOf(e: Element): number {
  const name = localName(e);
  let before = 0;
  for (let s = previousElement(e); s; s = previousElement(s)) if (localName(s) === name) before++;
  if (before > 0) return before + 1;
  for (let s = nextElement(e); s; s = nextElement(s)) if (localName(s) === name) return 1;
  return 0;
}

// fullPath goes through the hosts of the shadow trees around the element.
export function fullPath(e: Element): string {
  const root = rootOf(e), own = cssPath(e);
  return root instanceof ShadowRoot ? fullPath(root.host) + " >> " + own : own;
}

// xpath names an element in the way of DevTools, inside of its tree.
export function xpath(e: Element): string {
  let out = "";
  for (let n: Node | null = e; n instanceof Element; n = parentNode(n)) {
    const id = attribute(n, "id");
    if (id && kindOf(id) === "stable" && !id.includes('"')) return `//*[@id="${id}"]` + out;
    const at = parentNode(n) ? placeOf(n) : 0;
    out = "/" + localName(n) + (at > 0 ? `[${at}]` : "") + out;
  }
  return out;
}

// hostsOf are the hosts of the shadow trees around an element, outermost first.
export function hostsOf(e: Element): Element[] {
  const list: Element[] = [];
  for (let root = rootOf(e); root instanceof ShadowRoot; root = rootOf(root.host)) list.unshift(root.host);
  return list;
}

// ancestors are the elements around an element, through shadow roots, nearest first.
export function ancestors(e: Element): Element[] {
  const list: Element[] = [];
  for (let n = parentOf(e); n; n = parentOf(n)) if (n instanceof Element) list.push(n);
  return list;
}
