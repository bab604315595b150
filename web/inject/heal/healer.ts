import { attribute, attributesOf, boxOf, closest, localName } from "../dom/native";
import { Describer } from "../selector/describe";
import { Finder, parse } from "../selector/engine";
import { ancestors } from "../selector/path";
import { rowOf } from "../selector/row";
import { squeeze } from "../selector/text";
import { aroundOf, type Described, stableId, testIdOf, testIds } from "./describe";
import { inColumn } from "./column";
import { type Box, counted, covered, distance, nameLikeness, overlap, pieces, plain, textLikeness } from "./likeness";

export interface Options { floor: number; primary: boolean }

export interface Tried { strategy: string; candidates: number; rejected: string }

export interface Found {
  element?: Element;
  strategy: string; // "" if nothing was found
  confidence: number;
  box?: Box;
  selector?: string; // the best one that means the element now
  name?: string;
  tried: Tried[];
}

interface Strategy { name: string; confidence: number; find: () => Element[] }

// kinds of controls: one is never healed into another.
function controlOf(e: Element, role: string): string { return control(localName(e), (attribute(e, "type") ?? "").toLowerCase(), role); }

function control(tag: string, type: string, role: string): string {
  if (/^(textbox|searchbox|spinbutton)$/.test(role) || tag === "textarea" || tag === "input" && /^(|text|email|password|search|tel|url|number|date|time|datetime-local|month|week)$/.test(type)) return "field";
  if (tag === "input" && type === "file") return "file";
  if (/^(checkbox|switch|menuitemcheckbox)$/.test(role)) return "check";
  if (/^(radio|menuitemradio)$/.test(role)) return "radio";
  if (/^(combobox|listbox)$/.test(role) || tag === "select") return "choice";
  if (/^(button|link|menuitem|tab|option|treeitem|gridcell)$/.test(role)) return "button";
  return "other";
}

const strong = ["name", "placeholder", "href", "for", "alt", "title", "aria-label", "autocomplete", "data-key", "data-id", "data-value", "data-name", "data-action", "itemprop", "action", "src"];

// Healer looks for one target in the document as it is now. A wrong element is
// worse than none: each strategy must leave exactly one, and what is known of
// the target must not speak against it.
export class Healer {
  private finder = new Finder();
  private everything = this.finder.all("*", document).filter(e => !/^(html|head|body|script|style|meta|link|title|noscript|template|base)$/.test(localName(e)) && this.shown(e));
  private control: string;
  private named: Element[];
  private tried: Tried[] = [];
  private rowTexts: string[][] | undefined;
  private column = new Set<Element>(); // in the target's row and column

  constructor(private t: Described, private o: Options) {
    this.control = control(t.tag, (t.attributes?.type ?? "").toLowerCase(), t.role ?? "");
    this.named = this.t.name ? this.byRole().filter(e => this.finder.name(e) === t.name) : [];
  }

  find(): Found {
    for (const s of this.strategies()) {
      if (s.confidence < this.o.floor) break;
      const e = this.only(s);
      if (e) return { element: e, strategy: s.name, confidence: s.confidence, box: boxed(e), selector: this.selectorOf(e), name: this.finder.name(e), tried: this.tried };
    }
    return { strategy: "", confidence: 0, tried: this.tried };
  }

  private strategies(): Strategy[] {
    const list: Strategy[] = [
      { name: "test-id", confidence: 0.95, find: () => this.byTestId() },
      { name: "role-name", confidence: 0.9, find: () => this.named },
      { name: "role-text", confidence: 0.85, find: () => this.byRoleText() },
      { name: "text-tag", confidence: 0.75, find: () => this.byTextTag() },
      { name: "attributes", confidence: 0.7, find: () => this.byAttributes() },
      { name: "parent-text", confidence: 0.65, find: () => this.byParent() },
      { name: "structure", confidence: 0.5, find: () => this.byStructure() },
      { name: "position-text", confidence: 0.4, find: () => this.byPosition() },
    ];
    if (this.o.primary) list.unshift({ name: "primary", confidence: 1, find: () => this.primary() });
    return list;
  }

