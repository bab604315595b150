import { attribute, hostOf, isConnected, matches, nodeName, openRoot, parentNode } from "../dom/native";
import { Finder } from "../selector/engine";
import { labelTexts, nameOf } from "../selector/name";
import { squeeze } from "../selector/text";

// Finds elements by selectors that somebody else has parsed, in Playwright's
// meaning. Every part of a chain looks inside of what the one before found.

export interface Pattern { source: string; flags: string }
export interface Text { string: string; exact: boolean; regexp?: Pattern }
export interface Condition { name: string; operator: string; kind: "none" | "string" | "bool" | "number" | "regexp"; string: string; bool: boolean; number: number; regexp?: Pattern; ignoreCase: boolean }
export interface Argument { string?: string; number?: number; selector?: Compound[] }
export interface Call { name: string; arguments: Argument[] }
export interface Compound { plain: string; functions: Call[]; combinator: string }

export interface Part {
  engine: string;
  body: string;
  capture?: boolean;
  text?: Text;
  name?: string; // of the role
  conditions?: Condition[];
  css?: Compound[][];
  inner?: Part[];
  distance?: number;
}

const pattern = (p: Pattern): RegExp => new RegExp(p.source, p.flags.replace(/[gy]/g, ""));

export function fits(text: string, t: Text): boolean {
  if (t.regexp) return pattern(t.regexp).test(text);
  const want = squeeze(t.string);
  return t.exact ? squeeze(text) === want : squeeze(text).toLowerCase().includes(want.toLowerCase());
}

function satisfies(value: string | null, c: Condition): boolean {
  if (c.kind === "none") return value !== null;
  if (value === null) return false;
  if (c.kind === "regexp" && c.regexp) return pattern(c.regexp).test(value);
  const want = c.kind === "bool" ? String(c.bool) : c.kind === "number" ? String(c.number) : c.string;
  if (c.operator === "=" && c.ignoreCase) return squeeze(value).toLowerCase().includes(squeeze(want).toLowerCase());
  switch (c.operator) {
    case "*=": return value.includes(want);
    case "^=": return value.startsWith(want);
    case "$=": return value.endsWith(want);
    case "~=": return value.split(/\s+/).includes(want);
    case "|=": return value === want || value.startsWith(want + "-");
    default: return value === want || squeeze(value) === squeeze(want);
  }
}

const up = (n: Node): Element | null => {
  const p = parentNode(n);
  return p instanceof Element ? p : p instanceof ShadowRoot ? hostOf(p) : null;
};

export function isVisible(e: Element): boolean {
  const style = getComputedStyle(e);
  if (style.display === "contents") {
    for (const c of e.childNodes) {
      if (c instanceof Element && isVisible(c)) return true;
      if (c instanceof Text) { const r = document.createRange(); r.selectNode(c); const b = r.getBoundingClientRect(); if (b.width > 0 && b.height > 0) return true; }
    }
    return false;
  }
  if (style.visibility !== "visible" || e.checkVisibility && !e.checkVisibility()) return false;
  const b = e.getBoundingClientRect();
  return b.width > 0 && b.height > 0;
}

function inOrder(list: Iterable<Element>): Element[] {
  const set = [...new Set(list)].filter(e => isConnected(e));
  return set.sort((a, b) => {
    const way = a.compareDocumentPosition(b);
    if (!(way & Node.DOCUMENT_POSITION_DISCONNECTED)) return way & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return 0; // of different shadow trees: as found
  });
}

export class Query {
  private finder = new Finder(openRoot, document);

  // find returns what a chain means, in the order of the document.
  find(parts: Part[], scope: Node = document): Element[] {
    const at = parts.findIndex(p => p.capture);
    if (at < 0 || at === parts.length - 1) return this.chain(parts, scope);
    return this.chain(parts.slice(0, at + 1), scope).filter(e => this.chain(parts.slice(at + 1), e).length > 0);
  }

  private chain(parts: Part[], scope: Node): Element[] {
    let scopes: Node[] = [scope];
    for (const p of parts) {
      if (p.engine === "nth") { const i = Number(p.body), e = scopes[i < 0 ? scopes.length + i : i]; scopes = e instanceof Element ? [e] : []; continue; }
      if (p.engine === "internal:describe" || p.engine === "internal:control") continue;
      if (p.engine === "internal:or") { scopes = inOrder([...scopes as Element[], ...this.find(p.inner ?? [], scope)]); continue; }
      if (p.engine === "internal:and") { const other = new Set(this.find(p.inner ?? [], scope)); scopes = (scopes as Element[]).filter(e => other.has(e)); continue; }
      const found = new Set<Element>();
      for (const s of scopes) for (const e of this.part(p, s)) found.add(e);
      scopes = scopes.length > 1 && !filters.has(p.engine) ? inOrder(found) : [...found];
    }
    return scopes.filter(s => s instanceof Element);
  }

