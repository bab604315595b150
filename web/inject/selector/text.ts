import { childNodes, firstChild, inputType, nextSibling, nodeName, nodeType, openRoot } from "../dom/native";

const messy = /[\u200b\u00ad]|[^\S ]| {2}/;

// squeeze makes one blank of all that is blank.
export function squeeze(s: string): string {
  if (!messy.test(s)) return s.trim();
  return s.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
}

// silent are elements whose text nobody reads, in HTML and in XHTML.
const silent = new Set(["SCRIPT", "NOSCRIPT", "STYLE", "script", "noscript", "style"]);

// textOf is the text of an element for selectors of text: with its shadow
// tree, without scripts and styles; of a button, its value.
export function textOf(e: Element, cache: Map<Node, string>): string {
  const known = cache.get(e);
  if (known !== undefined) return known;
  const name = nodeName(e);
  let out = "";
  if (name.length === 5 && e instanceof HTMLInputElement) { if (/^(submit|button)$/.test(inputType(e))) out = e.value; }
  else if (!silent.has(name)) {
    const root = openRoot(e);
    for (let n = firstChild(e); n; n = nextSibling(n)) out += piece(n, cache);
    if (root) out += rootText(root, cache);
  }
  cache.set(e, out);
  return out;
}

function piece(n: Node, cache: Map<Node, string>): string {
  const type = nodeType(n);
  return type === Node.TEXT_NODE ? (n as Text).data : type === Node.ELEMENT_NODE ? textOf(n as Element, cache) : "";
}

export function rootText(root: ShadowRoot, cache: Map<Node, string>): string {
  let out = "";
  for (const n of childNodes(root)) out += piece(n, cache);
  return out;
}
