import { isContentEditable, isDrawn, isElement } from "../dom/native";
import { hideAll } from "../dom/secret";
import { stepped } from "./keyboard";
import { age, isTextual, type Stage } from "./stage";

// watchFields reports text that is written, options that are chosen and files
// that are given. The letters of a text are one act, which goes on as long as
// the user stays in the field.
export function watchFields(s: Stage): void {
  let field: Element | undefined;
  const told = new WeakMap<Element, string>(); // what was written
  const type = new Typing(s);
  const fill = (e: Event, n: Element): void => {
    told.set(n, s.plain(n));
    if (field === n && s.last.method === "fill" && s.last.node === n) { s.report({ op: "value", value: s.value(n), age: age(e) }); return; }
    field = n;
    s.act(e, n, "fill", { value: s.value(n) }, { masked: s.isSecret(n) });
  };
  s.on("input", (e, n) => {
    if (!isElement(n) || !isTextual(n)) return;
    if (s.typed(n)) type.hear(e as InputEvent, n);
    else fill(e, editable(n));
  });
  // Where pages draw the text themselves, no input follows.
  s.on<InputEvent>("beforeinput", (e, n) => { if (isDrawn(n)) type.hear(e, n as Element); });
  watchTaken(s, editable, (e, n) => { if (told.get(n) !== s.plain(n)) fill(e, n); });
  s.on("change", (e, n) => {
    if (!isElement(n)) return;
    if (n instanceof HTMLSelectElement) s.act(e, n, "selectOption", { options: Array.from(n.selectedOptions, o => s.isSecret(n) ? { index: o.index } : { valueOrLabel: o.value }) });
    else if (n instanceof HTMLInputElement && n.type === "file") {
      s.act(e, n, "setInputFiles", { localPaths: Array.from(n.files ?? [], f => f.name), _files: Array.from(n.files ?? [], f => ({ name: f.name, type: f.type, size: f.size })) });
    } else if (field === n && s.last.node === n) {
      if (steps(n)) return; // more may come
      field = undefined;
      s.report({ op: "done" });
    }
    else if (isTextual(n) && !s.typed(n) && told.get(n) !== s.plain(n) && !(e.isTrusted && told.has(n))) fill(e, n); // without letters; what a script made of them is none
  }, e => chosen(e, s));
}

// set are the fields whose value drivers set instead of writing it.
const set = new Set(["file", "color", "date", "datetime-local", "month", "range", "time", "week"]);

// steps reports whether keys change a field bit by bit, each time for good.
function steps(n: Element): boolean { return n instanceof HTMLInputElement && stepped.has(n.type); }

// chosen reports whether a driver chose options, files or a date.
function chosen(e: Event, s: Stage): boolean {
  const n = e.composedPath()[0];
  return (n instanceof HTMLSelectElement || n instanceof HTMLInputElement && set.has(n.type)) && s.driven();
}

// editable is the outermost element of a text that is being edited.
function editable(n: Element): Element {
  if (!isContentEditable(n)) return n;
  while (n.parentElement && isContentEditable(n.parentElement)) n = n.parentElement;
  return n;
}

// watchTaken hears letters that a page takes for itself, such as fields with a
// pattern, dates of several parts and editors: written is called where the text
// is another then, and what changes nothing is told as a key.
function watchTaken(s: Stage, rootOf: (n: Element) => Element, written: (e: Event, n: Element) => void): void {
  const held = (n: Element): string => (isContentEditable(n) ? n.textContent : (n as HTMLInputElement).value) ?? "";
  const hear = (e: Event, n: EventTarget, key: string): void => {
    if (!isElement(n) || !isTextual(n) || s.typed(n)) return;
    const root = rootOf(n), before = held(root), done = (last: boolean): void => {
      if (!e.defaultPrevented) return;
      if (held(root) !== before) written(e, root);
      else if (!last) setTimeout(() => done(true), 50);
      else if ([...key].length === 1 && !s.isSecret(n)) s.act(e, n, "press", { key });
    };
    setTimeout(() => done(false));
  };
  const letter = (e: KeyboardEvent): boolean => e.key.length === 1 && !e.isComposing && (!e.ctrlKey && !e.metaKey && !e.altKey || e.getModifierState("AltGraph")) || e.key === "Backspace" || e.key === "Delete";
  for (const type of ["keydown", "keypress"]) s.on<KeyboardEvent>(type, (e, n) => { if (letter(e)) hear(e, n, e.key); });
  s.on<InputEvent>("beforeinput", (e, n) => { if (!e.isComposing && !/^history/.test(e.inputType)) hear(e, n, e.inputType === "insertText" ? e.data ?? "" : ""); });
}

// Typing reports what is written into editors that draw their text themselves.
// Their field holds what suits them, which says little.
class Typing {
  private text = "";

  constructor(private s: Stage) {}

  hear(e: InputEvent, n: Element): void {
    const data = /^insert(Text|CompositionText|FromComposition)$/.test(e.inputType) ? e.data ?? "" : "";
    if (!data || e.isComposing) return;
    const s = this.s, goes = s.last.method === "type" && s.last.node === n;
    this.text = goes ? this.text + data : data;
    if (goes) s.report({ op: "value", value: s.isSecret(n) ? hideAll(this.text) : this.text, age: age(e) });
    else s.act(e, n, "type", { text: s.isSecret(n) ? hideAll(this.text) : this.text }, { masked: s.isSecret(n) });
  }
}
