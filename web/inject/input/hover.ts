import { attribute, closest, hasAttribute, isElement, matches, parentOf, rootOf, sheetsOf } from "../dom/native";

interface Rule { selector: string; before: string } // before is up to the compound with :hover

const shows = ["display", "visibility", "opacity", "height", "max-height", "transform", "clip-path", "pointer-events", "left", "top"];
const filter = ["class", "style", "hidden", "aria-hidden", "open", "data-state"];
const opened = /show|open|visible|expand|dropdown/i, gone = /display:\s*none|visibility:\s*hidden|opacity:\s*0(?![.\d])/;
const patience = 600; // ms within which a page answers the mouse

// Hover finds out whether what is clicked came because the mouse was over
// something: a menu button that says so, what a style shows while something is
// hovered, or what a script put there.
export class Hover {
  private aria: Element | undefined;
  private waiting: ReturnType<typeof setTimeout> | undefined;
  private x = NaN;
  private y = NaN;
  private trail: Element[] = []; // what the mouse was over since the last act
  private came = new WeakMap<Element, Element>(); // what appeared, by what was hovered
  private rules = new WeakMap<CSSStyleSheet, { count: number; list: Rule[] }>();
  private observer = new MutationObserver(list => this.saw(list));
  private until: ReturnType<typeof setTimeout> | undefined;

  over(n: Element, e: PointerEvent): void {
    const still = e.screenX === this.x && e.screenY === this.y; // the page moves below the mouse
    this.x = e.screenX;
    this.y = e.screenY;
    if (still) return;
    if (this.trail[this.trail.length - 1] === n) return;
    if (this.trail.length >= 20) this.trail.shift();
    this.trail.push(n);
    this.watch();
    const by = closest(n, "[aria-haspopup],[aria-expanded]");
    if (!by || attribute(by, "aria-expanded") === "true" || by === this.aria) return;
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { if (attribute(by, "aria-expanded") === "true") this.aria = by; }, 250);
  }

  stop(): void {
    clearTimeout(this.waiting);
    this.saw(this.observer.takeRecords());
    this.rest();
  }

  // before returns what had to be hovered for the target to be there, in order.
  before(target: Element): Element[] {
    const aria = this.aria, trail = this.trail;
    this.aria = undefined;
    this.trail = [];
    if (aria && aria.isConnected && !aria.contains(target) && belongs(target, aria)) return [aria];
    if (trail.every(e => e.contains(target) || target.contains(e))) return [];
    const found = [...this.styled(target, trail), ...this.scripted(target)];
    const page = [document.documentElement, document.body]; // the mouse is over them anyhow
    return found.filter((e, i) => e.isConnected && !page.includes(e as HTMLElement) && !target.contains(e) && found.indexOf(e) === i);
  }

  private watch(): void {
    clearTimeout(this.until);
    this.observer.observe(document, { subtree: true, childList: true, attributeFilter: filter, attributeOldValue: true });
    this.until = setTimeout(() => this.rest(), patience);
  }

  private rest(): void {
    clearTimeout(this.until);
    this.observer.disconnect();
  }

  private saw(list: MutationRecord[]): void {
    const by = this.trail[this.trail.length - 1];
    if (!by) return;
    for (const r of list.slice(0, 500)) {
      if (r.type === "childList") r.addedNodes.forEach(n => { if (isElement(n)) this.came.set(n, by); });
      else if (isElement(r.target) && appears(r.target, r)) this.came.set(r.target, by);
    }
  }

  private scripted(target: Element): Element[] {
    for (let n: Node | null = target; n; n = parentOf(n)) {
      const by = isElement(n) ? this.came.get(n) : undefined;
      if (by && by !== target && (n as Element) !== by && !target.contains(by)) return [by];
    }
    return [];
  }

  // styled goes outwards from the target, and returns what was hovered for each
  // element around it that a style shows only then.
  private styled(target: Element, trail: Element[]): Element[] {
    const rules = this.rulesOf(rootOf(target)), found: Element[] = [];
    for (let e: Element | null = target; e && rules.length > 0; e = e.parentElement) {
      for (const r of rules) {
        if (!fits(e, r.selector)) continue;
        const by = hoveredFor(e, r);
        if (!by || by === e) continue;
        const shown = e;
        found.unshift(trail.find(t => by.contains(t) && !shown.contains(t)) ?? by);
        break;
      }
    }
    return found;
  }

  private rulesOf(root: Node): Rule[] {
    const all: Rule[] = [];
    for (const sheet of Array.from(sheetsOf(root))) {
      let list: CSSRuleList;
      try { list = sheet.cssRules; } catch { continue; } // of another site
      let known = this.rules.get(sheet);
      if (!known || known.count !== list.length) this.rules.set(sheet, known = { count: list.length, list: hoverRules(list) });
      all.push(...known.list);
    }
    return all;
  }
}

// hoverRules are those that show something while something is hovered.
function hoverRules(list: CSSRuleList, out: Rule[] = []): Rule[] {
  for (const r of Array.from(list)) {
    if (r instanceof CSSStyleRule && r.selectorText.includes(":hover") && shows.some(p => r.style.getPropertyValue(p) !== "")) {
      for (const selector of r.selectorText.split(/,(?![^(]*\))/)) {
        const at = selector.indexOf(":hover");
        if (at >= 0 && /[\s>+~]/.test(selector.slice(at).trim())) out.push({ selector, before: selector.slice(0, at + 6) });
      }
    } else if (r instanceof CSSGroupingRule) hoverRules(r.cssRules, out);
  }
  return out;
}

function fits(e: Element, selector: string): boolean {
  try { return matches(e, selector); } catch { return false; }
}

// hoveredFor is what the mouse is over for the rule to show e: around it, or before it.
function hoveredFor(e: Element, r: Rule): Element | undefined {
  const around = e.parentElement && closest(e.parentElement, r.before);
  if (around) return around;
  const still = r.before.slice(0, -6);
  for (let s = e.previousElementSibling; s; s = s.previousElementSibling) if (still && fits(s, still)) return s;
  return undefined;
}

// appears reports whether a change of an attribute made an element visible.
function appears(e: Element, r: MutationRecord): boolean {
  const name = r.attributeName as string, old = r.oldValue ?? "", now = attribute(e, name) ?? "";
  switch (name) {
    case "style": return gone.test(old) && !gone.test(now);
    case "hidden": return r.oldValue !== null && !hasAttribute(e, name);
    case "aria-hidden": return old === "true" && now !== "true";
    case "open": return r.oldValue === null;
    case "data-state": return now === "open";
    default: return now.split(/\s+/).some(c => opened.test(c) && !old.split(/\s+/).includes(c));
  }
}

// belongs reports whether the target is in the menu of a button.
function belongs(target: Element, by: Element): boolean {
  const menu = attribute(by, "aria-controls") ?? attribute(by, "aria-owns");
  if (menu) return closest(target, "#" + CSS.escape(menu)) !== null;
  return closest(target, "[role=menu],[role=listbox],[role=dialog],[role=tooltip]") !== null || !!by.parentElement?.contains(target);
}
