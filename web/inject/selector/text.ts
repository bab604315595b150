import { childNodes, firstChild, inputType, nextSibling, nodeName, nodeType, openRoot, textContent } from "../dom/native";

const messy = /[\u200b\u00ad]|[^\S ]| {2}/;

// squeeze makes one blank of all that is blank.
export function squeeze(s: string): string {
  if (!messy.test(s)) return s.trim();
  return s.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
}

// signs are what is neither letter nor digit, more or less: to know it precisely
// takes some milliseconds in each document.
export const signs = /[\0-/:-@[-`{-\xbf\xd7\xf7\u2000-\u2bff\u3000-\u303f\ud800-\uf8ff\ufe00-\ufe0f\ufff0-\uffff]+/;

// silent are elements whose text nobody reads, in HTML and in XHTML.
const silent = new Set(["SCRIPT", "NOSCRIPT", "STYLE", "script", "noscript", "style"]);

// odd is what makes the text of an element another one than the DOM's own.
export const odd = ["script", "noscript", "style", "input[type=submit i]", "input[type=button i]"];

// textOf is the text of an element for selectors of text: with its shadow
// tree, without scripts and styles; of a button, its value. plain says of which
// elements it is the DOM's own.
export function textOf(e: Element, cache: Map<Node, string>, plain: (e: Element) => boolean = () => false): string {
  const known = cache.get(e);
  if (known !== undefined) return known;
  if (plain(e)) {
    const all = textContent(e) ?? "";
    cache.set(e, all);
    return all;
  }
  const name = nodeName(e);
  let out = "";
  if (name.length === 5 && e instanceof HTMLInputElement) { if (/^(submit|button)$/.test(inputType(e))) out = e.value; }
  else if (!silent.has(name)) {
    const root = openRoot(e);
    for (let n = firstChild(e); n; n = nextSibling(n)) out += piece(n, cache, plain);
    if (root) out += rootText(root, cache, plain);
  }
  cache.set(e, out);
  return out;
}

function piece(n: Node, cache: Map<Node, string>, plain?: (e: Element) => boolean): string {
  const type = nodeType(n);
  return type === Node.TEXT_NODE ? (n as Text).data : type === Node.ELEMENT_NODE ? textOf(n as Element, cache, plain) : "";
}

export function rootText(root: ShadowRoot, cache: Map<Node, string>, plain?: (e: Element) => boolean): string {
  let out = "";
  for (const n of childNodes(root)) out += piece(n, cache, plain);
  return out;
}
