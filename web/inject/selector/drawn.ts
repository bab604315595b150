import { adoptedOf, query, sheetsOf } from "../dom/native";
import { signs } from "./text";

// What styles draw before and after elements is a part of their names. To ask
// for the style of each element costs more than to read the rules once.

const few = 40; // elements that are asked for their style before the rules are read
const most = 150; // selectors that are looked for

interface Sheet { count: number; selectors: string[] | undefined } // undefined: nobody knows

const sheets = new WeakMap<CSSStyleSheet, Sheet>();

// Drawn knows of one moment of a document which elements text may be drawn beside.
export class Drawn {
  private asked = 0;
  private all: Set<Element> | undefined;
  private unknown = false;

  // may reports whether something with letters may be drawn before or after an
  // element of a tree, of which it is asked again and again.
  may(root: Node, e: Element): boolean {
    if (this.unknown) return true;
    if (!this.all) {
      if (++this.asked <= few && !bare(root)) return true;
      this.read(root);
    }
    return this.unknown || !!this.all?.has(e);
  }

  private read(root: Node): void {
    const selectors: string[] = [];
    for (const sheet of [...Array.from(sheetsOf(root)), ...Array.from(adoptedOf(root))]) {
      const own = selectorsOf(sheet);
      if (own) selectors.push(...own);
      else this.unknown = true;
    }
    if (selectors.length > most) this.unknown = true;
    if (this.unknown) return;
    try { this.all = new Set(selectors.length > 0 ? query(root, selectors.join(",")) : []); } catch { this.unknown = true; }
  }
}

// bare reports that all the sheets are known, and draw no text.
function bare(root: Node): boolean {
  for (const list of [sheetsOf(root), adoptedOf(root)]) {
    for (let i = 0; i < list.length; i++) {
      const known = sheets.get(list[i]);
      if (!known || known.selectors?.length !== 0) return false;
      let count = -1;
      try { count = list[i].cssRules.length; } catch { /* of another site */ }
      if (count !== known.count) return false;
    }
  }
  return true;
}

function selectorsOf(sheet: CSSStyleSheet): string[] | undefined {
  let rules: CSSRuleList;
  try { rules = sheet.cssRules; } catch { return undefined; } // of another site
  const known = sheets.get(sheet);
  if (known && known.count === rules.length) return known.selectors;
  const selectors: string[] = [], complete = collect(rules, "", selectors);
  sheets.set(sheet, { count: rules.length, selectors: complete ? selectors : undefined });
  return complete ? selectors : undefined;
}

// collect adds the selectors of elements beside which rules draw text, and
// reports whether all rules could be read.
function collect(rules: CSSRuleList, around: string, out: string[]): boolean {
  for (let i = 0; i < rules.length; i++) {
    const r = rules[i];
    if (r instanceof CSSStyleRule) {
      const selector = r.selectorText, own = around ? nested(selector, around) : selector;
      if (/:(before|after)\b/.test(selector) && writes(r.style.getPropertyValue("content"))) {
        for (const s of own.split(/,(?![^(]*\))/)) if (/:(before|after)\b/.test(s)) out.push(s.replace(/::?(before|after)\b.*$/, "").trim().replace(/(^|[\s>+~])$/, "$1*"));
      }
      if (r.cssRules.length > 0 && !collect(r.cssRules, own, out)) return false;
    } else if (r instanceof CSSImportRule) {
      const own = r.styleSheet ? selectorsOf(r.styleSheet) : [];
      if (!own) return false;
      out.push(...own);
    } else if ("cssRules" in r && !(r instanceof CSSKeyframesRule) && !collect(r.cssRules as CSSRuleList, around, out)) return false;
  }
  return true;
}

function nested(selector: string, around: string): string { return selector.includes("&") ? selector.replaceAll("&", `:is(${around})`) : `:is(${around}) ${selector}`; }

// writes reports whether a content has letters or something that may have some.
function writes(content: string): boolean {
  return content !== "" && content !== "none" && content !== "normal" && (content.includes("(") || content.replace(/\\[0-9a-f]{1,6}\s?/gi, "").split(signs).some(Boolean));
}
