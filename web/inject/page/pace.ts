import { type Snapshot } from "../dom/snapshot";
import { type Report } from "../input/report";

const long = 250; // ms that a snapshot may take, again and again
const share = 4; // times as long as the last took, the page is left alone

// Pace keeps a page usable that takes long to be looked at: where two snapshots
// in a row took long, the next ones are left out for a while, which is told.
export class Pace {
  private last = 0; // ms that the last one took
  private before = 0; // and the one before
  private over = -Infinity; // when it was over
  private skipped = 0;
  private said = -Infinity;

  constructor(private snapshot: (target: Element | null, again: boolean) => Snapshot, private report: Report) {}

  // take makes a snapshot, or leaves the page alone.
  take(target: Element | null, again = false): Snapshot | undefined {
    const slow = Math.min(this.last, this.before), now = performance.now();
    if (slow > long && now - this.over < share * slow) {
      this.skipped++;
      if (now - this.said > 1000) this.tell(slow, now);
      return undefined;
    }
    const s = this.snapshot(target, again);
    if (again) return s;
    this.before = this.last;
    this.last = s.took;
    this.over = performance.now();
    return s;
  }

  private tell(took: number, now: number): void {
    this.report({ op: "throttled", what: "snapshots", dropped: this.skipped, took });
    this.skipped = 0;
    this.said = now;
  }
}
