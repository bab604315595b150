import { isConnected, parentOf } from "./native";

// What is remembered of a node, at the node, where the page cannot see it.

export type Attributes = Record<string, string>;

export class Known {
  at = -1; // number of the snapshot in which the node was written out last
  index = -1; // and its place there
  dirty = true; // attributes or state may have changed
  kids = true; // children came, went or moved
  below = true; // something inside may have changed
  lost = false; // was out of the document, where changes are not seen
  masked = false;
  attributes: Attributes | undefined;
  text: string | undefined; // of a text node or style sheet, as it was written
  constructor(readonly epoch: number) {}

  // placed is for what a snapshot has and the document has not.
  static placed(at: number, index: number, text = ""): Known {
    const k = new Known(0);
    k.at = at; k.index = index; k.text = text;
    return k;
  }
}

const key = Symbol("tracedeck");
type Keyed = { [key]?: Known };

// Ledger holds what is known of nodes since the last reset.
export class Ledger {
  private epoch = 0;

  reset(): void { this.epoch++; }

  of(n: object): Known | undefined {
    const k = (n as Keyed)[key];
    return k && k.epoch === this.epoch ? k : undefined;
  }

  make(n: object): Known { return (n as Keyed)[key] = new Known(this.epoch); }

  // mark says that a node has to be looked at again.
  mark(n: Node, kids = false): void {
    const k = this.of(n);
    if (!k) return;
    k.dirty = true;
    if (kids) k.kids = true;
    this.climb(n);
  }

  private climb(n: Node): void {
    for (let p = parentOf(n); p; p = parentOf(p)) {
      const k = this.of(p);
      if (!k || k.below) return;
      k.below = true;
    }
  }

  // changed takes in what an observer saw.
  changed(records: MutationRecord[]): void {
    const removed = new Set<Node>();
    for (const r of records) {
      this.mark(r.target, r.type === "childList");
      for (const n of r.removedNodes) {
        removed.add(n);
        if (!isConnected(n)) this.lose(n);
      }
      // Who comes without having gone was inside of something that had gone.
      for (const n of r.addedNodes) {
        if (!removed.has(n)) this.lose(n);
        this.mark(n); // some states go when an element moves
      }
    }
  }

  private lose(n: Node): void {
    const k = this.of(n);
    if (k) k.lost = true;
  }
}
