import { attribute, attributesOf, boxOf, children, hasAttribute, localName, nodeName, openRoot, query } from "../dom/native";
import { isMasked, isSecret, told, type Secrets } from "../dom/secret";
import { Finder, parse, printAll, type Step } from "./engine";
import { kindOf } from "./generated";
import { labelTexts } from "./name";
import { ancestors, cssPath, fullPath, hostsOf, xpath } from "./path";
import { itemOf, rowOf, shapeOf, stableClasses, type Row } from "./row";
import { squeeze } from "./text";

// Target is an element in every way in which a replay could look for it.
export interface Target {
  selector: string; // the best one that means this element and no other
  selectors: string[]; // all that do, best first
  tag: string;
  testIdAttribute?: string;
  testId?: string;
  id?: string;
  generatedId?: boolean;
  role?: string;
  name?: string;
  label?: string;
  placeholder?: string;
  text?: string;
  attributes: Record<string, string>;
  css: string; // path through shadow hosts
  path: string[]; // the same, one CSS selector for each tree
  xpath: string; // inside of the innermost tree
  closed?: boolean; // it is in a closed shadow tree, which other tools cannot reach
  box: { x: number; y: number; width: number; height: number }; // CSS px in the frame's viewport
  row?: Row;
}

export interface DescribeOptions extends Secrets { testId: string }

// Candidate is what may name an element. looser is one whose text may be part of
// another: where that means the element only, an exact one says no more.
interface Candidate { steps: Step[]; score: number; looser?: Candidate }

const testIds = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa", "data-automation-id", "data-e2e"];
const stableAttributes = ["name", "href", "for", "action", "type", "value", "aria-controls", "data-key", "data-id", "data-value", "data-name", "data-action", "itemprop", "autocomplete", "rel", "src"];
const longest = 80; // characters of a text in a selector
const generic = new Set(["", "presentation", "none", "generic", "document", "paragraph", "group", "rowgroup"]);

export class Describer {
  constructor(private o: DescribeOptions, private shadowOf: (e: Element) => ShadowRoot | null = openRoot) {}

  // find returns the elements that a selector means; it throws for one that is not understood.
  find(selector: string): Element[] { return new Finder(this.shadowOf).find(parse(selector)); }

  // hides reports whether what an element holds is not to be recorded.
  hides(e: Element): boolean { return isMasked(e, this.o) || isSecret(e, this.o); }

  // leaks reports whether the text of an element has something in it that is not
  // to be recorded.
  private leaks(e: Element): boolean {
    if (this.o.mask === "") return false;
    try { return isMasked(e, this.o) || query(e, this.o.mask).length > 0; } catch { return false; }
  }

  private labels(e: Element): string[] {
    const by = (e as HTMLInputElement).labels as NodeListOf<Element> | null | undefined;
    return isMasked(e, this.o) && hasAttribute(e, "aria-label") || this.o.mask !== "" && by && Array.from(by).some(l => this.leaks(l)) ? [] : labelTexts(e, true);
  }

  // describe says all that may be used to find the element. flat says that the
  // document has no shadow trees, so that none need be looked for; without is an
  // element inside of it that is not always there, whose text says nothing.
  describe(e: Element, flat = false, without?: Element): Target {
    const finder = new Finder(this.shadowOf, document, flat), hidden = this.hides(e) || this.leaks(e);
    const role = finder.role(e), hosts = hostsOf(e), row = rowOf(e, finder), css = fullPath(e);
    const found = this.selectors(e, finder, css, row?.element, without), { x, y, width, height } = boxOf(e);
    const t: Target = { selector: found[0] ?? css, selectors: found.length > 0 ? found : [css], tag: localName(e), attributes: this.attributes(e), css,
      path: [...hosts, e].map(cssPath), xpath: xpath(e), box: { x, y, width, height } };
    const put = <K extends keyof Target>(key: K, value: Target[K] | undefined | null | "" | false): void => { if (value) t[key] = value as Target[K]; };
    const id = attribute(e, "id");
    put("testIdAttribute", this.testIdOf(e));
    put("testId", t.testIdAttribute && attribute(e, t.testIdAttribute));
    put("id", id);
    put("generatedId", !!id && kindOf(id) === "generated");
    put("role", role);
    put("placeholder", attribute(e, "placeholder"));
    put("closed", hosts.some(h => !openRoot(h)));
    if (row && this.leaks(row.element)) row.row.text = "";
    put("row", row?.row);
    if (!hidden) {
      put("name", finder.name(e).slice(0, 200));
      put("text", finder.text(e).slice(0, 200));
    }
    put("label", this.labels(e).join(" ").slice(0, 200));
    return t;
  }

