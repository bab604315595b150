import { addState, mayHost, volatileOf, written } from "./attributes";
import { Known, Ledger, type Attributes } from "./known";
import { adoptedOf, attribute, baseURI, doctypeOf, documentElement, firstChild, hostOf, isConnected, isElement, localName, matches, nextSibling, nodeName, nodeType, openRoot, parentNode, query, sheetsOf, textContent } from "./native";
import { Pixels, type Picture } from "./pixels";
import { hide, startsMask, type Secrets } from "./secret";
import { sheetText, Sheets } from "./sheets";
import { Watched } from "./volatile";

// The DOM of this frame as an array of nodes. What is as it was in an earlier
// snapshot is a reference [[age, index]] to it: nodes are counted from 0 behind
// their children, references are not counted. Only what an observer saw change,
// or what changed its state, is visited.

export type Reference = [[number, number]];
export type Tree = string | Reference | [string, ...unknown[]];

export interface Snapshot {
  html: Tree;
  doctype: string | undefined;
  url: string;
  width: number;
  height: number;
  wall: number; // ms since 1970 by the page's clock
  took: number; // ms
  overrides: { url: string; text: string }[]; // linked style sheets that scripts changed
  suspects: boolean; // some are to be asked for
  pictures: Picture[]; // of canvases and videos, which attributes name
}

export interface SnapshotOptions extends Secrets { canvas: boolean }

interface Pass { index: number; now: number; target: Element | null; fresh: number; masked: boolean; all: boolean }

const skipped = new Set(["SCRIPT", "NOSCRIPT", "BASE", "TRACEDECK-OVERLAY", "script"]);
const observed: MutationObserverInit = { attributes: true, childList: true, characterData: true, subtree: true };

export class Snapshotter {
  private ledger = new Ledger();
  private watched = new Watched(this.ledger);
  private sheets = new Sheets();
  private pixels = new Pixels();
  private observer = new MutationObserver(records => this.saw(records));
  private watching = new WeakSet<Node>(); // roots that are observed
  private roots = new Set<ShadowRoot>(); // met in the last visit of their hosts
  private closed = new WeakMap<Element, ShadowRoot>();
  private frames = new WeakMap<Element, string>();
  private versions = new WeakMap<CSSStyleSheet, number>();
  private adoptions = new WeakMap<Node, CSSStyleSheet[]>();
  private overrides = new Map<CSSStyleSheet, { url: string; text: string }>();
  private defined = new Set<string>();
  private bases = new WeakMap<Element, Known>();
  private adopted = new WeakMap<CSSStyleSheet, Known>();
  private attributesMoved = false;
  private grown = false; // nodes came since the last snapshot
  private seen = 0;
  private count = 0;

  constructor(private o: SnapshotOptions) {}

  // take makes a snapshot. What goes wrong makes the next one whole. again says
  // that nobody else has run since the last one, so nothing has changed.
  take(target: Element | null = null, again = false): Snapshot {
    const began = performance.now();
    try {
      if (again) this.pixels.begin(0);
      else this.prepare();
      if (target) this.ledger.mark(target);
      const pass: Pass = { index: 0, now: this.count, target, fresh: 0, masked: false, all: this.o.mask !== "" && this.attributesMoved };
      const root = documentElement(document);
      const html: Tree = root ? this.element(root, pass) : ["HTML"];
      this.count++;
      this.attributesMoved = this.grown = false;
      if (target) this.ledger.mark(target); // next time it is none
      return { html, doctype: doctypeOf(document)?.name, url: location.href, width: innerWidth, height: innerHeight, wall: Date.now(),
        took: performance.now() - began, overrides: [...this.overrides.values()], suspects: this.watched.anySuspect(), pictures: this.pixels.pictures };
    } catch (e) {
      this.reset();
      throw e;
    }
  }

  // reset makes the next snapshot a whole one.
  reset(): void {
    this.ledger.reset();
    this.watched.reset();
    this.pixels.reset();
    this.roots.clear();
    this.bases = new WeakMap();
    this.adopted = new WeakMap();
    this.adoptions = new WeakMap();
    this.overrides.clear();
    this.count = 0;
  }

