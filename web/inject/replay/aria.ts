import { attribute, hasAttribute, nodeName, openRoot } from "../dom/native";
import { isHidden, nameOf } from "../selector/name";
import { roleOf } from "../selector/role";
import { squeeze } from "../selector/text";
import { asks, type Template } from "./template";
import { checked, disabled } from "./query";

// What a document is to those who listen to it, as Playwright's assertion of
// it takes it: a tree of roles with names and states, and texts between them.

interface Heard { role: string; name: string; children: (Heard | string)[]; state: Record<string, unknown>; url?: string }

const roles = (s: string): Set<string> => new Set(s.split(" "));

// states are those that only some roles have.
const states: [string, Set<string>, (e: Element) => unknown][] = [
  ["checked", roles("checkbox menuitemcheckbox option radio switch menuitemradio treeitem"), checked],
  ["disabled", roles("application button composite gridcell group input link menuitem scrollbar separator tab checkbox columnheader combobox grid listbox menu menubar menuitemcheckbox menuitemradio option radio radiogroup row rowheader searchbox select slider spinbutton switch tablist textbox toolbar tree treegrid treeitem"), disabled],
  ["expanded", roles("application button checkbox combobox gridcell link listbox menuitem row rowheader tab treeitem columnheader menuitemcheckbox menuitemradio switch"), expanded],
  ["level", roles("heading listitem row treeitem"), level],
  ["pressed", roles("button"), e => { const p = attribute(e, "aria-pressed"); return p === "mixed" ? "mixed" : p === "true"; }],
  ["selected", roles("gridcell option row tab rowheader columnheader treeitem"), e => e instanceof HTMLOptionElement ? e.selected : attribute(e, "aria-selected") === "true"],
  ["invalid", roles("application checkbox columnheader combobox gridcell listbox radiogroup rowheader searchbox slider spinbutton switch textbox tree"), invalid],
];

function expanded(e: Element): boolean | undefined {
  if (nodeName(e) === "DETAILS") return (e as HTMLDetailsElement).open;
  const a = attribute(e, "aria-expanded");
  return a === null ? undefined : a === "true";
}

function level(e: Element): number {
  const h = /^H([1-6])$/i.exec(nodeName(e));
  return h ? Number(h[1]) : Math.max(0, Math.floor(Number(attribute(e, "aria-level") ?? 0)) || 0);
}

function invalid(e: Element): boolean | string {
  const a = attribute(e, "aria-invalid");
  if (a === null || a.trim() === "" || a === "false") return false;
  return a === "grammar" || a === "spelling" ? a : true;
}

// hear reads an element and what is in it.
export function hear(root: Element): Heard {
  const top: Heard = { role: "fragment", name: "", children: [], state: {} };
  listen(root, top, new Set());
  tidy(top);
  return top;
}

function listen(n: Node, into: Heard, seen: Set<Node>): void {
  if (seen.has(n)) return;
  seen.add(n);
  if (n.nodeType === Node.TEXT_NODE) {
    if (into.role !== "textbox" && n.nodeValue && drawable(n as Text)) into.children.push(n.nodeValue);
    return;
  }
  if (!(n instanceof Element) || isHidden(n)) return;
  const one = heard(n);
  if (one) into.children.push(one);
  inside(n, one ?? into, seen);
}

// drawable tells that a text is not one that its element leaves out.
function drawable(t: Text): boolean {
  const p = t.parentElement;
  return !p || !(openRoot(p) && !t.assignedSlot) && !(p instanceof HTMLDetailsElement && !p.open);
}

function heard(e: Element): Heard | undefined {
  if (/^I?FRAME$/i.test(nodeName(e))) return { role: "iframe", name: "", children: [], state: {} };
  const role = roleOf(e);
  if (!role || /^(presentation|none|generic)$/.test(role)) return undefined;
  const one: Heard = { role, name: squeeze(nameOf(e, role)), children: [], state: {} };
  for (const [name, of, read] of states) if (of.has(role)) one.state[name] = read(e);
  if (role === "link" && hasAttribute(e, "href")) one.url = attribute(e, "href") ?? "";
  if (e instanceof HTMLTextAreaElement || e instanceof HTMLInputElement && !/^(checkbox|radio|file)$/.test(e.type)) one.children = [e.value];
  return one;
}

