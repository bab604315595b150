import { textContent } from "./native";

// Which style sheets scripts changed, found by looking at their rules: the
// page's functions stay as they are. The number of rules, and which are the first
// and the last, are looked at each time, the text of the last one some times a
// second. The texts of all are compared a few at a time: so
// many a second that people's acts find small pages looked at in full, and that
// programs, which act faster, are not slowed down.

const slice = 64; // rules that are compared as one text
const most = 384; // rules of one look
const perMillisecond = 0.25; // rules
const often = 200; // ms between looks at the text of the last rule

class Sheet {
  count = -1;
  off = false;
  slices: string[] = [];
  next = 0; // slice to look at
  ends: (CSSRule | undefined)[] = [];
  last = ""; // the text of the last rule
  changed = false; // since it was parsed
  version = 0;
}

function rulesOf(sheet: CSSStyleSheet): CSSRuleList | undefined {
  try { return sheet.cssRules; } catch { return undefined; } // another site's
}

function textOf(rules: CSSRuleList, from: number, to: number): string {
  let s = "";
  for (let i = Math.max(0, from); i < to && i < rules.length; i++) s += rules[i].cssText + "\n";
  return s;
}

// ends are the first rule and the last: other ones where a sheet was replaced.
function ends(rules: CSSRuleList): (CSSRule | undefined)[] { return [rules[0], rules[rules.length - 1]]; }

function lastText(rules: CSSRuleList): string { return textOf(rules, rules.length - 1, rules.length); }

export function sheetText(sheet: CSSStyleSheet): string {
  const rules = rulesOf(sheet);
  return rules && !sheet.disabled ? textOf(rules, 0, rules.length).trimEnd() : "";
}

export class Sheets {
  private known = new WeakMap<CSSStyleSheet, Sheet>();
  private budget = 2 * most; // rules; the first two looks are in full
  private at = performance.now();
  private closer = true; // texts are looked at
  private closely = -Infinity; // when they were

  // begin says that all sheets are about to be looked at.
  begin(): void {
    const now = performance.now();
    this.budget = Math.min(2 * most, this.budget + (now - this.at) * perMillisecond);
    this.at = now;
    this.closer = now - this.closely >= often;
    if (this.closer) this.closely = now;
  }

  // version changes when the sheet did. It is -1 for one that cannot be read.
  version(sheet: CSSStyleSheet): number {
    const rules = rulesOf(sheet);
    if (!rules) return -1;
    let s = this.known.get(sheet);
    if (!s) this.known.set(sheet, s = this.first(sheet, rules));
    else if (this.differs(s, sheet, rules)) {
      s.changed = true;
      s.version++;
      this.take(s, sheet, rules);
    }
    return s.version;
  }

  // isChanged reports whether scripts made something else of the sheet than its source says.
  isChanged(sheet: CSSStyleSheet): boolean { return !!this.known.get(sheet)?.changed; }

  private first(sheet: CSSStyleSheet, rules: CSSRuleList): Sheet {
    const s = new Sheet();
    this.take(s, sheet, rules);
    const owner = sheet.ownerNode;
    if (owner instanceof HTMLStyleElement) s.changed = s.off || rules.length !== parsedRules(textContent(owner) || "", rules.length);
    else s.changed = s.off && !(owner instanceof HTMLLinkElement && owner.disabled);
    return s;
  }

  private take(s: Sheet, sheet: CSSStyleSheet, rules: CSSRuleList): void {
    s.count = rules.length;
    s.off = sheet.disabled;
    s.slices = [];
    s.ends = ends(rules);
    s.last = lastText(rules);
  }

  private differs(s: Sheet, sheet: CSSStyleSheet, rules: CSSRuleList): boolean {
    if (rules.length !== s.count || sheet.disabled !== s.off) return true;
    if (ends(rules).some((r, i) => r !== s.ends[i]) || this.closer && lastText(rules) !== s.last) return true;
    const n = Math.ceil(s.count / slice);
    for (let i = 0; i < n && this.budget > 0; i++) {
      s.next = (s.next + 1) % n;
      this.budget -= Math.min(slice, s.count);
      if (this.compare(s, rules, s.next)) return true;
    }
    return false;
  }

  private compare(s: Sheet, rules: CSSRuleList, i: number): boolean {
    const text = textOf(rules, i * slice, (i + 1) * slice);
    const before = s.slices[i];
    s.slices[i] = text;
    return before !== undefined && before !== text;
  }

  // learn keeps the texts of a sheet's rules, so that the next look can compare.
  learn(sheet: CSSStyleSheet): void {
    const s = this.known.get(sheet), rules = rulesOf(sheet);
    if (!s || !rules) return;
    for (let i = 0; i * slice < rules.length && this.budget > 0; i++) {
      if (s.slices[i] !== undefined) continue;
      this.budget -= Math.min(slice, rules.length);
      s.slices[i] = textOf(rules, i * slice, (i + 1) * slice);
    }
  }
}

// parsedRules is how many rules a source gives, or otherwise if that is not worth knowing.
function parsedRules(source: string, otherwise: number): number {
  if (!source.trim()) return 0;
  if (source.length > 300_000) return otherwise;
  try {
    const probe = new CSSStyleSheet();
    probe.replaceSync(source);
    // A constructed sheet has no imports, which may also be a word in a comment.
    return otherwise - probe.cssRules.length <= (source.match(/@import\b/g)?.length ?? 0) && probe.cssRules.length <= otherwise ? otherwise : probe.cssRules.length;
  } catch { return otherwise; }
}
