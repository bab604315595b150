// The one script that runs in a recorded page, when somebody inspects it: it
// outlines the element under the pointer and says which locators name it. It
// speaks to the viewer only, in texts and numbers, and changes nothing.
import { Describer } from "../../inject/selector/describe";
import { isHidden, nameOf } from "../../inject/selector/name";
import { roleOf } from "../../inject/selector/role";

const MOST = 4000;
let channel = "";
let about: Element[] = []; // elements of the tree that was sent last
const describer = new Describer({ testId: "data-testid", mask: "", keep: false });

const ring = document.createElement("div");
ring.setAttribute("style", "position:fixed;z-index:2147483647;pointer-events:none;border:2px solid #ff4d8d;background:rgb(255 77 141/.14);border-radius:3px;display:none;margin:0;padding:0;box-sizing:border-box");

function say(type: string, content: Record<string, unknown> = {}): void {
  if (channel !== "") parent.postMessage({ channel, type, ...content }, "*");
}

function show(e: Element | undefined): void {
  if (!e) { ring.style.display = "none"; return; }
  const b = e.getBoundingClientRect();
  Object.assign(ring.style, { display: "block", left: `${b.x - 2}px`, top: `${b.y - 2}px`, width: `${b.width + 4}px`, height: `${b.height + 4}px` });
}

function tell(type: "hover" | "pick", e: Element): void {
  show(e);
  const d = describer.describe(e), b = e.getBoundingClientRect();
  say(type, { selectors: d.selectors.slice(0, 8), css: d.css, tag: d.tag, role: d.role ?? "", name: d.name ?? "", text: (e.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 200), width: Math.round(b.width), height: Math.round(b.height) });
}

const children = (e: Element): Element[] => [...(e.shadowRoot?.children ?? []), ...e.children].filter((c) => c !== ring);

interface Line { depth: number; text: string }

function dom(): Line[] {
  const lines: Line[] = [];
  about = [];
  const walk = (e: Element, depth: number): void => {
    if (lines.length >= MOST || /^(SCRIPT|STYLE|TEMPLATE)$/.test(e.nodeName.toUpperCase())) return;
    const attributes = [...e.attributes].filter((a) => !/^(style|__playwright)/.test(a.name)).slice(0, 6).map((a) => ` ${a.name}="${a.value.slice(0, 40)}"`).join("");
    const own = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent ?? "").join(" ").replace(/\s+/g, " ").trim();
    about.push(e);
    lines.push({ depth, text: `<${e.localName}${attributes}>${own ? ` ${own.slice(0, 80)}` : ""}` });
    for (const c of children(e)) walk(c, depth + 1);
  };
  if (document.body) walk(document.body, 0);
  return lines;
}

const SILENT = new Set(["", "generic", "none", "presentation", "document"]);

function aria(): Line[] {
  const lines: Line[] = [];
  about = [];
  const walk = (e: Element, depth: number): void => {
    if (lines.length >= MOST || isHidden(e)) return;
    const role = roleOf(e), name = nameOf(e, role);
    const said = !SILENT.has(role) || name !== "";
    if (said) {
      about.push(e);
      const states = ["checked", "disabled", "expanded", "selected", "pressed", "level"].flatMap((s) => { const v = e.getAttribute(`aria-${s}`) ?? (s === "disabled" && (e as HTMLButtonElement).disabled || s === "checked" && (e as HTMLInputElement).checked ? "true" : s === "level" && /^H[1-6]$/.test(e.nodeName) ? e.nodeName[1] : null); return v === null ? [] : [` [${s}${v === "true" ? "" : `=${v}`}]`]; }).join("");
      lines.push({ depth, text: `${role || "generic"}${name ? ` "${name.slice(0, 120)}"` : ""}${states}` });
    }
    for (const c of children(e)) walk(c, said ? depth + 1 : depth);
  };
  if (document.body) walk(document.body, 0);
  return lines;
}

addEventListener("message", (m: MessageEvent<{ channel?: string; type?: string; at?: number; selector?: string }>) => {
  if (m.source !== parent || typeof m.data?.channel !== "string") return;
  if (channel === "" && m.data.type === "begin") channel = m.data.channel;
  if (m.data.channel !== channel) return;
  const at = typeof m.data.at === "number" ? about[m.data.at] : undefined;
  switch (m.data.type) {
    case "begin":
      document.documentElement.append(ring);
      say("ready");
      break;
    case "dom": say("tree", { kind: "dom", lines: dom() }); break;
    case "aria": say("tree", { kind: "aria", lines: aria() }); break;
    case "show":
      if (at) { at.scrollIntoView({ block: "nearest" }); tell("hover", at); } else show(undefined);
      break;
    case "pick": if (at) tell("pick", at); break;
    case "find": {
      let found: Element[] = [], problem = "";
      try { found = describer.find(String(m.data.selector)); } catch (e) { problem = String(e); }
      show(found[0]);
      say("found", { count: found.length, problem });
    }
  }
});

const under = (e: Event): Element | undefined => e.composedPath().find((n): n is Element => n instanceof Element && n !== ring);

addEventListener("pointermove", (e) => { const on = under(e); if (on) tell("hover", on); }, true);
addEventListener("pointerleave", () => show(undefined), true);
for (const kind of ["click", "mousedown", "mouseup", "pointerdown", "submit", "dblclick", "contextmenu"]) {
  addEventListener(kind, (e) => {
    e.preventDefault();
    e.stopPropagation();
    if (kind === "click") { const on = under(e); if (on) tell("pick", on); }
  }, true);
}
addEventListener("keydown", (e) => { e.preventDefault(); if (e.key === "Escape") say("leave"); }, true);
