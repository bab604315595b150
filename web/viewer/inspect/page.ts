// The one script that runs in a recorded page and in the frames inside it, when
// somebody inspects it: it outlines the element under the pointer and says
// which locators name it. It speaks to the viewer only, in texts and numbers,
// and changes nothing. Frames speak through the page around them.
import { Describer } from "../../inject/selector/describe";
import { isHidden, nameOf } from "../../inject/selector/name";
import { roleOf } from "../../inject/selector/role";

const MOST = 4000;
let channel = "";
let about: (Element | Inside)[] = []; // what the lines of the tree that was sent last are of
let asked: "dom" | "aria" | undefined;
const describer = new Describer({ testId: "data-testid", mask: "", keep: false });

const ring = document.createElement("div");
ring.setAttribute("style", "position:fixed;z-index:2147483647;pointer-events:none;border:2px solid #ff4d8d;background:rgb(255 77 141/.14);border-radius:3px;display:none;margin:0;padding:0;box-sizing:border-box");

interface Line { depth: number; text: string }

/** A line of a child frame's tree. */
interface Inside { frame: Nested; at: number }

type Nested = HTMLIFrameElement | HTMLFrameElement;
const isNested = (e: Element): e is Nested => e instanceof HTMLIFrameElement || e instanceof HTMLFrameElement;

const ENTER = " >> internal:control=enter-frame >> ";

/** Frames that run this script too, and what they said their trees are. */
const inner = new Map<Nested, { kind: string; lines: Line[] }>();

function tellFrame(frame: Nested, type: string, content: Record<string, unknown> = {}): void {
  frame.contentWindow?.postMessage({ channel, type, ...content }, "*");
}

/** Greets the frames that are there, and those that load later. */
function greet(root: Document | ShadowRoot): void {
  for (const frame of root.querySelectorAll<Nested>("iframe, frame")) {
    frame.addEventListener("load", () => tellFrame(frame, "begin"));
    tellFrame(frame, "begin");
  }
  for (const e of root.querySelectorAll("*")) if (e.shadowRoot) greet(e.shadowRoot);
}

/** Only one frame shows an outline. */
function clearOthers(but?: Nested): void {
  for (const frame of inner.keys()) if (frame !== but) tellFrame(frame, "show", { at: -1 });
}

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
  clearOthers();
  const d = describer.describe(e), b = e.getBoundingClientRect();
  say(type, { selectors: d.selectors.slice(0, 8), css: d.css, tag: d.tag, role: d.role ?? "", name: d.name ?? "", text: (e.textContent ?? "").replace(/\s+/g, " ").trim().slice(0, 200), width: Math.round(b.width), height: Math.round(b.height) });
}

const children = (e: Element): Element[] => [...(e.shadowRoot?.children ?? []), ...e.children].filter((c) => c !== ring);

/** The lines of a child frame's tree, below those of the frame. */
function within(e: Element, depth: number, lines: Line[]): void {
  const theirs = isNested(e) ? inner.get(e) : undefined;
  if (!theirs || theirs.kind !== asked) return;
  theirs.lines.slice(0, MOST - lines.length).forEach((l, at) => {
    about.push({ frame: e as Nested, at });
    lines.push({ depth: depth + l.depth, text: l.text });
  });
}

function tree(): void {
  if (asked) say("tree", { kind: asked, lines: asked === "dom" ? dom() : aria() });
}

function dom(): Line[] {
  const lines: Line[] = [];
  about = [];
  const walk = (e: Element, depth: number): void => {
    if (lines.length >= MOST || /^(SCRIPT|STYLE|TEMPLATE)$/.test(e.nodeName.toUpperCase())) return;
    const attributes = [...e.attributes].filter((a) => !/^(style|__playwright)/.test(a.name)).slice(0, 6).map((a) => ` ${a.name}="${a.value.slice(0, 40)}"`).join("");
    const own = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.textContent ?? "").join(" ").replace(/\s+/g, " ").trim();
    about.push(e);
    lines.push({ depth, text: `<${e.localName}${attributes}>${own ? ` ${own.slice(0, 80)}` : ""}` });
    within(e, depth + 1, lines);
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
    const said = !SILENT.has(role) || name !== "" || isNested(e);
    if (said) {
      about.push(e);
      const states = ["checked", "disabled", "expanded", "selected", "pressed", "level"].flatMap((s) => { const v = e.getAttribute(`aria-${s}`) ?? (s === "disabled" && (e as HTMLButtonElement).disabled || s === "checked" && (e as HTMLInputElement).checked ? "true" : s === "level" && /^H[1-6]$/.test(e.nodeName) ? e.nodeName[1] : null); return v === null ? [] : [` [${s}${v === "true" ? "" : `=${v}`}]`]; }).join("");
      lines.push({ depth, text: `${role || (isNested(e) ? e.localName : "generic")}${name ? ` "${name.slice(0, 120)}"` : ""}${states}` });
    }
    within(e, said ? depth + 1 : depth, lines);
    for (const c of children(e)) walk(c, said ? depth + 1 : depth);
  };
  if (document.body) walk(document.body, 0);
  return lines;
}

