import { attribute, closest, firstChildElement, firstElement, hasAttribute, localName, nextElement, nodeName, openRoot, parentOf, query, rootOf, textContent } from "../dom/native";
import { isHidden, labelTexts, nameOf } from "./name";
import { candidates, roleOf } from "./role";
import { Drawn } from "./drawn";
import { odd, rootText, signs, squeeze, textOf } from "./text";

// Finds elements by the selectors that are written here, in Playwright's form:
// steps joined by " >> ", of which each looks inside of what the one before
// found. Open shadow trees, and closed ones that are known, are looked into.

export interface Text { text: string; exact: boolean }

export type Step =
  | { by: "css"; css: string }
  | { by: "role"; role: string; name?: Text }
  | { by: "testid"; attribute: string; value: string }
  | { by: "label" | "text" | "has-text"; text: Text }
  | { by: "attr"; attribute: string; text: Text }
  | { by: "has"; steps: Step[] }
  | { by: "nth"; index: number };

function literal(t: Text): string { return JSON.stringify(t.text) + (t.exact ? "s" : "i"); }

// print writes one step as Playwright does.
export function print(s: Step): string {
  switch (s.by) {
    case "css": return s.css;
    case "role": return "internal:role=" + s.role + (s.name ? `[name=${literal(s.name)}]` : "");
    case "testid": return `internal:testid=[${s.attribute}=${JSON.stringify(s.value)}s]`;
    case "attr": return `internal:attr=[${s.attribute}=${literal(s.text)}]`;
    case "has": return "internal:has=" + JSON.stringify(printAll(s.steps));
    case "nth": return "nth=" + s.index;
    default: return `internal:${s.by}=${literal(s.text)}`;
  }
}

export function printAll(steps: Step[]): string { return steps.map(print).join(" >> "); }

// parse reads what print writes. It throws for what is not understood.
export function parse(selector: string): Step[] { return split(selector).map(parseStep); }

function split(s: string): string[] {
  const out: string[] = [];
  let from = 0, quote = "";
  for (let i = 0; i < s.length; i++) {
    const c = s[i];
    if (c === "\\") i++;
    else if (quote) { if (c === quote) quote = ""; }
    else if (c === '"' || c === "'") quote = c;
    else if (c === ">" && s[i + 1] === ">") { out.push(s.slice(from, i).trim()); from = i + 2; i++; }
  }
  out.push(s.slice(from).trim());
  return out;
}

function parseText(s: string): Text {
  const m = /^(".*")([is])?$/s.exec(s);
  if (!m) throw new Error("selector: no text: " + s);
  return { text: JSON.parse(m[1]) as string, exact: m[2] === "s" };
}

function parseStep(s: string): Step {
  const m = /^(internal:[a-z-]+|nth|css)=(.*)$/s.exec(s);
  if (!m) { document.createDocumentFragment().querySelector(s); return { by: "css", css: s }; }
  const [, engine, body] = m;
  switch (engine) {
    case "css": return { by: "css", css: body };
    case "nth": return { by: "nth", index: Number(body) };
    case "internal:text": case "internal:has-text": case "internal:label": return { by: engine.slice(9) as "text", text: parseText(body) };
    case "internal:has": return { by: "has", steps: parse(JSON.parse(body) as string) };
    case "internal:role": {
      const r = /^([a-z]+)(?:\[name=(".*"[is]?)\])?$/s.exec(body);
      if (r) return r[2] ? { by: "role", role: r[1], name: parseText(r[2]) } : { by: "role", role: r[1] };
      break;
    }
    case "internal:attr": case "internal:testid": {
      const a = /^\[([^\]=]+)=(".*"[is]?)\]$/s.exec(body);
      if (!a) break;
      const text = parseText(a[2]);
      return engine === "internal:testid" ? { by: "testid", attribute: a[1], value: text.text } : { by: "attr", attribute: a[1], text };
    }
  }
  throw new Error("selector: not understood: " + s);
}

