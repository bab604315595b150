import { Finder } from "../selector/engine";
import { openRoot } from "../dom/native";
import { squeeze } from "../selector/text";
import { checked, disabled, isVisible, type Pattern } from "./query";
import { editable } from "./state";
import { anywhere, hear, told } from "./aria";
import { template } from "./template";

// Assertions of Playwright, by the names they have in traces.

export interface Expected { string?: string; regexSource?: string; regexFlags?: string; matchSubstring?: boolean; ignoreCase?: boolean; normalizeWhiteSpace?: boolean }
export interface Assertion { expression: string; expressionArg?: string; expectedText?: Expected[]; expectedNumber?: number; useInnerText?: boolean; expectedValue?: unknown }

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const x = Object.keys(a), y = Object.keys(b);
  return x.length === y.length && x.every(k => same((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]));
}
export interface Outcome { matches: boolean; received: unknown; known: boolean }

function agrees(text: string, x: Expected): boolean {
  const flat = (s: string): string => x.normalizeWhiteSpace ? squeeze(s) : s, lower = (s: string): string => x.ignoreCase ? s.toLowerCase() : s;
  if (x.regexSource !== undefined) { const p: Pattern = { source: x.regexSource, flags: x.regexFlags ?? "" }; return new RegExp(p.source, p.flags.replace(/[gy]/g, "") + (x.ignoreCase && !p.flags.includes("i") ? "i" : "")).test(flat(text)); }
  const want = lower(flat(x.string ?? "")), has = lower(flat(text));
  return x.matchSubstring ? has.includes(want) : has === want;
}

const flags: Record<string, (e: Element) => boolean> = {
  "to.be.attached": e => e.isConnected, "to.be.detached": e => !e.isConnected, "to.be.visible": isVisible, "to.be.hidden": e => !isVisible(e),
  "to.be.enabled": e => !disabled(e), "to.be.disabled": disabled, "to.be.editable": editable, "to.be.readonly": e => !editable(e),
  "to.be.checked": e => checked(e) === true, "to.be.unchecked": e => checked(e) === false,
  "to.be.focused": e => (e.getRootNode() as Document).activeElement === e,
  "to.be.empty": e => e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement ? e.value === "" : squeeze(e.textContent ?? "") === "",
};

function textOf(e: Element, inner: boolean | undefined): string { return inner ? (e as HTMLElement).innerText : new Finder(openRoot, document).text(e); }

function referenced(e: Element, name: string): string {
  const root = e.getRootNode() as Document;
  return (e.getAttribute(name) ?? "").split(/\s+/).filter(Boolean).map(id => root.getElementById(id)?.textContent ?? "").join(" ");
}

// shownPart is how much of an element is in the viewport and not cut off by
// what it scrolls in, from 0 to 1.
function shownPart(e: Element): number {
  const b = e.getBoundingClientRect();
  let left = Math.max(0, b.left), top = Math.max(0, b.top), right = Math.min(innerWidth, b.right), bottom = Math.min(innerHeight, b.bottom);
  for (let p = e.parentElement; p && p !== document.documentElement; p = p.parentElement) {
    const s = getComputedStyle(p), c = p.getBoundingClientRect();
    if (s.overflowX !== "visible" && p !== document.body) { left = Math.max(left, c.left); right = Math.min(right, c.right); }
    if (s.overflowY !== "visible" && p !== document.body) { top = Math.max(top, c.top); bottom = Math.min(bottom, c.bottom); }
  }
  if (right < left || bottom < top) return 0;
  return b.width * b.height > 0 ? (right - left) * (bottom - top) / (b.width * b.height) : 1;
}