interface Said { channel?: string; type?: string; at?: number; selector?: string; kind?: string; lines?: Line[]; selectors?: string[]; css?: string }

/** What the viewer, or the page around this one, says. */
function hear(d: Said): void {
  if (channel === "" && d.type === "begin") channel = String(d.channel);
  if (d.channel !== channel) return;
  const at = typeof d.at === "number" ? about[d.at] : undefined;
  if (at && !(at instanceof Element)) { show(undefined); tellFrame(at.frame, String(d.type), { at: at.at }); return; }
  switch (d.type) {
    case "begin":
      document.documentElement.append(ring);
      greet(document);
      say("ready");
      break;
    case "dom": case "aria":
      asked = d.type;
      for (const frame of inner.keys()) tellFrame(frame, asked);
      tree();
      break;
    case "show":
      if (at) { at.scrollIntoView({ block: "nearest" }); tell("hover", at); } else { show(undefined); clearOthers(); }
      break;
    case "pick": if (at) tell("pick", at); break;
    case "find": find(String(d.selector));
  }
}

function find(selector: string): void {
  let found: Element[] = [], problem = "";
  const cut = selector.indexOf(ENTER);
  try { found = describer.find(cut < 0 ? selector : selector.slice(0, cut)); } catch (e) { problem = String(e); }
  const frame = cut < 0 ? undefined : found.find((e): e is Nested => isNested(e) && inner.has(e));
  if (frame) { show(undefined); tellFrame(frame, "find", { selector: selector.slice(cut + ENTER.length) }); return; }
  if (cut >= 0) found = [];
  show(found[0]);
  say("found", { count: found.length, problem });
}

/** What a frame inside this page says; locators get the frame's before them. */
function pass(frame: Nested, d: Said): void {
  switch (d.type) {
    case "ready":
      inner.set(frame, { kind: "", lines: [] });
      if (asked) tellFrame(frame, asked);
      break;
    case "tree":
      inner.set(frame, { kind: String(d.kind), lines: Array.isArray(d.lines) ? d.lines : [] });
      if (d.kind === asked) tree();
      break;
    case "hover": case "pick": {
      const own = describer.describe(frame);
      show(undefined);
      clearOthers(frame);
      const outer = own.selectors[0] ?? own.css;
      say(d.type, { ...d, selectors: (d.selectors ?? []).map((s) => `${outer}${ENTER}${s}`), css: `${own.css}${ENTER}${d.css}` });
      break;
    }
    case "found": case "leave": say(d.type, { ...d });
  }
}

addEventListener("message", (m: MessageEvent<Said>) => {
  if (typeof m.data?.channel !== "string") return;
  if (m.source === parent) { hear(m.data); return; }
  if (channel === "" || m.data.channel !== channel) return;
  const frame = frames(document).find((f) => f.contentWindow === m.source);
  if (frame) pass(frame, m.data);
});

function frames(root: Document | ShadowRoot): Nested[] {
  return [...root.querySelectorAll("*")].flatMap((e) => [...(isNested(e) ? [e] : []), ...(e.shadowRoot ? frames(e.shadowRoot) : [])]);
}

const under = (e: Event): Element | undefined => e.composedPath().find((n): n is Element => n instanceof Element && n !== ring);

addEventListener("pointermove", (e) => { const on = under(e); if (on) tell("hover", on); }, true);
document.documentElement.addEventListener("pointerleave", () => show(undefined));
for (const kind of ["click", "mousedown", "mouseup", "pointerdown", "submit", "dblclick", "contextmenu"]) {
  addEventListener(kind, (e) => {
    e.preventDefault();
    e.stopPropagation();
    if (kind === "click") { const on = under(e); if (on) tell("pick", on); }
  }, true);
}
addEventListener("keydown", (e) => { e.preventDefault(); if (e.key === "Escape") say("leave"); }, true);