// Finder answers several questions about one moment of a document.
export class Finder {
  private roots: Node[] | undefined;
  private roles = new Map<Element, string>();
  private names = new Map<Element, string>();
  private texts = new Map<Node, string>();
  private squeezed = new Map<Element, string>();
  private lowered = new Map<Element, string>();
  private hidden = new Map<Element, boolean>();
  private began = new Map<string, Node[]>(); // what beginnings of selectors mean
  private strange: Set<Node> | undefined; // whose text is not the DOM's own
  private otherwise: Set<Node> | undefined; // who may be named by something else than their text
  private labels: boolean | undefined; // there are some
  private asked = 0; // elements that were looked at alone
  private drawn = new Drawn();

  // flat says that the document has no shadow trees.
  constructor(private shadowOf: (e: Element) => ShadowRoot | null = openRoot, readonly document: Document = globalThis.document, flat = false) {
    if (flat) this.roots = [];
  }

  // find returns the elements that a selector means, in document order of their trees.
  find(steps: Step[], limit = Infinity): Element[] {
    if (steps.length < 2) return this.follow(steps, [this.document], limit);
    const beginning = steps.slice(0, -1), scopes = memo(this.began, printAll(beginning), () => this.follow(beginning, [this.document], Infinity));
    return this.follow(steps.slice(-1), scopes, limit);
  }

  private follow(steps: Step[], scopes: Node[], limit: number): Element[] {
    steps.forEach((step, i) => {
      const next = new Set<Element>(), then = steps[i + 1];
      if (step.by === "nth") {
        const e = scopes[step.index < 0 ? scopes.length + step.index : step.index];
        scopes = e ? [e] : [];
        return;
      }
      const most = i === steps.length - 1 ? limit : Infinity;
      for (const scope of scopes) {
        if (step.by === "text") this.deepest(scope, step.text, next, most);
        else if (step.by === "has") { if (this.follow(step.steps, [scope], 1).length > 0) next.add(scope as Element); }
        else if (step.by === "has-text") { if (scope instanceof Element && this.hasText(scope, step.text)) next.add(scope); }
        else this.inside(step, scope, next, most, then?.by === "has-text" ? then.text : undefined);
        if (next.size >= most) break;
      }
      scopes = step.by === "text" ? this.sort([...next]) : [...next];
    });
    return scopes as Element[];
  }

  // isOnly reports whether the selector means this element and no other.
  isOnly(steps: Step[], e: Element): boolean {
    if (steps.length === 1 && steps[0].by === "css" && this.shadowRoots().length === 0) {
      const list = query(this.document, steps[0].css);
      return list.length === 1 && list[0] === e;
    }
    const found = this.find(steps, 2);
    return found.length === 1 && found[0] === e;
  }

  role(e: Element): string { return memo(this.roles, e, roleOf); }

  name(e: Element): string { return memo(this.names, e, x => nameOf(x, this.role(x))); }

  text(e: Element): string { return memo(this.squeezed, e, x => squeeze(this.textOf(x))); }

  private textOf(e: Element): string { return textOf(e, this.texts, this.plain); }

  private plain = (e: Element): boolean => {
    if (this.roots?.length !== 0) return false;
    this.strange ??= around(each(this.document, odd));
    return !this.strange.has(e);
  };

  private lower(e: Element): string { return memo(this.lowered, e, x => this.text(x).toLowerCase()); }

  // includes and fits compare the text of an element as selectors of text do.
  private includes(e: Element, t: Text): boolean { return this.lower(e).includes(squeeze(t.text).toLowerCase()); }

  private fits(e: Element, t: Text): boolean { return t.exact ? this.text(e) === squeeze(t.text) : this.includes(e, t); }

  hiddenFrom(e: Element): boolean { return memo(this.hidden, e, isHidden); }

  // all is querySelectorAll that looks into shadow trees too.
  all(css: string, scope: Node): Element[] {
    const out = Array.from(query(scope, css));
    const own = scope instanceof Element ? this.shadowOf(scope) : null;
    if (own) out.push(...query(own, css));
    for (const root of this.shadowRoots()) if (root !== own && this.contains(scope, root)) out.push(...query(root, css));
    return out;
  }

