import { type Snapshot } from "../dom/snapshot";
import { type Target } from "../selector/describe";

// What the scripts tell the recorder, as JSON through a binding that only
// their world has. age is how many milliseconds ago it happened.

export interface Point { x: number; y: number }

export type Message =
  // The user begins something; method and params are those of Playwright's Frame.
  // earlier is how the act before left the page, if nobody has asked since.
  | { op: "act"; method: string; params: Record<string, unknown>; age: number; top: boolean; title?: string; target?: Target; point?: Point; offset?: Point | undefined; frame?: number[]; position?: Point; masked?: boolean; snapshot?: Snapshot; earlier?: Snapshot }
  // The field of the last act holds this now; the element scrolled to there.
  | { op: "value"; age: number; value?: string; position?: Point }
  // The last act is over.
  | { op: "done" }
  // Something that is no action by itself: focus, blur, submit, copy, cut, paste, resize, visibility.
  | { op: "note"; kind: string; age: number; [more: string]: unknown }
  // The person wants something of the recorder.
  | { op: "command"; name: "stop" | "group"; number?: number }
  // Something is left out for a while, so that the page stays usable.
  | { op: "throttled"; what: "snapshots"; dropped: number; took: number }
  | { op: "vitals"; url: string; [name: string]: unknown }
  | { op: "longtask"; duration: number; age: number };

export type Report = (m: Message) => void;

const waiting = 200; // messages that are kept until somebody listens

// Reporter sends messages through a binding. It may come later than the first
// message; whoever adds it calls flush.
export class Reporter {
  private backlog: string[] = [];

  constructor(private binding: string) {}

  send: Report = m => {
    if (this.backlog.length < waiting) this.backlog.push(JSON.stringify(m));
    this.flush();
  };

  flush(): void {
    const send = (globalThis as Record<string, unknown>)[this.binding];
    if (typeof send !== "function") return;
    for (let s = this.backlog.shift(); s !== undefined; s = this.backlog.shift()) (send as (s: string) => void)(s);
  }
}
