import { childNodes, inputType, nodeName, nodeType, openRoot } from "../dom/native";

export function squeeze(s: string): string { return s.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim(); }

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
      if (root) for (const n of childNodes(root)) out += piece(n, cache);
    }
  }
  out = out.length > 20_000 ? out.slice(0, 20_000) : out;
  cache.set(e, out);
  return out;
}

function piece(n: Node, cache: Map<Node, string>): string {
  return nodeType(n) === Node.TEXT_NODE ? (n as Text).data : n instanceof Element ? textOf(n, cache) : "";
}