  private shadowRoots(): Node[] {
    if (this.roots) return this.roots;
    this.roots = [];
    this.collect(this.document, this.roots);
    return this.roots;
  }

  // collect goes in the order in which Playwright does, by which its nth counts.
  private collect(root: Node, out: Node[]): void {
    for (const e of query(root, "*")) {
      const shadow = this.shadowOf(e);
      if (shadow) { out.push(shadow); this.collect(shadow, out); }
    }
  }

  private contains(scope: Node, n: Node): boolean {
    if (scope === this.document) return true;
    for (let p: Node | null = n; p; p = parentOf(p)) if (p === scope) return true;
    return false;
  }

  // inside adds what a step means in a scope; of those only who have the text
  // that the next step wants, which is cheaper to know than what is hidden.
  private inside(step: Step, scope: Node, out: Set<Element>, most: number, text?: Text): void {
    const css = cssOf(step), flat = this.shadowRoots().length === 0, list = flat ? query(scope, css) : this.all(css, scope);
    for (let i = 0; i < list.length && out.size < most; i++) if ((!text || this.hasText(list[i], text)) && this.suits(step, list[i])) out.add(list[i]);
  }

  private suits(step: Step, e: Element): boolean {
    switch (step.by) {
      case "role": return !(step.name && this.isCalledElse(e, step.name)) && this.role(e) === step.role && (!step.name || this.mayBeNamed(e, step.name)) && !this.hiddenFrom(e) && (!step.name || fits(this.name(e), step.name));
      case "testid": return attribute(e, step.attribute) === step.value;
      case "attr": return fits(squeeze(attribute(e, step.attribute) ?? ""), step.text);
      case "label": return labelTexts(e).some(t => fits(t, step.text)) && !/^LABEL$/.test(nodeName(e));
      default: return true;
    }
  }

  // mayBeNamed spares most elements the cost of computing their name: those
  // that have their text as a name, and other words than these in it.
  private mayBeNamed(e: Element, name: Text): boolean {
    if (this.mayBeCalled(e)) return true;
    const text = this.lower(e), words = wordsOf(name.text);
    const has = words.whole && !firstElement(e) ? text.includes(words.whole) : words.list.every(w => text.includes(w));
    return has || this.draws(e);
  }

  // isCalledElse spares most of the elements the cost of knowing their text: where
  // a word is missing in all that is inside, it is missing in the name as well.
  private isCalledElse(e: Element, name: Text): boolean {
    const text = (textContent(e) ?? "").toLowerCase(), { list } = wordsOf(name.text);
    for (const w of list) if (!text.includes(w)) return !hyphens.test(text) && !this.mayBeCalled(e) && !this.draws(e);
    return false;
  }

  // mayBeCalled reports whether an element may be named by something else than its text.
  private mayBeCalled(e: Element): boolean {
    const alone = !this.otherwise && this.shadowRoots().length === 0 && !firstElement(e) && ++this.asked <= few;
    return (alone ? otherName(e) : this.others().has(e)) || this.isLabelled(e) || /^(FIELDSET|TABLE|FIGURE)$/.test(nodeName(e));
  }

  // others are the elements in which something has another name than its text.
  private others(): Set<Node> {
    if (this.otherwise) return this.otherwise;
    this.otherwise = new Set();
    for (const root of [this.document, ...this.shadowRoots()]) around(each(root, otherNames), this.otherwise);
    for (const root of this.shadowRoots()) around([(root as ShadowRoot).host], this.otherwise);
    return this.otherwise;
  }

  private isLabelled(e: Element): boolean {
    this.labels ??= [this.document, ...this.shadowRoots()].some(root => query(root, "label").length > 0);
    return this.labels && (closest(e, "label") !== null || ((e as HTMLButtonElement).labels?.length ?? 0) > 0);
  }

  // draws reports whether a style draws something before or after an element.
  private draws(e: Element): boolean {
    const may = this.shadowRoots().length === 0 ? this.drawn.may(this.document, e) : true;
    return may && (getComputedStyle(e, "::before").content !== "none" || getComputedStyle(e, "::after").content !== "none");
  }

