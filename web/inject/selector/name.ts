import { attribute, childNodes, closest, hostOf, inputType, nodeName, nodeType, openRoot, query, rootOf, textContent } from "../dom/native";
import { squeeze } from "./text";
import { roleOf } from "./role";

// The accessible name of an element, by the rules of accname-1.2 as browsers
// and Playwright follow them.

const fromContent = new Set(["button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option",
  "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem"]);
// These take their content as a name when something else is named by them.
const fromContentInside = new Set(["", "caption", "code", "contentinfo", "definition", "deletion", "emphasis", "insertion", "list", "listitem", "mark", "none", "paragraph",
  "presentation", "region", "rowgroup", "section", "strong", "subscript", "superscript", "table", "term", "time"]);
const withoutName = new Set(["caption", "code", "definition", "deletion", "emphasis", "generic", "insertion", "mark", "paragraph", "presentation", "strong", "subscript", "suggestion", "superscript", "term", "time", "none"]);

interface Way { seen: Set<Element>; inside: boolean; label: boolean; self?: boolean; hidden?: boolean } // label: followed from aria-labelledby, self: of its own; hidden: what is hidden counts too

// nameOf returns the name by which people and selectors of roles know the element.
export function nameOf(e: Element, role = roleOf(e), hidden = false): string {
  return withoutName.has(role) ? "" : squeeze(compute(e, { seen: new Set(), inside: false, label: false, hidden }, role)).slice(0, 900);
}

function compute(e: Element, way: Way, role = roleOf(e)): string {
  if (way.seen.has(e)) return "";
  if (!way.label && !way.hidden && isHidden(e)) { way.seen.add(e); return ""; }
  if (!way.label) {
    const by = referenced(e, "aria-labelledby");
    const text = by.map(o => compute(o, { seen: o === e ? way.seen : new Set(way.seen).add(e), inside: false, label: true, self: o === e })).join(" ");
    if (squeeze(text)) return text;
  }
  const value = way.inside || way.label && !way.self ? embedded(e, role) : undefined;
  if (value !== undefined) { way.seen.add(e); return value; }
  const label = attribute(e, "aria-label") ?? "";
  if (squeeze(label)) { way.seen.add(e); return label; }
  const own = native(e, role, way);
  if (own !== undefined && squeeze(own)) return own;
  if (fromContent.has(role) || way.label || way.inside && fromContentInside.has(role)) {
    way.seen.add(e);
    const text = content(e, { ...way, inside: true, label: false });
    if (squeeze(text) || way.label) return text;
  }
  way.seen.add(e);
  return attribute(e, "title") ?? "";
}

// embedded is the value of a control inside of a label.
function embedded(e: Element, role: string): string | undefined {
  switch (role) {
    case "textbox": case "searchbox": return e instanceof HTMLInputElement || e instanceof HTMLTextAreaElement ? e.type === "password" ? undefined : e.value : textContent(e) ?? "";
    case "combobox": case "listbox": return e instanceof HTMLSelectElement ? Array.from(e.selectedOptions, o => o.text).join(" ") : e instanceof HTMLInputElement ? e.value : undefined;
    case "slider": case "spinbutton": case "progressbar": case "meter": case "scrollbar":
      return attribute(e, "aria-valuetext") ?? attribute(e, "aria-valuenow") ?? (e instanceof HTMLInputElement ? e.value : undefined);
  }
  return undefined;
}

// native is the name by what HTML has for it.
function native(e: Element, role: string, way: Way): string | undefined {
  const name = nodeName(e).toUpperCase(), type = e instanceof HTMLInputElement ? inputType(e) : "";
  if (type === "button" || type === "submit" || type === "reset") {
    const labels = labelsOf(e, way);
    return squeeze(labels) ? labels : (e as HTMLInputElement).value || (type === "submit" ? "Submit" : type === "reset" ? "Reset" : attribute(e, "title") ?? "");
  }
  if (type === "file") { const labels = labelsOf(e, way); return squeeze(labels) ? labels : "Choose File"; }
  if (type === "image") return first(labelsOf(e, way), attribute(e, "alt"), attribute(e, "title"), "Submit");
  switch (name) {
    case "BUTTON": case "OUTPUT": case "METER": case "PROGRESS": return labelsOf(e, way) || undefined;
    case "INPUT": case "TEXTAREA": case "SELECT": {
      const labels = labelsOf(e, way);
      if (squeeze(labels)) return labels;
      const placeholder = name !== "SELECT" && (name === "TEXTAREA" || ["text", "password", "search", "tel", "email", "url", "number"].includes(type)) ? attribute(e, "placeholder") : null;
      return first(attribute(e, "title"), placeholder);
    }
    case "FIELDSET": return inner(e, "LEGEND", way);
    case "FIGURE": return inner(e, "FIGCAPTION", way);
    case "TABLE": return inner(e, "CAPTION", way) || attribute(e, "summary") || undefined;
    case "IMG": case "AREA": return first(attribute(e, "alt"), attribute(e, "title"));
    case "SVG": case "G": case "PATH": {
      for (const c of childNodes(e)) if (c instanceof Element && nodeName(c).toLowerCase() === "title") return textContent(c) ?? "";
      return role === "img" ? attribute(e, "title") ?? undefined : undefined;
    }
  }
  return undefined;
}