  private testIdOf(e: Element): string | undefined { return [this.o.testId, ...testIds].find(a => attribute(e, a)); }

  private attributes(e: Element): Record<string, string> {
    const out: Record<string, string> = {};
    for (const { name, value } of attributesOf(e)) if (value.length < 150 && !(told.has(name) && isMasked(e, this.o)) && !/^(on|style$|value$|__)/.test(name)) out[name] = value;
    return out;
  }

  // selectors are those that mean the element and no other, best first.
  private selectors(e: Element, finder: Finder, css: string, row: Element | undefined, without?: Element): string[] {
    const own = (without && e.contains(without) ? this.lasting(e, finder, without) : this.candidates(e, finder)).sort((a, b) => a.score - b.score), only: string[] = [], ambiguous: Candidate[] = [], sure = new Set<Candidate>();
    let strong: Candidate | undefined;
    for (const c of own) {
      if (only.length >= 3) break;
      if (c.looser && sure.has(c.looser)) continue;
      if (finder.isOnly(c.steps, e)) { only.push(printAll(c.steps)); sure.add(c); strong ??= c; }
      else if (ambiguous.length < 4) ambiguous.push(c);
    }
    if (!strong || strong.score > 500) {
      const within = this.within(e, ambiguous, finder, only.length === 0, row);
      only.unshift(...within);
    }
    if (only.length === 0 && ambiguous.length > 0 && ambiguous[0].score < 700) {
      const c = ambiguous[0], index = finder.find(c.steps).indexOf(e);
      if (index >= 0) only.push(printAll([...c.steps, { by: "nth", index }]));
    }
    if (!only.includes(css) && this.finds(css, e, finder)) only.push(css);
    return [...new Set(only)];
  }

  // lasting are candidates that name an element by what is in it besides another.
  private lasting(e: Element, finder: Finder, without: Element): Candidate[] {
    const role = finder.role(e), head: Step = role && !generic.has(role) ? { by: "role", role } : { by: "css", css: shapeOf(e) };
    const keys = keysOf(e, without, finder, n => isMasked(n, this.o), true);
    return [...this.candidates(e, finder, false).filter(c => !c.steps.some(s => s.by === "role" && s.name)), ...keys.map(key => ({ score: 150, steps: [head, key] }))];
  }

  private finds(selector: string, e: Element, finder: Finder): boolean {
    try { return finder.isOnly(parse(selector), e); } catch { return false; }
  }

