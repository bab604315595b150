import { glance, type Volatile } from "./attributes";
import { type Ledger } from "./known";
import { isConnected, matches, nodeName, openRoot, scrollLeft, scrollTop } from "./native";

// Elements whose state changes without a mutation. Before each snapshot they
// are looked at; those that changed are marked, so that all others need not
// even be visited.
export class Watched {
  private states = new Map<Element, { kind: Volatile; was: unknown }>();
  private scrolled = new Map<Element, string>();
  turns = 0; // how often something was found to be in another state, besides texts of fields
  private bare = new Set<Element>(); // could get a shadow root
  private undefined = new Map<string, Element>(); // custom elements that are not defined yet, one of a name

  constructor(private ledger: Ledger) {}

  reset(): void { this.states.clear(); this.scrolled.clear(); this.bare.clear(); this.undefined.clear(); }

  state(e: Element, kind: Volatile): void { this.states.set(e, { kind, was: glance(e, kind) }); }

  bareHost(e: Element): void { this.bare.add(e); }

  // hosts reports whether one of them has got a shadow root.
  hosts(): boolean {
    for (const e of this.bare) if (openRoot(e)) return true;
    return false;
  }

  waiting(name: string, e: Element): void { this.undefined.set(name, e); }

  // hasScrolled is told of scrolled elements by an event, or by who saw one.
  hasScrolled(e: Element): void { if (!this.scrolled.has(e)) { this.scrolled.set(e, ""); } }

  isVolatile(e: Element): boolean { return this.states.has(e); }

  // check marks what changed, and returns the pictures that may have.
  check(): Element[] {
    const live: Element[] = [];
    for (const [e, s] of this.states) {
      if (!isConnected(e)) { this.states.delete(e); continue; }
      if (s.kind === "canvas" || s.kind === "video") live.push(e);
      const now = glance(e, s.kind);
      if (now === s.was) continue;
      s.was = now;
      if (s.kind !== "field" || typeof now === "boolean") this.turns++;
      this.ledger.mark(e);
      if (s.kind === "select") for (const o of (e as HTMLSelectElement).options) this.ledger.mark(o);
    }
    this.checkScrolled();
    for (const e of this.bare) {
      if (!isConnected(e)) this.bare.delete(e);
      else if (openRoot(e)) { this.turns++; this.bare.delete(e); this.ledger.mark(e); }
    }
    for (const [name, e] of this.undefined) {
      if (!isConnected(e) || matches(e, ":defined")) { this.undefined.delete(name); this.ledger.mark(e); }
    }
    return live;
  }

  private checkScrolled(): void {
    for (const [e, was] of this.scrolled) {
      if (!isConnected(e)) { this.scrolled.delete(e); continue; }
      const now = scrollLeft(e) + "," + scrollTop(e);
      if (now !== was) { this.scrolled.set(e, now); this.ledger.mark(e); }
    }
  }

  // suspects are elements that may have a closed shadow root.
  suspects(most: number): Element[] {
    const list: Element[] = [];
    for (const e of this.bare) {
      if (list.length >= most) break;
      if (!this.asked.has(e) && !this.undefined.has(nodeName(e).toLowerCase())) { this.asked.add(e); list.push(e); }
    }
    return list;
  }
  private asked = new WeakSet<Element>();

  anySuspect(): boolean {
    for (const e of this.bare) if (!this.asked.has(e) && !this.undefined.has(nodeName(e).toLowerCase())) return true;
    return false;
  }
}