function inside(e: Element, into: Heard, seen: Set<Node>): void {
  const style = getComputedStyle(e), gap = style.display !== "inline" || nodeName(e) === "BR" ? " " : "";
  into.children.push(gap, drawn(e, "::before"));
  const slotted = e instanceof HTMLSlotElement ? e.assignedNodes() : [];
  for (const n of slotted.length > 0 ? slotted : Array.from(e.childNodes)) if (slotted.length > 0 || !(n as Element).assignedSlot) listen(n, into, seen);
  for (const n of Array.from(openRoot(e)?.childNodes ?? [])) listen(n, into, seen);
  for (const id of (attribute(e, "aria-owns") ?? "").split(/\s+/)) {
    const owned = id ? (e.getRootNode() as Document).getElementById(id) : null;
    if (owned) listen(owned, into, seen);
  }
  into.children.push(drawn(e, "::after"), gap);
}

// drawn is the text that a style puts before or after what is in an element.
function drawn(e: Element, where: string): string {
  const s = getComputedStyle(e, where);
  if (s.display === "none" || s.visibility === "hidden") return "";
  const m = /^"((?:[^"\\]|\\.)*)"(?:\s*\/\s*"((?:[^"\\]|\\.)*)")?$/.exec(s.content);
  if (!m) return "";
  const text = (m[2] ?? m[1]).replace(/\\(.)/g, "$1");
  return s.display === "inline" ? text : " " + text + " ";
}

// tidy joins texts that lie beside each other and leaves out those that say
// nothing, or only the name again.
function tidy(h: Heard): void {
  const out: (Heard | string)[] = [];
  let text = "";
  const flush = (): void => { const t = squeeze(text); if (t) out.push(t); text = ""; };
  for (const c of h.children) if (typeof c === "string") text += c; else { flush(); tidy(c); out.push(c); }
  flush();
  h.children = out.length === 1 && out[0] === h.name ? [] : out;
}

function fits(h: Heard | string, t: Template, deep: boolean): boolean {
  if (typeof h === "string") return t.kind === "text" && asks(h, t.text);
  if (t.kind !== "role" || t.role !== "fragment" && t.role !== h.role) return false;
  for (const [name] of states) if (t.state[name] !== undefined && t.state[name] !== h.state[name]) return false;
  if (!asks(h.name, t.name) || !asks(h.url ?? "", t.props.url)) return false;
  switch (t.mode) {
    case "equal": case "deep-equal": return all(h.children, t.children, t.mode === "deep-equal");
    case "contain": return some(h.children, t.children);
    default: return deep ? all(h.children, t.children, true) : some(h.children, t.children);
  }
}

function all(list: (Heard | string)[], wanted: Template[], deep: boolean): boolean {
  return list.length === wanted.length && wanted.every((t, i) => fits(list[i], t, deep));
}

// some tells that the wanted are there in their order, with others between.
function some(list: (Heard | string)[], wanted: Template[]): boolean {
  let at = 0;
  return wanted.every(t => { while (at < list.length) if (fits(list[at++], t, false)) return true; return false; });
}

// anywhere tells that a template fits the tree or a part of it.
export function anywhere(h: Heard | string, t: Template): boolean {
  return fits(h, t, false) || typeof h !== "string" && h.children.some(c => anywhere(c, t));
}

// told writes a tree as Playwright does, for messages.
export function told(h: Heard | string, depth = 0): string {
  const indent = "  ".repeat(depth);
  if (typeof h === "string") return `${indent}- text: ${h}\n`;
  const alone = h.children.length === 1 && typeof h.children[0] === "string" ? h.children[0] : "";
  const inner = alone ? "" : h.children.map(c => told(c, h.role === "fragment" ? depth : depth + 1)).join("");
  if (h.role === "fragment") return inner;
  const state = Object.entries(h.state).filter(([, v]) => v).map(([k, v]) => v === true ? ` [${k}]` : ` [${k}=${String(v)}]`).join("");
  return `${indent}- ${h.role}${h.name ? " " + JSON.stringify(h.name) : ""}${state}${alone ? ": " + alone + "\n" : inner ? ":\n" + inner : "\n"}`;
}