  // candidates are what may name the element, each with how much it is to be avoided.
  // Those by text are spared where nobody wants them: text may be long.
  private candidates(e: Element, finder: Finder, byText = true): Candidate[] {
    const list: Candidate[] = [], add = (score: number, ...steps: Step[]): Candidate => { const c = { steps, score }; list.push(c); return c; };
    const hidden = this.hides(e) || this.leaks(e);
    const testId = this.testIdOf(e);
    if (testId === this.o.testId) add(1, { by: "testid", attribute: testId, value: attribute(e, testId) as string });
    else if (testId) add(2, { by: "css", css: `[${testId}=${JSON.stringify(attribute(e, testId))}]` });
    const role = finder.role(e);
    if (!generic.has(role) && !hidden && !finder.hiddenFrom(e)) {
      const name = finder.name(e);
      if (name && name.length <= longest) {
        const short = this.short(name, e, finder), said = { text: name, exact: false };
        const looser = short ? add(100, { by: "role", role, name: { text: short, exact: false } }) : add(100, { by: "role", role, name: said });
        if (short) list.push({ score: 102, steps: [{ by: "role", role, name: said }], looser });
        list.push({ score: 105, steps: [{ by: "role", role, name: { text: name, exact: true } }], looser });
      } else if (name) add(130, { by: "role", role, name: { text: cut(name), exact: false } });
      add(510, { by: "role", role });
    }
    const placeholder = squeeze(attribute(e, "placeholder") ?? "");
    if (placeholder && !isMasked(e, this.o)) this.texts(120, placeholder, list, text => ({ by: "attr", attribute: "placeholder", text }));
    for (const label of this.labels(e)) if (label && label.length <= longest) this.texts(140, label, list, text => ({ by: "label", text }));
    const alt = squeeze(attribute(e, "alt") ?? ""), title = squeeze(attribute(e, "title") ?? "");
    if (alt && !hidden) this.texts(160, alt, list, text => ({ by: "attr", attribute: "alt", text }));
    const text = !byText || hidden || /^(SELECT|TEXTAREA|INPUT|BODY|HTML)$/.test(nodeName(e)) || hasAttribute(e, "contenteditable") ? "" : finder.text(e);
    if (text) this.texts(jammed(e) ? 620 : text.length <= longest ? 180 : 250, text, list, t => ({ by: "text", text: t }));
    if (title && !hidden) this.texts(200, title, list, t => ({ by: "attr", attribute: "title", text: t }));
    this.byCSS(e, list);
    return list;
  }

  // short is a name without what styles add to it, such as the sign of a field
  // that must be filled or a hint while the mouse is there; "" if there is none.
  private short(name: string, e: Element, finder: Finder): string {
    const own = children(e).length < 5 && !hasAttribute(e, "aria-label") && !hasAttribute(e, "aria-labelledby"), text = own ? finder.text(e) : "", bare = text.length > 2 && name.length > text.length && name.startsWith(text + " ") ? text : name.replace(/[\s:*]+$/, "");
    return bare.length > 2 && bare !== name ? bare : "";
  }

  private texts(score: number, text: string, list: Candidate[], make: (t: { text: string; exact: boolean }) => Step): void {
    const looser = { score, steps: [make({ text: cut(text), exact: false })] };
    list.push(looser);
    if (text.length <= longest) list.push({ score: score + 5, steps: [make({ text, exact: true })], looser });
  }

