import { attribute, closest, hasAttribute, inputType, nodeName, parentOf } from "../dom/native";

// The ARIA role of an element: the one it is given, or the one of its kind.

const simple: Record<string, string> = {
  ARTICLE: "article", ASIDE: "complementary", BLOCKQUOTE: "blockquote", BUTTON: "button", CAPTION: "caption", CODE: "code", DATALIST: "listbox", DD: "definition",
  DEL: "deletion", DETAILS: "group", DFN: "term", DIALOG: "dialog", DT: "term", EM: "emphasis", FIELDSET: "group", FIGURE: "figure",
  H1: "heading", H2: "heading", H3: "heading", H4: "heading", H5: "heading", H6: "heading", HR: "separator", HTML: "document", INS: "insertion",
  LI: "listitem", MAIN: "main", MARK: "mark", MATH: "math", MENU: "list", METER: "meter", NAV: "navigation", OL: "list", OPTGROUP: "group", OPTION: "option",
  OUTPUT: "status", P: "paragraph", PROGRESS: "progressbar", SEARCH: "search", STRONG: "strong", SUB: "subscript", SUP: "superscript", SVG: "img",
  TABLE: "table", TBODY: "rowgroup", TEXTAREA: "textbox", TFOOT: "rowgroup", THEAD: "rowgroup", TIME: "time", TR: "row", UL: "list",
};

const inputs: Record<string, string> = {
  button: "button", checkbox: "checkbox", image: "button", number: "spinbutton", radio: "radio", range: "slider", reset: "button", submit: "button",
  hidden: "", file: "button",
};

const sectioning = "article, aside, main, nav, section, [role=article], [role=complementary], [role=main], [role=navigation], [role=region]";

export function roleOf(e: Element): string {
  const given = attribute(e, "role");
  if (!given) return implicit(e);
  for (const word of given.trim().split(/\s+/)) {
    if (word === "none" || word === "presentation") return named(e) || hasAttribute(e, "tabindex") ? implicit(e) : word;
    if (word) return word.toLowerCase();
  }
  return implicit(e);
}

function named(e: Element): boolean { return !!(attribute(e, "aria-label") || attribute(e, "aria-labelledby")); }

function implicit(e: Element): string {
  const name = nodeName(e).toUpperCase();
  switch (name) {
    case "A": case "AREA": return hasAttribute(e, "href") ? "link" : "";
    case "IMG": return attribute(e, "alt") === "" && !attribute(e, "title") && !named(e) ? "presentation" : "img";
    case "INPUT": return inputRole(e as HTMLInputElement);
    case "SELECT": return hasAttribute(e, "multiple") || (e as HTMLSelectElement).size > 1 ? "listbox" : "combobox";
    case "SECTION": return named(e) ? "region" : "";
    case "FORM": return named(e) ? "form" : "";
    case "HEADER": return closest(e, sectioning) ? "" : "banner";
    case "FOOTER": return closest(e, sectioning) ? "" : "contentinfo";
    case "TD": return tableRole(e) === "table" ? "cell" : "gridcell";
    case "TH": return attribute(e, "scope") === "row" ? "rowheader" : "columnheader";
  }
  return simple[name] ?? "";
}

function inputRole(e: HTMLInputElement): string {
  const type = inputType(e);
  const known = inputs[type];
  if (known !== undefined) return known;
  if (hasAttribute(e, "list")) return "combobox";
  return type === "search" ? "searchbox" : ["text", "email", "tel", "url", ""].includes(type) ? "textbox" : type === "password" ? "textbox" : "textbox";
}

function tableRole(e: Element): string {
  for (let p = parentOf(e); p instanceof Element; p = parentOf(p)) if (nodeName(p) === "TABLE") return /^(grid|treegrid)$/.test(attribute(p, "role") ?? "") ? "grid" : "table";
  return "table";
}

const known = new Map<string, string>();

// candidates is a CSS selector of all elements that may have a role.
export function candidates(role: string): string {
  let css = known.get(role);
  if (css === undefined) known.set(role, css = selectorOf(role));
  return css;
}

function selectorOf(role: string): string {
  const names = Object.keys(simple).filter(n => simple[n] === role).map(n => n.toLowerCase());
  const more: Record<string, string> = {
    link: "a[href],area[href]", img: "img", presentation: "img", textbox: "input", searchbox: "input", combobox: "select,input", listbox: "select", button: "input",
    checkbox: "input", radio: "input", slider: "input", spinbutton: "input", region: "section", form: "form", banner: "header", contentinfo: "footer",
    cell: "td", gridcell: "td", rowheader: "th", columnheader: "th",
  };
  if (more[role]) names.push(more[role]);
  return [...names, `[role~=${JSON.stringify(role)} i]`].join(",");
}