function first(...list: (string | null | undefined)[]): string | undefined { return list.find(s => s && squeeze(s)) ?? undefined; }

function inner(e: Element, name: string, way: Way): string | undefined {
  for (const c of childNodes(e)) if (c instanceof Element && nodeName(c) === name) return content(c, { ...way, seen: new Set(way.seen).add(e), inside: true });
  return undefined;
}

function labelsOf(e: Element, way: Way): string {
  const labels = (e as HTMLInputElement).labels;
  return labels ? Array.from(labels, l => compute(l, { seen: new Set(way.seen).add(e), inside: true, label: true }, "")).filter(squeeze).join(" ") : "";
}

// content is the text of what an element shows, with breaks where boxes begin.
function content(e: Element, way: Way): string {
  const root = openRoot(e);
  let out = pseudo(e, "::before");
  const nodes: ArrayLike<Node> = e instanceof HTMLSlotElement && e.assignedNodes().length > 0 ? e.assignedNodes() : childNodes(root ?? e);
  for (let i = 0; i < nodes.length; i++) {
    const n = nodes[i];
    if (nodeType(n) === Node.TEXT_NODE) out += (n as Text).data;
    else if (n instanceof Element) out += piece(n, way);
  }
  for (const owned of referenced(e, "aria-owns")) out += piece(owned, way);
  return out + pseudo(e, "::after");
}

function piece(n: Element, way: Way): string {
  if (/^(SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/i.test(nodeName(n))) return "";
  const text = compute(n, way), display = getComputedStyle(n).display;
  return display === "inline" || display === "contents" ? text : " " + text + " ";
}

function pseudo(e: Element, which: string): string {
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(nodeName(e))) return ""; // what is drawn there names no field
  const style = getComputedStyle(e, which), value = style.content;
  if (!value || value === "none" || value === "normal" || !/^["']/.test(value)) return "";
  const text = value.replace(/^(["'])(.*)\1.*$/s, "$2").replace(/\\(.)/g, "$1");
  return style.display === "inline" ? text : " " + text + " ";
}

export function referenced(e: Element, name: string): Element[] {
  const ids = attribute(e, name);
  if (!ids) return [];
  const root = rootOf(e);
  return ids.trim().split(/\s+/).flatMap(id => { try { return Array.from(query(root, "#" + CSS.escape(id))).slice(0, 1); } catch { return []; } });
}

// labelText is what people read beside a control, for selectors of labels.
// Of those by which it is named, others leaves out itself: what it holds changes.
export function labelTexts(e: Element, others = false): string[] {
  const by = referenced(e, "aria-labelledby");
  if (by.length > 0) return by.filter(l => !others || l !== e).map(l => squeeze(textContent(l) ?? ""));
  const label = attribute(e, "aria-label");
  if (label !== null && squeeze(label)) return [squeeze(label)];
  const labels = (e as HTMLInputElement).labels;
  return labels && typeof labels === "object" && "length" in labels ? Array.from(labels, l => squeeze(textContent(l) ?? "")) : [];
}

// isHidden reports whether accessibility tools leave the element out.
export function isHidden(e: Element): boolean {
  if (/^(STYLE|SCRIPT|NOSCRIPT|TEMPLATE)$/i.test(nodeName(e))) return true;
  if (!(e instanceof HTMLOptionElement && closest(e, "select")) && !(e instanceof HTMLSlotElement)) {
    if (e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false } as CheckVisibilityOptions) === false && getComputedStyle(e).display !== "contents") return true;
  }
  // The options of a closed list are not visible and yet there.
  if (e instanceof HTMLOptionElement && getComputedStyle(e).display === "none") return true;
  for (let n: Element | null = e; n;) {
    if (closest(n, "[aria-hidden=true i]")) return true;
    const root = rootOf(n);
    n = root instanceof ShadowRoot ? hostOf(root) : null;
  }
  return false;
}