  private byCSS(e: Element, list: Candidate[]): void {
    const tag = CSS.escape(localName(e)), add = (score: number, css: string): void => { list.push({ score, steps: [{ by: "css", css }] }); };
    const id = attribute(e, "id");
    if (id) { const kind = kindOf(id); if (kind !== "generated") add(kind === "stable" ? 500 : 900, "#" + CSS.escape(id)); }
    for (const a of stableAttributes) {
      const v = attribute(e, a);
      if (v && v.length <= 100 && (a === "href" || a === "src" || kindOf(v.replace(/[\s/?&=#.]+/g, "-")) !== "generated") && !(a === "value" && isSecret(e, this.o)) && !(told.has(a) && isMasked(e, this.o))) add(a === "type" ? 520 : /^(aria-controls|for)$/.test(a) && kindOf(v) !== "stable" ? 905 : 505, `${tag}[${a}=${JSON.stringify(v)}]`);
    }
    const said = attribute(e, "role"), classes = stableClasses(e);
    if (said && /^\w+$/.test(said)) add(510, `${tag}[role=${said}]`);
    if (hasAttribute(e, "contenteditable")) add(515, `${tag}[contenteditable]`);
    if (classes.length > 0) add(600, tag + classes.map(c => "." + CSS.escape(c)).join(""));
    add(700, tag);
  }

  // within names the element by what it is in, such as the row that has a text:
  // where that is not enough, by its place in there.
  private within(e: Element, own: Candidate[], finder: Finder, counted: boolean, row: Element | undefined): string[] {
    const found: string[] = [], { named, classes } = this.scopes(e, finder, row);
    for (const outer of [...named, ...classes]) {
      const c = own.find(c => c.score < 700 && finder.isOnly([...outer, ...c.steps], e));
      if (c) found.push(printAll([...outer, ...c.steps]));
      if (found.length > 2) break;
    }
    for (const outer of counted && found.length === 0 && own.length > 0 && own[0].score < 700 ? [...named.filter(n => n[n.length - 1].by !== "css"), ...classes, ...named] : []) {
      const key = outer[outer.length - 1];
      if (key.by === "has-text" && key.text.text === finder.text(e)) continue; // it says no more than the element does
      const steps = [...outer, ...own[0].steps], list = finder.find(steps), index = list.indexOf(e);
      if (index >= 0 && list.length < 10) return [printAll([...steps, { by: "nth", index }])];
    }
    return found;
  }

  // scopes are selectors of what is around the element: what has a name of its
  // own inside of its row, the row, and what else can be told from others.
  private scopes(e: Element, finder: Finder, row: Element | undefined): { named: Step[][]; classes: Step[][] } {
    const inner: Step[][] = [], outer: Step[][] = [], classes: Step[][] = [], item = row && row !== e ? row : itemOf(e);
    for (const a of ancestors(e).slice(0, 8)) {
      const best = this.candidates(a, finder, false).filter(c => c.score <= 500 || c.score === 600).sort((x, y) => x.score - y.score).slice(0, 3).find(c => finder.isOnly(c.steps, a));
      if (best) (best.score > 500 ? classes : best.score <= 200 && item && (item === a ? best.steps[0].by === "attr" : item.contains(a)) ? inner : outer).push(best.steps);
      if (outer.length > 6) break;
    }
    const keys: Step[][] = [];
    if (item) {
      const role = finder.role(item), head: Step = role && !generic.has(role) ? { by: "role", role } : { by: "css", css: shapeOf(item) };
      for (const key of keysOf(item, e, finder, n => isMasked(n, this.o), this.leaks(item))) keys.push([head, key]);
    }
    return { named: [...inner, ...keys, ...outer], classes };
  }
}

// letters are of all languages, more or less: to know it precisely takes some
// milliseconds in each document.
const letters = /[a-z]|[^\0-\xbf\u2000-\u2bff\ud800-\uf8ff]/i;

// keysOf are texts by which a row is told from others: what stands in it
// besides its buttons. Numbers are parts of other numbers, and say the least.
function keysOf(row: Element, e: Element, finder: Finder, hides: (e: Element) => boolean, leaks: boolean): Step[] {
  const texts: string[] = [], own = new Set<string>(), walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let n = walker.nextNode(); n && texts.length < 6; n = walker.nextNode()) {
    const text = squeeze((n as Text).data), inside = n.parentElement;
    if (text.length > 1 && text.length <= 60 && !texts.includes(text) && !(inside && hides(inside)) && !e.contains(n) && !inside?.closest("button,[role=button],script,style,option,[contenteditable]")) {
      texts.push(text);
      if (inside === row) own.add(text);
    }
  }
  const whole = finder.text(row);
  if (texts.length === 0 && !leaks && whole && whole.length <= 60 && whole !== finder.text(e)) return [{ by: "has-text", text: { text: whole, exact: false } }];
  const worth = (t: string): number => letters.test(t) ? 0 : t.length > 3 ? 1 : 2;
  return texts.sort((a, b) => worth(a) - worth(b)).slice(0, 3).map(text => /^\d|\d$/.test(text) && whole !== text && !own.has(text) ? { by: "has", steps: [{ by: "text", text: { text, exact: true } }] } : { by: "has-text", text: { text, exact: false } });
}

// jammed reports that the text of an element is those of several in one.
function jammed(e: Element): boolean {
  return Array.from(children(e)).slice(0, 10).filter(c => !/^(B|I|EM|STRONG|SPAN|SMALL|CODE|A|MARK|SUB|SUP|KBD|BR|SCRIPT|STYLE|svg)$/.test(nodeName(c)) && /\S/.test(c.textContent ?? "")).length > 1;
}

// cut shortens a text at the end of a word.
function cut(text: string): string {
  if (text.length <= longest) return text;
  const short = text.slice(0, longest), space = short.lastIndexOf(" ");
  return space > 20 ? short.slice(0, space) : short;
}