  // frame says which frame an element shows.
  frame(e: Element, id: string): void { this.frames.set(e, id); this.ledger.mark(e); }

  // shadow hands over a closed shadow root, which scripts cannot reach by themselves.
  shadow(root: ShadowRoot): void { this.grown = true; this.closed.set(hostOf(root), root); this.ledger.mark(hostOf(root)); }

  // suspects are elements that may have a closed shadow root; each is told once.
  // Before the first snapshot the document is looked through for custom elements.
  suspects(most = 100): Element[] {
    if (this.count === 0) {
      for (const e of query(document, ":defined")) if (localName(e).includes("-") && !openRoot(e)) this.watched.bareHost(e);
    }
    return this.watched.suspects(most);
  }

  // shadowOf returns an element's shadow root, also a closed one that is known.
  shadowOf(e: Element): ShadowRoot | null { return openRoot(e) ?? this.closed.get(e) ?? null; }

  // scrolled is called for scroll events.
  scrolled(e: Element): void { this.watched.hasScrolled(e); }

  // flat reports that the document had no shadow trees in the last snapshot, and,
  // unless that was just now, that none have come since.
  flat(fresh: boolean): boolean {
    if (this.count === 0 || this.roots.size > 0) return false;
    if (fresh) return true;
    this.saw(this.observer.takeRecords());
    return !this.grown && !this.watched.hosts();
  }

  // changes counts what was seen to change, besides what is written into fields
  // and where things are scrolled to. It is NaN while nobody watches.
  changes(): number {
    if (this.count === 0) return NaN;
    this.saw(this.observer.takeRecords());
    return this.seen + this.watched.turns;
  }

  // listen is set by who wants to hear of each shadow root that is found.
  listen: (root: Node) => void = () => {};

  private saw(records: MutationRecord[]): void {
    if (records.length === 0) return;
    this.seen++;
    this.grown ||= records.some(r => r.addedNodes.length > 0);
    this.ledger.changed(records);
    if (this.o.mask) this.attributesMoved ||= records.some(r => r.type === "attributes");
  }

  private prepare(): void {
    this.observe(document);
    this.saw(this.observer.takeRecords());
    this.sheets.begin();
    this.pixels.begin(40);
    for (const e of this.watched.check()) {
      const k = this.ledger.of(e);
      if (k && !k.masked && this.pictureOf(e) !== (k.attributes?.["__tracedeck_picture_"] ?? "")) this.ledger.mark(e);
    }
    this.checkSheets(document);
    for (const root of this.roots) {
      if (isConnected(root)) this.checkSheets(root);
      else this.roots.delete(root);
    }
    for (const sheet of this.overrides.keys()) if (!sheet.ownerNode || !isConnected(sheet.ownerNode)) this.overrides.delete(sheet);
  }

  private observe(root: Node): void {
    if (this.watching.has(root)) return;
    this.watching.add(root);
    this.observer.observe(root, observed);
    this.listen(root);
  }

