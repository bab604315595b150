import { boxOf, isContentEditable, isDrawn, isElement, localName, nodeName, openRoot, parentOf, rootOf } from "../dom/native";
import { hideAll, isMasked, isSecret, type Secrets } from "../dom/secret";
import { type Snapshot } from "../dom/snapshot";
import { type Describer, type Target } from "../selector/describe";
import { contextOf } from "../heal/describe";
import { Finder } from "../selector/engine";
import { fullPath } from "../selector/path";
import { type Message, type Point, type Report } from "./report";

export interface StageOptions extends Secrets { snapshots: boolean }

// since is the event with which it began, described what is known of the target.
type Extra = Partial<Omit<Extract<Message, { op: "act" }>, "op" | "method" | "params" | "age" | "top">> & { since?: Event | undefined; described?: Target | undefined };

// Seen is what is known of the document by those who watch it.
export interface Seen {
  flat(fresh: boolean): boolean; // it has no shadow trees
  changes(): number; // how many were seen until now; NaN if nobody watches
}

interface Ear { f: (e: Event, n: EventTarget) => void; scripted: ((e: Event) => boolean) | undefined }

// Stage is what all kinds of input share: how to listen, and how to say that
// the user did something, before the page learns of it.
export class Stage {
  last: { node: Element | null; method: string; at: number } = { node: null, method: "", at: 0 };
  private ears = new Map<string, Ear[]>();
  private listeners: { type: string; hear: (e: Event) => void }[] = [];
  private roots = new Set<WeakRef<Node>>();

  constructor(readonly report: Report, private describer: Describer, private snapshot: (target: Element | null, again: boolean) => Snapshot | undefined, private seen: Seen, private closedRoot: (e: Element) => ShadowRoot | null, private o: StageOptions) {}

  // on hears events that people caused. Those inside of closed shadow trees are
  // heard there, where they name the element. All that hear one type share one
  // listener: each costs the page something.
  on<E extends Event>(type: string, f: (e: E, n: EventTarget) => void, scripted?: (e: Event) => boolean): void {
    const ear = { f: f as Ear["f"], scripted }, others = this.ears.get(type);
    if (others) { others.push(ear); return; }
    const ears = [ear];
    this.ears.set(type, ears);
    const hear = (e: Event): void => this.hear(e, ears);
    this.listeners.push({ type, hear });
    addEventListener(type, hear, { capture: true, passive: true });
  }

  private hear(e: Event, ears: Ear[]): void {
    const real = e.isTrusted;
    if (real) this.reacting(e);
    const heard = real ? ears : ears.filter(x => x.scripted?.(e));
    if (heard.length === 0) return;
    const n = originOf(e);
    if (!n || e.composed && (isElement(n) && this.closedRoot(n) || isOpen(e.currentTarget))) return; // heard further in, further out
    if (isElement(n) && nodeName(n) === "TRACEDECK-OVERLAY") return;
    for (const { f } of heard) {
      try { f(e, n); } catch (x) { setTimeout(() => { throw x; }); } // the others hear it all the same
    }
  }

  // settled says that a snapshot was taken since the last act.
  settled = true;
  private reacts = false;

  // reacting remembers for a moment that the page is being told of something
  // that people did: what its scripts do then is an answer to it. Text that is
  // told as changed because its field was left is not: drivers leave fields, too,
  // when they choose an option.
  private reacting(e: Event): void {
    if (this.reacts || !doings.test(e.type)) return;
    const n = originOf(e);
    if (e.type === "change" && isElement(n) && isTextual(n)) return;
    this.reacts = true;
    setTimeout(() => { this.reacts = false; });
  }

  // driven reports whether an event that a script made is a driver's doing:
  // drivers choose options and files that way. It answers nothing, and the page is there.
  driven(): boolean { return !this.reacts && document.readyState === "complete"; }

  // listen hears what happens in a shadow tree too.
  listen(root: Node): void {
    this.roots.add(new WeakRef(root));
    for (const l of this.listeners) root.addEventListener(l.type, l.hear, { capture: true, passive: true });
  }

  private context(n: Element): object {
    try { return contextOf(n, new Finder()); } catch { return {}; }
  }

  // forget hears nothing more: another stage does.
  forget(): void {
    for (const l of this.listeners.splice(0)) removeEventListener(l.type, l.hear, true);
  }

  // again is for documents that were opened anew, which forget their listeners.
  again(): void {
    for (const l of this.listeners) addEventListener(l.type, l.hear, { capture: true, passive: true });
    for (const r of this.roots) {
      const root = r.deref();
      if (!root) this.roots.delete(r);
      else for (const l of this.listeners) root.addEventListener(l.type, l.hear, { capture: true, passive: true });
    }
  }

  // act says that something begins, with a snapshot of the frame as it is now.
  act(e: Event, n: Element | null, method: string, params: Record<string, unknown> = {}, { since, described, ...extra }: Extra = {}): void {
    let earlier: Snapshot | undefined;
    if (this.o.snapshots && !this.settled && !(method === "dblclick" && this.last.method === "click" && this.last.node === n)) {
      try { earlier = this.snapshot(null, false); } catch { /* the act matters more */ }
    }
    const named = n && n !== document.documentElement && (nodeName(n) !== "BODY" || method === "click");
    const target = named ? described ?? this.describe(n, earlier !== undefined) : undefined;
    const m: Extract<Message, { op: "act" }> = { op: "act", method, params: { selector: target?.selector, ...params }, age: age(since ?? e), top: window === top, offset: frameOffset(), frame: frameIndex(), ...extra };
    if (target) m.target = this.o.snapshots || this.o.mask ? target : { ...target, ...this.context(n as Element) }; // snapshots show what it is in
    if (this.o.snapshots) {
      put(m, "earlier", earlier);
      try { put(m, "snapshot", this.snapshot(n, earlier !== undefined)); } catch { /* here too */ }
      this.settled = false;
    }
    this.last = { node: n, method, at: e.timeStamp };
    this.report(m);
  }

