import { type Snapshot } from "../dom/snapshot";
import { type Target } from "../selector/describe";

// What the scripts tell the recorder, as JSON through a binding that only
// their world has: lists of messages. age is how many milliseconds ago it happened,
// and sent when it was told, in milliseconds since 1970 by the page's clock.

export interface Point { x: number; y: number }

export type Message =
  // The user begins something; method and params are those of Playwright's Frame.
  // earlier is how the act before left the page, if nobody has asked since.
  | { op: "act"; method: string; class?: string; params: Record<string, unknown>; age: number; top: boolean; title?: string; target?: Target; point?: Point; offset?: Point | undefined; frame?: number[]; position?: Point; masked?: boolean; snapshot?: Snapshot; earlier?: Snapshot }
  // The field of the last act holds this now; the element scrolled to there.
  | { op: "value"; age: number; value?: string; position?: Point }
  // It may be the first click of several.
  | { op: "again" }
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
const patience = 60; // ms that a message waits which nobody is in a hurry for

// patient are those that no event of the browser depends on.
const patient = new Set(["note", "value", "longtask", "vitals"]);

// Reporter sends messages through a binding. It may come later than the first
// message; whoever adds it calls flush. A call costs the page as much as many
// messages do, so some wait for others.
export class Reporter {
  private backlog: { m: Message; at: number }[] = [];
  private due: ReturnType<typeof setTimeout> | undefined;

  constructor(private binding: string) {}

  send: Report = m => {
    const last = this.backlog[this.backlog.length - 1];
    if (m.op === "value" && last?.m.op === "value") this.backlog.pop(); // it says the same, later
    if (this.backlog.length < waiting) this.backlog.push({ m, at: performance.now() });
    if (patient.has(m.op)) this.due ??= setTimeout(this.flush, patience);
    else this.flush();
  };

  flush = (): void => {
    clearTimeout(this.due);
    this.due = undefined;
    const send = (globalThis as Record<string, unknown>)[this.binding];
    if (typeof send !== "function" || this.backlog.length === 0) return;
    const now = performance.now(), list = this.backlog;
    this.backlog = [];
    for (const { m, at } of list) if ("age" in m && typeof m.age === "number") m.age += now - at;
    (send as (s: string) => void)(JSON.stringify(list.map(({ m }) => "age" in m ? { ...m, sent: performance.timeOrigin + now } : m)));
  };
}
