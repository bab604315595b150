import { type Report } from "../input/report";

// The small box by which a person sees and ends a recording. It hides in a
// closed shadow tree, and snapshots and selectors leave its element out.

const sheet = `:host{all:initial!important;position:fixed!important;inset:auto 12px 12px auto!important;margin:0!important;border:0!important;padding:0!important;background:none!important;overflow:visible!important}
div{display:flex;gap:8px;align-items:center;font:13px/1.4 system-ui,sans-serif;color:#fff;background:#1d2129;border-radius:8px;padding:6px 6px 6px 12px;box-shadow:0 2px 10px #0006;opacity:.92}
i{width:9px;height:9px;border-radius:50%;background:#f5484d}b{font-weight:600}button{all:unset;cursor:pointer;background:#3a4150;border-radius:5px;padding:3px 10px}button:hover{background:#4d566a}button:focus-visible{outline:2px solid #7ab7ff}`;

export class Overlay {
  private host = document.createElement("tracedeck-overlay");
  private box = document.createElement("div");
  private count = document.createElement("span");
  private group = document.createElement("b");

  constructor(report: Report) {
    const root = this.host.attachShadow({ mode: "closed" }), style = new CSSStyleSheet(), stop = document.createElement("button");
    style.replaceSync(sheet);
    root.adoptedStyleSheets = [style];
    this.count.textContent = "recording";
    stop.textContent = "Stop";
    stop.addEventListener("click", e => { if (e.isTrusted) report({ op: "command", name: "stop" }); });
    this.box.append(document.createElement("i"), this.count, this.group, stop);
    root.append(this.box);
    this.host.setAttribute("popover", "manual"); // above all others
    this.place();
    document.addEventListener("DOMContentLoaded", () => this.place());
  }

  // show says how many events there are, and the group that is open.
  show(events: number, group: string): void {
    this.count.textContent = events === 1 ? "1 event" : `${events} events`;
    this.group.textContent = group;
    this.place();
  }

  // hide is for the moment of a picture, in which it can still be clicked.
  hide(yes: boolean): void { this.box.style.opacity = yes ? "0" : ""; }

  private place(): void {
    if (!document.documentElement || document.contentType !== "text/html") return;
    if (!this.host.isConnected) document.documentElement.append(this.host);
    try { if (!this.host.matches(":popover-open")) this.host.showPopover(); } catch { /* it lies below then */ }
  }
}

// groupKey returns the number of the group that a key means: Alt, Shift and a digit.
export function groupKey(e: KeyboardEvent): number {
  const digit = /^(?:Digit|Numpad)([0-9])$/.exec(e.code);
  return digit && e.altKey && e.shiftKey && !e.ctrlKey && !e.metaKey ? Number(digit[1]) : -1;
}
