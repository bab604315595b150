// What the keys of a comparison do.

import { app } from "../model/app";
import { pan, zoom } from "../model/time";
import { copy } from "../ui/copy";
import { CPHASES, CTABS, MODES, type Comparison } from "./model";

function walk(c: Comparison, step: number): void {
  const shown = c.shown();
  if (shown.length === 0) return;
  const here = shown.indexOf(c.at);
  if (here >= 0) { c.select(shown[Math.max(0, Math.min(shown.length - 1, here + step))]); return; }
  const next = step > 0 ? shown.find((i) => i > c.at) ?? shown.at(-1)! : shown.findLast((i) => i < c.at) ?? shown[0];
  c.select(next);
}

function time(c: Comparison, change: "in" | "out" | "left" | "right"): void {
  const w = c.window, end = c.axis.end;
  const about = c.hover ?? (w.from + w.to) / 2;
  if (change === "in") c.look(zoom(w, 0.6, about, end));
  if (change === "out") c.look(zoom(w, 1 / 0.6, about, end));
  if (change === "left") c.look(pan(w, -0.25, end));
  if (change === "right") c.look(pan(w, 0.25, end));
}

function open(c: Comparison): void {
  if (document.activeElement instanceof HTMLButtonElement) { document.activeElement.click(); return; }
  c.leave();
}

export function performCompare(id: string): boolean {
  const c = app.comparison;
  if (!c) return false;
  const doing: Record<string, () => void> = {
    next: () => walk(c, 1), previous: () => walk(c, -1), first: () => c.select(c.shown()[0] ?? -1), last: () => c.select(c.shown().at(-1) ?? -1),
    divergence: () => { if (c.first >= 0) c.select(c.first); else app.say("The steps of both are the same"); }, nextChange: () => c.change(1), previousChange: () => c.change(-1),
    mode: () => c.set({ mode: MODES[(MODES.indexOf(c.mode) + 1) % MODES.length] }), left: () => c.set({ split: Math.max(0, c.split - 5) }), right: () => c.set({ split: Math.min(100, c.split + 5) }),
    region: () => c.set({ region: c.region + 1 }), axis: () => c.set({ wall: !c.wall, view: undefined }), swap: () => c.swap(),
    before: () => c.set({ phase: CPHASES[0] }), during: () => c.set({ phase: CPHASES[1] }), after: () => c.set({ phase: CPHASES[2] }), screenshot: () => c.set({ phase: CPHASES[3] }),
    in: () => time(c, "in"), out: () => time(c, "out"), panLeft: () => time(c, "left"), panRight: () => time(c, "right"), all: () => c.look(undefined),
    whole: () => c.set({ all: !c.all }), save: () => { if (!app.offline) app.set({ dialog: "save" }); },
    open: () => open(c), link: () => copy(`${location.origin}${location.pathname}${c.link()}`, "link to this comparison"),
  };
  const name = id.slice(2), tab = /^tab(\d)$/.exec(name);
  if (tab) { c.set({ tab: CTABS[Number(tab[1]) - 1] }); return true; }
  doing[name]?.();
  return name in doing;
}
