import assert from "node:assert/strict";
import { test } from "node:test";
import { render } from "preact";
import { useLayoutEffect } from "preact/hooks";

// As much of a document as drawing text in elements takes.
class Node {
  childNodes: Node[] = [];
  parentNode: Node | null = null;
  data = "";
  readonly attributes = [];
  readonly style = {};
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  readonly ownerDocument = globalThis.document;
  constructor(readonly nodeType: number, readonly localName: string) {}
  get firstChild(): Node | null { return this.childNodes[0] ?? null; }
  get nextSibling(): Node | null { const all = this.parentNode?.childNodes ?? []; return all[all.indexOf(this) + 1] ?? null; }
  get textContent(): string { return this.nodeType === 3 ? this.data : this.childNodes.map((n) => n.textContent).join(""); }
  insertBefore(n: Node, before: Node | null): Node {
    n.remove();
    n.parentNode = this;
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, n);
    return n;
  }
  appendChild(n: Node): Node { return this.insertBefore(n, null); }
  contains(n: Node): boolean { return n === this || this.childNodes.some((c) => c.contains(n)); }
  remove(): void {
    const at = this.parentNode?.childNodes.indexOf(this) ?? -1;
    if (at >= 0) this.parentNode!.childNodes.splice(at, 1);
    this.parentNode = null;
  }
  setAttribute(): void { /* nobody looks at it */ }
  removeAttribute(): void { /* nobody looks at it */ }
}

Object.assign(globalThis, {
  document: { createElement: (name: string) => new Node(1, name), createElementNS: (_: string, name: string) => new Node(1, name), createTextNode: (text: unknown) => Object.assign(new Node(3, "#text"), { data: String(text) }), hidden: false },
  location: { hash: "" },
  requestAnimationFrame: (f: (now: number) => void) => { f(0); return 0; }, // at once: before whoever is drawn after it listens
});

const drawn = (): Promise<void> => new Promise((done) => { setTimeout(done, 20); });

test("a panel misses no change that was told after it was drawn and before it listens", async () => {
  const { app } = await import("../model/app");
  const { useApp } = await import("./hooks");
  const Panel = (): preact.JSX.Element => <p>{useApp(() => [app.toast]).toast}</p>;
  const Whole = (): preact.JSX.Element => <p>{useApp().toast}</p>;
  const Early = (): null => { useLayoutEffect(() => app.set({ toast: "changed" }), []); return null; };
  const root = new Node(1, "main");
  app.toast = "before";
  render(<><Early /><Panel /><Whole /></>, root as unknown as Element);
  assert.equal(root.textContent, "beforebefore");
  await drawn();
  assert.equal(root.textContent, "changedchanged");
  app.set({ toast: "again" });
  await drawn();
  assert.equal(root.textContent, "againagain");
});

test("a panel is drawn again only for what it names", async () => {
  const { app } = await import("../model/app");
  const { useApp } = await import("./hooks");
  let times = 0;
  const Panel = (): preact.JSX.Element => { useApp(() => [app.filter]); times++; return <p>{app.filter}</p>; };
  const root = new Node(1, "main");
  render(<Panel />, root as unknown as Element);
  app.set({ toast: "another matter" });
  await drawn();
  assert.equal(times, 1);
  app.set({ filter: "click" });
  await drawn();
  assert.deepEqual([times, root.textContent], [2, "click"]);
});