  // only returns the one element that a strategy leaves.
  private only(s: Strategy): Element | undefined {
    const found = s.find();
    let reason = "";
    const good = found.filter(e => { const why = this.against(e, s); reason ||= why; return why === ""; });
    if (good.length === 1) return good[0];
    this.tried.push({ strategy: s.name, candidates: found.length, rejected: good.length > 1 ? good.length + " elements are alike" : reason });
    return undefined;
  }

  // against says what speaks against an element, or "".
  private against(e: Element, s: Strategy): string {
    const control = controlOf(e, this.finder.role(e));
    if (control !== this.control) return `it is of another kind: ${control}, not ${this.control}`;
    if (s.name === "primary" && this.placeless()) return "";
    if (s.name === "parent-text" && this.column.has(e)) return "";
    if (/^(role-text|text-tag)$/.test(s.name) && this.renumbered(e) && !this.sameBesides(e)) return "its number is another, and nothing else tells that it is the same";
    if (this.rowDiffers(e)) return "it is in the row of something else";
    if (s.name === "primary") return this.primaryDiffers(e);
    if (this.shared(s) && !this.t.row && this.aroundLikeness(e) < 0.5) return "others were like it, and it is in another place";
    if (this.t.row && this.ambiguous() && !rowOf(e, this.finder)) return "it is in no row";
    if (s.confidence <= 0.75 && this.named.length > 1 && !this.named.includes(e)) return "others have its role and name";
    // The place of one of several that are alike says nothing: they may have changed places.
    if (s.confidence <= 0.5 && (this.ambiguous() || this.named.length > 1) && !(this.t.row ? rowOf(e, this.finder) : this.t.around && this.aroundLikeness(e) >= 0.5)) return "others are like it, and what it was in does not tell";
    const weak = s.confidence <= 0.65, other = this.nameDiffers(e);
    if (weak && other && (s.name !== "parent-text" || this.t.siblings !== 1)) return "it has another name";
    if (s.name === "attributes" && other && this.strongCount(e) < 2 && !this.alone(e)) return "it has another name, and one attribute is not enough";
    return "";
  }

  // placeless tells that the selector says what the element is, not where.
  private placeless(): boolean {
    return !this.t.selector.includes(" >> ") && /^(internal:(role|testid|label|text|attr)=)/.test(this.t.selector) && !/^internal:role=[a-z]+$/.test(this.t.selector) && !this.ambiguous();
  }

  private primaryDiffers(e: Element): string {
    if (this.identity(e)) return "";
    const elsewhere = this.named.filter(o => o !== e);
    if (elsewhere.length > 0) return "an element of its name is elsewhere";
    const test = this.byTestId().filter(o => o !== e);
    if (test.length > 0) return "an element of its test id is elsewhere";
    if (this.nameDiffers(e) && !this.alone(e)) return "what is there now has another name";
    return "";
  }

  // identity tells that something other than its place says it is the element.
  private identity(e: Element): boolean {
    const t = this.t;
    return !!t.testId && testIdOf(e) === t.testId || !!t.id && !t.generatedId && stableId(e) === t.id || !!t.name && this.finder.name(e) === t.name || !t.name && !!t.text && this.finder.text(e) === t.text || this.strongCount(e) > 0;
  }

  private nameDiffers(e: Element): boolean {
    const t = this.t, then = t.name || t.text || "", now = this.finder.name(e) || this.finder.text(e);
    return then !== "" && nameLikeness(then, now) < 0.5;
  }

  // renumbered tells that only the numbers in its name are others.
  private renumbered(e: Element): boolean {
    const then = counted(this.t.name || this.t.text || "");
    return then !== "" && this.nameDiffers(e) && then === counted(this.finder.name(e) || this.finder.text(e));
  }

