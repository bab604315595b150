import { childNodes, inputType, nodeName, nodeType, openRoot } from "../dom/native";

const messy = /[\u200b\u00ad]|[^\S ]| {2}/;

// squeeze makes one blank of all that is blank.
export function squeeze(s: string): string {
  if (!messy.test(s)) return s.trim();
  return s.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
}

// textOf is the text of an element for selectors of text: with its shadow
// tree, without scripts and styles; of a button, its value.
export function textOf(e: Element, cache: Map<Node, string>): string {
  const known = cache.get(e);
  if (known !== undefined) return known;
  let out = "";
  if (!/^(SCRIPT|NOSCRIPT|STYLE)$/i.test(nodeName(e))) {
    if (e instanceof HTMLInputElement && /^(submit|button)$/.test(inputType(e))) out = e.value;
    else {
      for (const n of childNodes(e)) out += piece(n, cache);
      const root = openRoot(e);
      if (root) out += rootText(root, cache);
    }
  }
  cache.set(e, out);
  return out;
}

function piece(n: Node, cache: Map<Node, string>): string {
  return nodeType(n) === Node.TEXT_NODE ? (n as Text).data : n instanceof Element ? textOf(n, cache) : "";
}

export function rootText(root: ShadowRoot, cache: Map<Node, string>): string {
  let out = "";
  for (const n of childNodes(root)) out += piece(n, cache);
  return out;
}