  private part(p: Part, scope: Node): Element[] {
    const e = scope instanceof Element ? scope : undefined, f = this.finder;
    switch (p.engine) {
      case "css": case "css:light": return this.css(p.css ?? [], scope);
      case "xpath": return xpath(p.body, scope);
      case "internal:has": return e && this.find(p.inner ?? [], e).length > 0 ? [e] : [];
      case "internal:has-not": return e && this.find(p.inner ?? [], e).length === 0 ? [e] : [];
      case "internal:has-text": return e && p.text && fits(f.text(e), p.text) ? [e] : [];
      case "internal:has-not-text": return e && p.text && !fits(f.text(e), p.text) ? [e] : [];
      case "internal:chain": return this.find(p.inner ?? [], scope);
      case "visible": return e && isVisible(e) === (p.body !== "false") ? [e] : [];
      case "internal:role": case "role": return this.role(p, scope);
      case "internal:text": case "text": return f.all("*", scope).filter(x => p.text && this.deepest(x, p.text));
      case "internal:label": return f.all("*", scope).filter(x => nodeName(x) !== "LABEL" && p.text && labelTexts(x).some(t => fits(t, p.text as Text)));
      case "internal:attr": case "internal:testid": return this.attributes(p, scope);
      case "id": case "data-testid": case "data-test-id": case "data-test": return f.all(`[${p.engine}=${JSON.stringify(p.body)}]`, scope);
      case "left-of": case "right-of": case "above": case "below": case "near":
        return e && beside(p.engine, e, this.find(p.inner ?? [], document), p.distance) ? [e] : [];
    }
    throw new Error(`the selector engine ${p.engine} is not known`);
  }

  private attributes(p: Part, scope: Node): Element[] {
    const c = (p.conditions ?? [])[0];
    if (!c) return [];
    // Several attributes may hold test ids: "data-testid,data-qa".
    return c.name.split(",").map(n => n.trim()).flatMap(n => this.finder.all(`[${CSS.escape(n)}]`, scope).filter(e => satisfies(attribute(e, n), c)));
  }

  // deepest reports whether the element has the text and no child has it.
  private deepest(e: Element, t: Text): boolean {
    if (/^(SCRIPT|STYLE|NOSCRIPT|HEAD|TITLE|META|LINK)$/i.test(nodeName(e)) || !fits(this.finder.text(e), t)) return false;
    for (const c of [...e.children, ...(openRoot(e)?.children ?? [])]) if (!/^(SCRIPT|STYLE|NOSCRIPT)$/i.test(nodeName(c)) && fits(this.finder.text(c), t)) return false;
    return true;
  }

  private role(p: Part, scope: Node): Element[] {
    const conditions = p.conditions ?? [], f = this.finder;
    const hidden = conditions.some(c => c.name === "include-hidden" && (c.kind === "none" || c.bool));
    return f.all("*", scope).filter(e => f.role(e) === p.name && (hidden || !f.hiddenFrom(e)) && conditions.every(c => this.state(e, c, hidden)));
  }

  private state(e: Element, c: Condition, hidden: boolean): boolean {
    const wanted = c.kind === "none" ? true : c.kind === "bool" ? c.bool : c.string;
    switch (c.name) {
      case "name": return satisfies(hidden ? nameOf(e, this.finder.role(e), true) : this.finder.name(e), c);
      case "description": return satisfies(e.getAttribute("aria-description") ?? "", c);
      case "level": return level(e) === (c.kind === "number" ? c.number : Number(c.string));
      case "checked": return checked(e) === wanted;
      case "pressed": return tri(attribute(e, "aria-pressed")) === wanted;
      case "selected": return (e instanceof HTMLOptionElement ? e.selected : attribute(e, "aria-selected") === "true") === wanted;
      case "expanded": { const a = attribute(e, "aria-expanded"); return nodeName(e) === "DETAILS" ? (e as HTMLDetailsElement).open === wanted : a !== null && (a === "true") === wanted; }
      case "disabled": return disabled(e) === wanted;
      default: return true;
    }
  }

  css(list: Compound[][], scope: Node): Element[] {
    if (list.length === 1 && list[0].length === 1 && list[0][0].functions.length === 0) return this.finder.all(list[0][0].plain || "*", scope);
    const out = new Set<Element>();
    for (const c of list) {
      const last = c[c.length - 1];
      for (const e of this.finder.all(last.plain.replace(/:scope/g, "*") || "*", scope)) if (this.matches(e, c, c.length - 1, scope)) out.add(e);
    }
    return list.length > 1 ? inOrder(out) : [...out];
  }