  private checkSheets(root: Document | ShadowRoot): void {
    for (const sheet of sheetsOf(root)) {
      const turned = this.turned(sheet), owner = sheet.ownerNode;
      if (owner instanceof HTMLStyleElement && turned) this.ledger.mark(owner);
      else if (owner instanceof HTMLLinkElement && this.sheets.isChanged(sheet) && (turned || !this.overrides.has(sheet))) this.overrides.set(sheet, { url: owner.href.replace(/#.*/, ""), text: sheetText(sheet) });
    }
    const now = adoptedOf(root), before = this.adoptions.get(root) ?? [];
    let changed = now.length !== before.length;
    for (let i = 0; i < now.length; i++) {
      // One that turned in another root has lost its place already.
      if (this.turned(now[i]) || now[i] !== before[i] || !this.adopted.has(now[i])) changed = true;
    }
    if (!changed) return;
    this.adoptions.set(root, Array.from(now));
    this.ledger.mark(root instanceof Document ? documentElement(root) ?? root : root, true);
  }

  // turned reports whether a sheet changed since the last snapshot.
  private turned(sheet: CSSStyleSheet): boolean {
    const version = this.sheets.version(sheet);
    this.sheets.learn(sheet);
    const before = this.versions.get(sheet);
    this.versions.set(sheet, version);
    if (before === version) return false;
    this.seen++; // otherwise also one that is new: a style element that moves gets another
    this.adopted.delete(sheet);
    return true;
  }

  private pictureOf(e: Element): string {
    return this.o.canvas && (e instanceof HTMLCanvasElement || e instanceof HTMLVideoElement && e.readyState >= 2) ? this.pixels.of(e) : "";
  }

  // element returns an element written out, or a reference to it.
  private element(e: Element, pass: Pass): Tree {
    const was = pass.masked;
    let k = this.ledger.of(e);
    const lost = !!k?.lost, mask = was || startsMask(e, this.o);
    if (!k || lost || pass.fresh || k.masked !== mask) k = this.ledger.make(e);
    if (k.at >= 0 && !k.dirty && !k.below && !pass.all) return reference(k, pass);
    const name = nodeName(e);
    k.masked = pass.masked = mask;
    if (lost) pass.fresh++;
    const changed = k.dirty ? this.renew(e, name, k, pass) : false;
    const before = pass.index, css = name === "STYLE" ? this.styleText(e as HTMLStyleElement, k) : undefined;
    const kids: Tree[] = css === undefined ? this.inside(e, name, pass) : [];
    if (name === "BODY") this.nameCustom(k);
    if (lost) pass.fresh--;
    pass.masked = was;
    const same = k.at >= 0 && !changed && !(k.kids && css === undefined) && pass.index === before && (css === undefined || css === k.text);
    k.dirty = k.kids = k.below = false;
    if (same) return reference(k, pass);
    if (css !== undefined) { k.text = css; pass.index++; kids.push(css); }
    k.at = pass.now;
    k.index = pass.index++;
    const attributes = k.attributes as Attributes;
    for (const _ in attributes) return [name, attributes, ...kids];
    return kids.length > 0 ? [name, {}, ...kids] : [name];
  }

  // renew looks at what the element says of itself, and reports whether it changed.
  private renew(e: Element, name: string, k: Known, pass: Pass): boolean {
    const out = written(e, name, pass.masked, this.o), before = k.attributes;
    const scrolled = addState(out, e, name, pass.masked, this.o);
    if (e === pass.target) out["__playwright_target__"] = "";
    if (name === "IFRAME" || name === "FRAME") { const id = this.frames.get(e); out["src"] = id ? "/snapshot/" + id : ""; }
    const picture = pass.masked ? "" : this.pictureOf(e);
    if (picture) out["__tracedeck_picture_"] = picture;
    if (name === "BODY" && this.defined.size) out["__playwright_custom_elements__"] = [...this.defined].join(",");
    this.watch(e, name, k, scrolled);
    k.attributes = out;
    return k.at < 0 || !before || !equal(before, out);
  }

  private watch(e: Element, name: string, k: Known, scrolled: boolean): void {
    if (scrolled) this.watched.hasScrolled(e);
    const kind = volatileOf(e, name);
    if (kind && (k.at < 0 || !this.watched.isVolatile(e))) this.watched.state(e, kind);
    if (!this.shadowOf(e) && mayHost(e, name, firstChild(e) === null)) this.watched.bareHost(e);
    if (!name.includes("-")) return;
    if (matches(e, ":defined")) this.defined.add(localName(e));
    else this.watched.waiting(localName(e), e);
  }

  // nameCustom puts the names of custom elements onto the body, which is there
  // when all of them have been met.
  private nameCustom(k: Known): void {
    const names = [...this.defined].join(",");
    if (!names || k.attributes?.["__playwright_custom_elements__"] === names) return;
    k.attributes = Object.assign(Object.create(null), k.attributes, { __playwright_custom_elements__: names });
    k.kids = true;
  }

  private styleText(e: HTMLStyleElement, k: Known): string {
    const source = textContent(e) || "", sheet = e.sheet;
    if (k.masked || !sheet) return source;
    this.turned(sheet);
    return this.sheets.isChanged(sheet) ? sheetText(sheet) : source;
  }

  private inside(e: Element, name: string, pass: Pass): Tree[] {
    const out: Tree[] = [];
    if (name === "HEAD") out.push(this.base(e, pass));
    const root = this.shadowOf(e);
    if (root) out.push(this.shadowTree(root, pass));
    this.nodes(e, out, pass);
    if (e === documentElement(document)) this.adoptedBy(document, out, pass);
    return out;
  }

  private nodes(parent: Node, out: Tree[], pass: Pass): void {
    for (let n = firstChild(parent); n; n = nextSibling(n)) {
      const type = nodeType(n);
      if (type === Node.TEXT_NODE || type === Node.CDATA_SECTION_NODE) out.push(this.words(n as Text, pass));
      else if (type === Node.ELEMENT_NODE && !leftOut(n as Element)) out.push(this.element(n as Element, pass));
    }
  }

  private words(n: Text, pass: Pass): Tree {
    const text = pass.masked ? hide(n.data) : n.data;
    let k = this.ledger.of(n);
    if (k && k.text === text && !pass.fresh) return reference(k, pass);
    k = this.ledger.make(n);
    k.text = text; k.at = pass.now; k.index = pass.index++;
    return text;
  }

  // base gives the addresses of the snapshot what they are relative to.
  private base(head: Element, pass: Pass): Tree {
    const href = baseURI(document), before = this.bases.get(head);
    if (before && before.text === href) return reference(before, pass);
    this.bases.set(head, Known.placed(pass.now, pass.index++, href));
    return ["BASE", { href }];
  }

  private shadowTree(root: ShadowRoot, pass: Pass): Tree {
    this.observe(root);
    if (!this.roots.has(root)) { this.roots.add(root); this.checkSheets(root); }
    let k = this.ledger.of(root);
    if (!k || pass.fresh || k.masked !== pass.masked) k = this.ledger.make(root);
    if (k.at >= 0 && !k.dirty && !k.below && !pass.all) return reference(k, pass);
    k.masked = pass.masked;
    const before = pass.index, kids: Tree[] = [];
    this.nodes(root, kids, pass);
    this.adoptedBy(root, kids, pass);
    const same = k.at >= 0 && !k.kids && pass.index === before;
    k.dirty = k.kids = k.below = false;
    if (same) return reference(k, pass);
    k.at = pass.now; k.index = pass.index++;
    return ["template", { __playwright_shadow_root_: "open" }, ...kids];
  }

  private adoptedBy(root: Document | ShadowRoot, out: Tree[], pass: Pass): void {
    for (const sheet of Array.from(adoptedOf(root))) {
      const k = this.adopted.get(sheet);
      if (k) { out.push(reference(k, pass)); continue; }
      this.adopted.set(sheet, Known.placed(pass.now, pass.index++));
      out.push(["template", { __playwright_style_sheet_: sheetText(sheet) }]);
    }
  }
}

function reference(k: Known, pass: Pass): Reference { return [[pass.now - k.at, k.index]]; }

function equal(a: Attributes, b: Attributes): boolean {
  let n = 0;
  for (const name in a) { if (a[name] !== b[name]) return false; n++; }
  for (const _ in b) n--;
  return n === 0;
}

// leftOut are elements that do something to a document instead of showing something.
function leftOut(e: Element): boolean {
  const name = nodeName(e);
  if (skipped.has(name)) return true;
  if (name === "LINK") return /\b(preload|modulepreload|prefetch|preconnect|dns-prefetch|prerender)\b/i.test(attribute(e, "rel") ?? "");
  if (name === "META") return /^\s*(content-security-policy(-report-only)?|refresh|set-cookie)\s*$/i.test(attribute(e, "http-equiv") ?? "");
  const parent = parentNode(e);
  return (name === "IFRAME" || name === "FRAME") && isElement(parent) && nodeName(parent) === "HEAD";
}