const values: Record<string, (e: Element, a: Assertion) => string | null> = {
  "to.have.text": (e, a) => textOf(e, a.useInnerText), "to.have.attribute.value": (e, a) => e.getAttribute(a.expressionArg ?? ""), "to.have.class": e => e.getAttribute("class") ?? "",
  "to.have.css": (e, a) => getComputedStyle(e).getPropertyValue(a.expressionArg ?? ""), "to.have.id": e => e.id, "to.have.value": e => (e as HTMLInputElement).value ?? "",
  "to.have.accessible.name": e => new Finder(openRoot, document).name(e), "to.have.role": e => new Finder(openRoot, document).role(e),
  "to.have.accessible.error.message": e => /^(true|grammar|spelling)$/.test(e.getAttribute("aria-invalid") ?? "") ? squeeze(referenced(e, "aria-errormessage")) : "",
  "to.have.accessible.description": e => squeeze(referenced(e, "aria-describedby") || (e.getAttribute("aria-description") ?? e.getAttribute("title") ?? "")),
};

// assert compares the elements that a selector found with what is expected.
export function assert(a: Assertion, list: Element[]): Outcome {
  const expected = a.expectedText ?? [], done = (matches: boolean, received: unknown): Outcome => ({ matches, received, known: true });
  switch (a.expression) {
    case "to.have.count": return done(list.length === a.expectedNumber, list.length);
    case "to.have.title": return done(expected.every(x => agrees(document.title, x)), document.title);
    case "to.have.url": return done(expected.every(x => agrees(location.href, x)), location.href);
    case "to.be.hidden": case "to.be.detached": if (list.length === 0) return done(true, "nothing was found");
  }
  if (a.expression.endsWith(".array")) {
    const read = values[a.expression === "to.have.class.array" ? "to.have.class" : "to.have.text"], got = list.map(e => read(e, a) ?? "");
    const partly = a.expression.startsWith("to.contain");
    let at = 0;
    for (const t of got) if (at < expected.length && agrees(t, expected[at])) at++; else if (!partly) break;
    return done(at === expected.length && (partly || got.length === expected.length), got);
  }
  const e = list[0];
  if (!e) return { matches: false, received: "nothing was found", known: true };
  if (a.expression === "to.be.in.viewport") { const part = shownPart(e); return done(a.expectedNumber ? part >= a.expectedNumber - 1e-9 : part > 0, part); }
  if (a.expression === "to.be.checked" && a.expectedValue) {
    const x = a.expectedValue as { checked?: boolean | null; indeterminate?: boolean | null }, is = checked(e);
    return done(x.indeterminate ? is === "mixed" : is === (x.checked ?? true), is);
  }
  if (a.expression === "to.have.property") {
    const got = (a.expressionArg ?? "").split(".").reduce<unknown>((o, k) => (o as Record<string, unknown> | null | undefined)?.[k], e);
    return done(same(got, a.expectedValue), typeof got === "object" ? String(got) : got);
  }
  if (a.expression === "to.match.aria") return matchesTree(e, a.expectedValue);
  const flag = flags[a.expression], value = values[a.expression];
  if (flag) return done(flag(e), flag(e));
  if (a.expression === "to.have.attribute") return done(e.hasAttribute(a.expressionArg ?? ""), e.hasAttribute(a.expressionArg ?? ""));
  if (a.expression === "to.contain.class") { const has = (e.getAttribute("class") ?? "").split(/\s+/); return done(expected.every(x => (x.string ?? "").split(/\s+/).every(c => has.includes(c))), has.join(" ")); }
  if (a.expression === "to.have.values") { const got = [...(e as HTMLSelectElement).selectedOptions ?? []].map(o => o.value); return done(got.length === expected.length && got.every((v, i) => agrees(v, expected[i])), got); }
  if (!value) return { matches: false, received: undefined, known: false };
  const got = value(e, a);
  return done(got !== null && expected.every(x => agrees(got, x)), got);
}

// matchesTree is not known where the template is not understood.
function matchesTree(e: Element, expected: unknown): Outcome {
  let wanted;
  try { wanted = template(expected); } catch (why) { return { matches: false, received: String(why), known: false }; }
  const tree = hear(e);
  return { matches: anywhere(tree, wanted), received: told(tree).slice(0, 4000), known: true };
}
