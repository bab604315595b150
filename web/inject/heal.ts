// Finds the element that a description means, when its selector does not find
// it any more.
//
//   __deckHeal.find(target, options) → Found, as JSON can hold it; the element is in __deckHeal.found
//   __deckHeal.describe(element)     → Described, or null
//   __deckHeal.show(html)            → writes a recorded page into this document and describes the element that is marked in it
import { describe, type Described } from "./heal/describe";
import { Healer, type Found, type Options } from "./heal/healer";

const api = {
  found: null as Element | null,
  find(target: Described, options: Options): Found {
    const { element, ...found } = new Healer(target, options).find();
    api.found = element ?? null;
    return found;
  },
  describe,
  show(html: string): Described | null {
    document.open();
    document.write(html);
    document.close();
    const e = document.querySelector("[data-tracedeck-target]") ?? deep(document);
    e?.removeAttribute("data-tracedeck-target");
    return e && describe(e);
  },
};

// deep looks into shadow trees.
function deep(root: Document | ShadowRoot): Element | null {
  for (const e of root.querySelectorAll("*")) {
    if (e.hasAttribute("data-tracedeck-target")) return e;
    const inside = e.shadowRoot && deep(e.shadowRoot);
    if (inside) return inside;
  }
  return null;
}

(globalThis as { __deckHeal?: typeof api }).__deckHeal ??= api;