  private matches(e: Element, c: Compound[], i: number, scope: Node): boolean {
    const part = c[i];
    if (part.plain === ":scope") { if (e !== scope) return false; } else if (part.plain && !matches(e, part.plain)) return false;
    if (!part.functions.every(f => this.applies(e, f, scope))) return false;
    if (i === 0) return true;
    switch (c[i - 1].combinator) {
      case ">": { const p = up(e); return p !== null && this.matches(p, c, i - 1, scope); }
      case "+": return e.previousElementSibling !== null && this.matches(e.previousElementSibling, c, i - 1, scope);
      case "~": for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (this.matches(s, c, i - 1, scope)) return true; return false;
      default: for (let p = up(e); p; p = up(p)) if (this.matches(p, c, i - 1, scope)) return true; return false;
    }
  }

  private applies(e: Element, f: Call, scope: Node): boolean {
    const selectors = f.arguments.filter(a => a.selector).map(a => a.selector as Compound[]);
    const text = { string: f.arguments[0]?.string ?? "", exact: false };
    switch (f.name) {
      case "is": case "where": case "light": return selectors.some(c => this.matches(e, c, c.length - 1, scope));
      case "not": return !selectors.some(c => this.matches(e, c, c.length - 1, scope));
      case "has": return this.css(selectors.map(relative), e).length > 0;
      case "visible": return isVisible(e);
      case "scope": return e === scope;
      case "has-text": return fits(this.finder.text(e), text);
      case "text": return this.deepest(e, text);
      case "text-is": return this.deepest(e, { ...text, exact: true });
      case "text-matches": return this.deepest(e, { ...text, regexp: { source: text.string, flags: f.arguments[1]?.string ?? "" } });
      case "nth-match": { const n = f.arguments[f.arguments.length - 1]?.number ?? 1; return this.css(selectors, scope)[n - 1] === e; }
      case "left-of": case "right-of": case "above": case "below": case "near":
        return beside(f.name, e, this.css(selectors, document), f.arguments.find(a => a.number !== undefined)?.number);
    }
    throw new Error(`:${f.name}() is not known`);
  }
}

// relative makes what is written inside of :has begin at the element.
function relative(c: Compound[]): Compound[] { return c[0].plain === "" && c[0].functions.length === 0 && c[0].combinator ? [{ ...c[0], plain: ":scope" }, ...c.slice(1)] : c; }

// filters keep the order of what they are given.
const filters = new Set(["internal:has", "internal:has-not", "internal:has-text", "internal:has-not-text", "visible"]);

function xpath(body: string, scope: Node): Element[] {
  const path = body.startsWith("/") && scope !== document ? "." + body : body;
  const found = document.evaluate(path, scope, null, XPathResult.ORDERED_NODE_ITERATOR_TYPE), out: Element[] = [];
  for (let n = found.iterateNext(); n; n = found.iterateNext()) if (n instanceof Element) out.push(n);
  return out;
}

function beside(where: string, e: Element, others: Element[], most?: number): boolean {
  const a = e.getBoundingClientRect();
  return others.some(o => {
    if (o === e) return false;
    const b = o.getBoundingClientRect();
    const dx = Math.max(0, b.left - a.right, a.left - b.right), dy = Math.max(0, b.top - a.bottom, a.top - b.bottom);
    switch (where) {
      case "left-of": return a.right <= b.left && (most === undefined || b.left - a.right <= most);
      case "right-of": return a.left >= b.right && (most === undefined || a.left - b.right <= most);
      case "above": return a.bottom <= b.top && (most === undefined || b.top - a.bottom <= most);
      case "below": return a.top >= b.bottom && (most === undefined || a.top - b.bottom <= most);
      default: return Math.max(dx, dy) <= (most || 50);
    }
  });
}

const tri = (s: string | null): boolean | "mixed" => s === "mixed" ? "mixed" : s === "true";

export function checked(e: Element): boolean | "mixed" {
  if (e instanceof HTMLInputElement && /^(checkbox|radio)$/.test(e.type)) return e.indeterminate ? "mixed" : e.checked;
  return tri(attribute(e, "aria-checked"));
}

function level(e: Element): number {
  const h = /^H([1-6])$/.exec(nodeName(e));
  return Number(attribute(e, "aria-level") ?? (h ? h[1] : 0));
}

export function disabled(e: Element): boolean {
  if (/^(BUTTON|INPUT|SELECT|TEXTAREA|OPTION|OPTGROUP|FIELDSET)$/.test(nodeName(e)) && matches(e, ":disabled")) return true;
  for (let p: Element | null = e; p; p = up(p)) { const a = attribute(p, "aria-disabled"); if (a) return a === "true"; }
  return false;
}