  // sameBesides tells that it is the one by more than its name: by what people
  // named it, where that has no number either, or as there was none like it.
  private sameBesides(e: Element): boolean {
    const named = this.strongOf(e).some(a => !/\p{N}/u.test((a === "id" ? this.t.id : this.t.attributes?.[a]) ?? "")), test = testIdOf(e);
    return named || !!test && test === this.t.testId && !/\p{N}/u.test(test) || this.alone(e) || this.t.numbered === 1 && !this.t.row && this.aroundLikeness(e) >= 0.5;
  }

  // alone tells that there was, and is, no other control of its role.
  private alone(e: Element): boolean { return this.t.siblings === 1 && this.finder.find([{ by: "role", role: this.finder.role(e) }], 2).length < 2; }

  // ambiguous tells that others had its role and name when it was recorded.
  private ambiguous(): boolean {
    if (this.t.alike !== undefined) return this.t.alike > 1;
    if (!this.t.name && !this.t.text) return true;
    return !(this.t.selectors ?? []).some(s => !s.includes(" >> ") && /^internal:(role=[a-z]+\[name=|text=|label=)/.test(s));
  }

  // shared tells that what the strategy looks for was not the target's alone.
  private shared(s: Strategy): boolean {
    if (s.name === "test-id") return !(this.t.selectors ?? []).some(x => !x.includes(" >> ") && this.t.testId !== undefined && x.includes(JSON.stringify(this.t.testId).slice(1, -1)));
    return /^(role-name|role-text|text-tag)$/.test(s.name) && this.ambiguous();
  }

  private rowDiffers(e: Element): boolean {
    const then = this.t.row;
    if (!then || !then.text) return false;
    const now = rowOf(e, this.finder);
    if (!now) return false;
    if (now.element === e && !this.ambiguous()) return false; // it is the row, and its name is looked at
    const own = [this.t.text ?? "", this.t.name ?? "", this.finder.name(e), ...this.controlsOf(now.element, e)], key = pieces(then.text, ...own);
    if (key.length === 0) return now.element !== e && then.index !== now.row.index;
    const part = covered(key, pieces(now.row.text));
    return part < 0.5 || part < 1 && this.rows().some(text => covered(key, text) > part);
  }

  // rows are the texts of the rows in which there are elements of the target's role.
  private rows(): string[][] { return this.rowTexts ??= [...new Map(this.byRole().map(e => rowOf(e, this.finder)).filter(r => r !== undefined).map(r => [r.element, pieces(r.row.text)])).values()]; }

  // controlsOf are the words of what can be clicked in a row: all rows have them.
  private controlsOf(row: Element, e: Element): string[] {
    return this.finder.all("button,select,option,[role=button],[role=menuitem]", row).filter(c => c !== e).flatMap(c => [this.finder.name(c), this.finder.text(c)]);
  }

  private aroundLikeness(e: Element): number {
    const then = this.t.around, now = aroundOf(e, this.finder);
    if (!then) return this.t.css && this.t.css === this.cssOf(e) ? 1 : 0;
    if (then.length === 0) return now.length === 0 ? 1 : 0.5;
    let best = 0;
    for (const a of then.slice(0, 2)) for (const b of now.slice(0, 3)) {
      if (a.id && a.id === b.id || a.testId && a.testId === b.testId) return 1;
      const own = this.t.text || this.t.name || "", cut = (s: string, out: string): string => squeeze(s.replace(out, " ")), text = cut(a.text, own);
      if (text) best = Math.max(best, textLikeness(text, cut(b.text, own)), textLikeness(text, cut(b.text, this.finder.text(e) || this.finder.name(e))));
    }
    return best;
  }

  private primary(): Element[] {
    for (const selector of [this.t.selector]) {
      try { return this.finder.find(parse(selector)).filter(e => this.shown(e)); } catch { /* not one of ours */ }
    }
    return [];
  }

  private byTestId(): Element[] {
    const { testId, testIdAttribute } = this.t;
    if (!testId) return [];
    const names = testIdAttribute && !testIds.includes(testIdAttribute) ? [testIdAttribute, ...testIds] : testIds;
    return this.everything.filter(e => names.some(a => attribute(e, a) === testId));
  }

  private byRole(): Element[] {
    const role = this.t.role;
    return role ? this.everything.filter(e => this.finder.role(e) === role && !this.finder.hiddenFrom(e)) : [];
  }

  private byRoleText(): Element[] {
    const wanted = [this.t.name, this.t.text, this.t.label].filter(s => s && plain(s) !== "").map(s => plain(s as string));
    if (wanted.length === 0) return [];
    const found = this.byRole().filter(e => wanted.includes(plain(this.finder.name(e))) || wanted.includes(plain(this.finder.text(e))));
    return found.length > 0 ? found : this.byRole().filter(e => this.renumbered(e));
  }

  private byTextTag(): Element[] {
    const text = plain(this.t.text || this.t.name || "");
    if (text === "") return [];
    const same = this.everything.filter(e => localName(e) === this.t.tag), as = same.filter(e => plain(this.finder.text(e)) === text), all = as.length > 0 ? as : same.filter(e => this.renumbered(e));
    return all.filter(e => !all.some(o => o !== e && e.contains(o)));
  }

  private strongOf(e: Element): string[] {
    const out: string[] = [], then = this.t.attributes ?? {};
    for (const { name, value } of attributesOf(e)) if (strong.includes(name) && value !== "" && then[name] === value && !(name === "href" && /^(#|javascript:.*)$/.test(value)) && !(name === "autocomplete" && /^(on|off)$/.test(value))) out.push(name);
    const id = stableId(e);
    if (id && id === this.t.id && !this.t.generatedId) out.push("id");
    if (attribute(e, "type") === "radio" && then.value && attribute(e, "value") === then.value) out.push("value");
    return out;
  }

  private strongCount(e: Element): number { return this.strongOf(e).length; }

  private byAttributes(): Element[] {
    let best: Element[] = [], most = 0;
    for (const e of this.everything) {
      if (localName(e) !== this.t.tag && controlOf(e, this.finder.role(e)) !== this.control) continue;
      const n = this.strongCount(e);
      if (n === 0 || n < most) continue;
      if (n > most) { most = n; best = []; }
      best.push(e);
    }
    // A name that radio buttons share says nothing without the value.
    return best;
  }

  private byParent(): Element[] {
    for (const a of this.t.around ?? []) {
      const parents = this.everything.filter(p => a.id && stableId(p) === a.id || a.testId && testIdOf(p) === a.testId || a.role && a.name && this.finder.role(p) === a.role && this.finder.name(p) === a.name);
      if (parents.length !== 1) continue;
      const inside = this.byRole().filter(e => parents[0] !== e && contains(parents[0], e));
      const alike = inside.filter(e => !this.nameDiffers(e));
      if (alike.length === 1) return alike;
      if (alike.length === 0 && inside.length === 1) return inside;
    }
    // Recorded selectors that name what it is in.
    for (const selector of this.t.selectors ?? []) {
      if (!selector.includes(" >> ") || !selector.startsWith("internal:") || selector.includes("nth=")) continue;
      try {
        const found = this.finder.find(parse(selector)).filter(e => this.shown(e));
        if (found.length === 1) return found;
      } catch { /* not one of ours */ }
    }
    const row = this.t.row;
    if (!row?.text) return [];
    const alike = this.byRole().filter(e => !this.nameDiffers(e) && rowOf(e, this.finder) && !this.rowDiffers(e));
    if (alike.length > 0 || !/^(cell|gridcell)$/.test(this.t.role ?? "")) return alike;
    this.column = new Set(inColumn(this.t, this.byRole(), this.finder, e => chain(e).pop() ?? ""));
    return [...this.column];
  }

  private cssOf(e: Element): string { return new Describer({ testId: "data-testid", mask: "", keep: false }).describe(e).css; }

  private byStructure(): Element[] {
    const steps = (path: string): string[] => path.split(/\s*>>?\s*/).filter(Boolean), then = steps(this.t.xpath ? this.t.xpath.replace(/^\//, "").replaceAll("/", " > ") : this.t.css ?? "");
    if (then.length === 0) return [];
    let best: Element[] = [], most = 0.75;
    for (const e of this.byRole().length > 0 ? this.byRole() : this.everything.filter(x => localName(x) === this.t.tag)) {
      const l = pathLikeness(then, chain(e).slice(-then.length - 2)), near = this.corroborated(e) ? l : 0;
      if (near < most || near === most && most === 0.75) continue;
      if (near > most) { most = near; best = []; }
      best.push(e);
    }
    return best;
  }

  // corroborated tells that more than the place in the document agrees.
  private corroborated(e: Element): boolean {
    const then = this.t.name || this.t.text || "", now = this.finder.name(e) || this.finder.text(e);
    return then !== "" && nameLikeness(then, now) >= 0.5 || then === "" && now === "" && overlap(this.t.box, boxed(e)) > 0.5 || this.strongCount(e) > 0 || this.alone(e);
  }

  private byPosition(): Element[] {
    const then = this.t.name || this.t.text || "", box = this.t.box;
    if (!box || box.width <= 0 || then === "") return [];
    const near = this.everything.filter(e => {
      if (controlOf(e, this.finder.role(e)) !== this.control || this.control === "other" && localName(e) !== this.t.tag) return false;
      const b = boxed(e);
      return distance(b, box) < 100 && b.width < box.width * 3 && b.height < box.height * 3 && nameLikeness(then, this.finder.name(e) || this.finder.text(e)) >= 0.5;
    });
    const list = near.filter(e => !near.some(o => o !== e && e.contains(o))), score = (e: Element): number => distance(boxed(e), box);
    const sorted = list.sort((a, b) => score(a) - score(b));
    return sorted.length > 1 && score(sorted[1]) < 2 * score(sorted[0]) + 20 ? sorted : sorted.slice(0, 1);
  }

  private shown(e: Element): boolean {
    if (closest(e, "[hidden],[inert]")) return false;
    const check = (e as HTMLElement & { checkVisibility?: (o: object) => boolean }).checkVisibility;
    return localName(e) === "option" || (check ? check.call(e, { visibilityProperty: true }) : true);
  }

  private selectorOf(e: Element): string { return new Describer({ testId: "data-testid", mask: "", keep: false }).describe(e).selector; }
}

function boxed(e: Element): Box { const { x, y, width, height } = boxOf(e); return { x, y, width, height }; }

function contains(outer: Element, e: Element): boolean { return ancestors(e).includes(outer); }

// chain is the way to an element, as the recorder's XPath has it, without ids.
function chain(e: Element): string[] {
  return [e, ...ancestors(e)].reverse().map(n => {
    const name = localName(n), same = Array.from(n.parentElement?.children ?? []).filter(c => localName(c) === name);
    return same.length > 1 ? `${name}[${same.indexOf(n) + 1}]` : name;
  });
}

// pathLikeness compares ways from their ends, where they say the most.
function pathLikeness(a: string[], b: string[]): number {
  const tag = (s: string): string => s.replace(/[[:].*$/, "");
  const n = Math.min(a.length, 6), x = a.slice(-n).reverse(), y = b.slice(-n).reverse();
  let sum = 0, all = 0;
  x.forEach((s, i) => { const w = 1 / (i + 1); all += w; sum += y[i] === s ? w : y[i] !== undefined && tag(y[i]) === tag(s) ? w * 0.7 : 0; });
  return all === 0 ? 0 : sum / all;
}