  private hasText(e: Element, t: Text): boolean { return this.lower(e).includes(t.text.toLowerCase()); }

  // sort puts what is in shadow trees behind what is not, as Playwright does.
  private sort(list: Element[]): Element[] {
    const roots = this.shadowRoots(), place = (e: Element): number => roots.indexOf(rootOf(e));
    return roots.length === 0 ? list : list.map(e => [place(e), e] as const).sort((a, b) => a[0] - b[0]).map(p => p[1]);
  }

  // deepest adds the elements inside of a scope that have a text and in which
  // nothing has all of it. It goes only where the text is, and reports whether
  // it was there.
  private deepest(n: Node, t: Text, out: Set<Element>, most: number): boolean {
    let there = false;
    const root = n instanceof Element ? this.shadowOf(n) : null;
    const after = root ? firstChildElement(root) : null;
    let own = true;
    for (let c = firstChildElement(n) ?? (own = false, after); c; c = nextElement(c) ?? (own ? (own = false, after) : null)) {
      if (out.size >= most) return true;
      if (textless.has(nodeName(c))) continue;
      const short = this.textOf(c).length < 5000;
      if (short && !this.includes(c, t)) continue;
      if (this.deepest(c, t, out, most)) there = true;
      else {
        const shadow = this.shadowOf(c);
        if (!short && !this.textOf(c).includes(t.text.split(" ")[0]) || !this.fits(c, t)) continue;
        there = true;
        if (!shadow || !fits(squeeze(rootText(shadow, this.texts, this.plain)), t)) out.add(c);
      }
    }
    return there;
  }
}

const few = 40; // elements that are looked at alone before all are
const naming = ["aria-label", "aria-labelledby", "aria-owns", "title", "alt"], named = ["img", "input", "select", "textarea", "slot"];
const otherNames = [...naming.map(a => `[${a}]`), ...named];

function otherName(e: Element): boolean { return named.includes(localName(e)) || naming.some(a => hasAttribute(e, a)); }

// each finds what several selectors mean. Browsers are quicker with one at a time.
function each(root: Node, selectors: string[]): Element[] { return selectors.flatMap(css => Array.from(query(root, css))); }

// around are elements and all that they are in.
function around(list: ArrayLike<Element>, out = new Set<Node>()): Set<Node> {
  for (let i = 0; i < list.length; i++) for (let n: Node | null = list[i]; n && !out.has(n); n = parentOf(n)) out.add(n);
  return out;
}

interface Words { list: string[]; whole: string } // whole is "" if something may be drawn

const hyphens = /[\u200b\u00ad]/; // are in no name

const words = new Map<string, Words>();

// wordsOf are the words of a name. What else is in it may be drawn by a style.
function wordsOf(name: string): Words {
  const known = words.get(name);
  if (known) return known;
  if (words.size > 100) words.clear();
  const whole = squeeze(name).toLowerCase(), list = whole.split(signs).filter(Boolean).slice(0, 12);
  const made = { list, whole: list.join(" ") === whole ? whole : "" };
  words.set(name, made);
  return made;
}

const textless = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "HEAD", "script", "style", "noscript", "head"]);

function memo<K, V>(m: Map<K, V>, key: K, make: (k: K) => V): V {
  let v = m.get(key);
  if (v === undefined) m.set(key, v = make(key));
  return v as V;
}

export function fits(text: string, t: Text): boolean {
  return t.exact ? text === squeeze(t.text) : text.toLowerCase().includes(squeeze(t.text).toLowerCase());
}

function cssOf(s: Step): string {
  switch (s.by) {
    case "css": return s.css;
    case "role": return candidates(s.role);
    case "testid": return `[${CSS.escape(s.attribute)}=${JSON.stringify(s.value)}]`;
    case "attr": return `[${CSS.escape(s.attribute)}]`;
    case "label": return "input,textarea,select,button,meter,output,progress,[aria-label],[aria-labelledby]";
    default: return "*";
  }
}