  note(e: Event, kind: string, more: Record<string, unknown> = {}): void { this.report({ op: "note", kind, age: age(e), ...more }); }

  selector(n: Element): string { return this.describe(n).selector; }

  private known: { node: Element; changes: number; target: Target } | undefined; // what was described last

  // described returns what was said of an element where nothing has changed since:
  // a key that is pressed in a field that was filled.
  private described(n: Element): Target | undefined {
    const k = this.known;
    if (k?.node !== n || k.changes !== this.seen.changes()) return undefined;
    const { x, y, width, height } = boxOf(n);
    return { ...k.target, box: { x, y, width, height } };
  }

  // describe describes an element, in short if something goes wrong. fresh says
  // that a snapshot was taken just now.
  describe(n: Element, fresh = false, without?: Element): Target {
    try {
      const known = without ? undefined : this.described(n);
      if (known) return known;
      const target = this.describer.describe(n, this.seen.flat(fresh) && rootOf(n) === document, without);
      if (!without) this.known = { node: n, changes: this.seen.changes(), target };
      return target;
    } catch {
      const css = fullPath(n), { x, y, width, height } = boxOf(n);
      return { selector: css, selectors: [css], tag: localName(n), attributes: {}, css, path: [css], xpath: "", box: { x, y, width, height } };
    }
  }

  // contains reports whether an element is around another, also by way of shadow hosts.
  contains(outer: Node, inner: Node): boolean {
    for (let n: Node | null = inner; n; n = parentOf(n)) if (n === outer) return true;
    return false;
  }

  // dragEnded is when a drag of the page's own ended.
  dragEnded = -Infinity;

  // dragged reports whether a click is the end of a drag.
  dragged(e: Event): boolean { return e.timeStamp - this.dragEnded < 50; }

  // answers reports whether the page is being told of something that people did.
  get answers(): boolean { return this.reacts; }

  isSecret(n: Element): boolean { return isSecret(n, this.o) || isMasked(n, this.o); }

  private unseen = new WeakMap<Element, boolean>();

  // typed reports whether a field only takes what is typed, for an editor that
  // shows it elsewhere.
  typed(n: Element): boolean {
    if (isDrawn(n)) return true;
    if (nodeName(n) !== "TEXTAREA") return false;
    let is = this.unseen.get(n);
    if (is === undefined) {
      const b = boxOf(n), style = getComputedStyle(n);
      this.unseen.set(n, is = b.width < 5 || b.height < 5 || b.right < 0 || b.bottom < 0 || style.opacity === "0" || boxOf(n.parentElement ?? n).height < 5);
    }
    return is;
  }

  // plain is what a field holds. It is not for others.
  plain(n: Element): string { return isContentEditable(n) || isDrawn(n) ? (n as HTMLElement).innerText : (n as HTMLInputElement).value; }

  // value is what a field holds, unreadable if nobody is to know.
  value(n: Element): string {
    const v = this.plain(n);
    return this.isSecret(n) ? hideAll(v) : v;
  }
}

function put<T, K extends keyof T>(to: T, key: K, value: T[K] | undefined): void { if (value !== undefined) to[key] = value; }

const doings = /^(click|auxclick|contextmenu|pointer(down|up)|mouse(down|up)|keydown|input|change|drop|submit|paste|cut)$/;

// originOf is the innermost node of an event that may be known. Only where the
// target hosts a tree of its own is it another one: to ask for the whole path
// costs more.
function originOf(e: Event): EventTarget | null {
  const n = e.target;
  return isElement(n) && openRoot(n) === null ? n : e.composedPath()[0] ?? n;
}

function isOpen(n: EventTarget | null): boolean { return n instanceof ShadowRoot && n.mode === "open"; }

// frameIndex says which frame this is: its number in its parent, from the page inwards.
function frameIndex(): number[] {
  const path: number[] = [];
  for (let w: Window = window; w !== top && path.length < 20; w = w.parent) {
    let i = 0;
    while (i < w.parent.length && w.parent[i] !== w) i++;
    path.unshift(i);
  }
  return path;
}

// frameOffset is where this frame begins in the page; frames of other sites do not know.
function frameOffset(): Point | undefined {
  let x = 0, y = 0;
  for (let w: Window = window; w !== top; w = w.parent) {
    let e: Element | null = null;
    try { e = w.frameElement; } catch { /* of another site */ }
    if (!e) return undefined;
    const b = boxOf(e);
    x += b.x + e.clientLeft;
    y += b.y + e.clientTop;
  }
  return { x, y };
}

export function age(e: Event): number { return Math.max(0, performance.now() - e.timeStamp); }

export function modifiers(e: KeyboardEvent | MouseEvent): string[] {
  return [e.altKey && "Alt", e.ctrlKey && "Control", e.metaKey && "Meta", e.shiftKey && "Shift"].filter(m => m !== false);
}

export function place(e: MouseEvent, n: Element): { point: Point; position: Point } {
  const b = boxOf(n);
  return { point: { x: e.clientX, y: e.clientY }, position: { x: Math.round(e.clientX - b.x), y: Math.round(e.clientY - b.y) } };
}

const untyped = new Set(["button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden"]);

// isTextual reports whether people write into the element.
export function isTextual(n: Element): boolean {
  return nodeName(n) === "TEXTAREA" || isContentEditable(n) || isDrawn(n) || n instanceof HTMLInputElement && !untyped.has(n.type);
}
