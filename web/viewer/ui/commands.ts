// What each command of the key table does.

import { app, PHASES, TABS } from "../model/app";
import { asText } from "../model/astext";
import { performCompare } from "../compare/commands";
import { performStart } from "../start/commands";
import { command } from "../model/keys";
import { pan, zoom } from "../model/time";
import { copyHere } from "./topbar";
import { flatNow } from "./tree";

function walk(step: number | "first" | "last"): void {
  const flat = flatNow();
  if (!flat || flat.rows.length === 0) return;
  const here = flat.at(app.selected), at = here >= 0 ? here : step === -1 ? flat.rows.length : -1;
  const to = step === "first" ? 0 : step === "last" ? flat.rows.length - 1 : Math.max(0, Math.min(flat.rows.length - 1, at + step));
  app.select(flat.rows[to]);
}

function error(step: number): void {
  const d = app.derived;
  if (!d || d.failures.length === 0) { app.say("No step failed"); return; }
  const start = d.t.actions.col("start");
  const here = app.selected >= 0 ? start.at(app.selected) : -1;
  const list = step > 0 ? d.failures : [...d.failures].reverse();
  const next = list.find((r) => r !== app.selected && (step > 0 ? start.at(r) > here || start.at(r) === here && r > app.selected : start.at(r) < here || start.at(r) === here && r < app.selected)) ?? list[0];
  app.select(next);
  app.openTab("errors");
}

function fold(open: boolean): void {
  const d = app.derived, row = app.selected;
  if (!d || row < 0) return;
  if (open && d.tree.hasShown(row, app.shown)) { if (app.isExpanded(row)) walk(1); else app.toggle(row); return; }
  if (open) return;
  if (d.tree.hasShown(row, app.shown) && app.isExpanded(row)) { app.toggle(row); return; }
  const parent = d.t.num(d.t.actions, "parent", row);
  if (parent >= 0) app.select(parent);
}

const REGIONS = ["timeline", "steps", "page", "details"]; // of a trace and of a comparison alike

function region(step: number): void {
  const at = REGIONS.findIndex((id) => document.getElementById(id)?.contains(document.activeElement));
  const next = document.getElementById(REGIONS[(at + step + REGIONS.length) % REGIONS.length]);
  next?.querySelector<HTMLElement>('[role="tree"], [role="application"], [aria-selected="true"], [tabindex="0"], button, input')?.focus();
}

function escape(): void {
  if (app.dialog) app.set({ dialog: "" });
  else if (app.comparison && !(document.activeElement instanceof HTMLInputElement)) app.comparison.leave();
  else if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
  else if (app.inspecting) app.set({ inspecting: false });
  else if (app.range) app.setRange(undefined);
  else if (app.filter || app.pill !== "all") app.set({ filter: "", pill: "all" });
  else if (app.request >= 0 || app.message >= 0) app.set({ request: -1, message: -1 });
}

function time(change: "in" | "out" | "left" | "right"): void {
  const end = app.trace?.end ?? 1000, w = app.window;
  const t = app.trace, sel = app.selected;
  const middle = t && sel >= 0 ? (t.num(t.actions, "start", sel) + t.actionEnd(sel)) / 2 : NaN;
  const about = app.cursor ?? (middle >= w.from && middle <= w.to ? middle : (w.from + w.to) / 2);
  if (change === "in") app.look(zoom(w, 0.6, about, end));
  if (change === "out") app.look(zoom(w, 1 / 0.6, about, end));
  if (change === "left") app.look(pan(w, -0.25, end));
  if (change === "right") app.look(pan(w, 0.25, end));
}

/** Lets the range begin at the selected step, or end with it. */
function edge(of: "from" | "to"): void {
  const t = app.trace, row = app.selected;
  if (!t || row < 0) return;
  const from = t.num(t.actions, "start", row), to = t.actionEnd(row), old = app.range;
  if (of === "from") app.setRange({ from, to: old && old.to > from ? old.to : t.end });
  else app.setRange({ from: old && old.from < to ? old.from : 0, to });
}

/** Does what a command says; false if there is none of that name. */
export function perform(id: string): boolean {
  if (id.startsWith("s-")) return performStart(id);
  if (id.startsWith("c-")) return performCompare(id);
  const tab = /^tab(\d+)$/.exec(id);
  if (tab) { app.openTab(TABS[Number(tab[1]) - 1]); return true; }
  const doing: Record<string, () => void> = {
    next: () => walk(1), previous: () => walk(-1), first: () => walk("first"), last: () => walk("last"),
    expand: () => fold(true), collapse: () => fold(false), nextError: () => error(1), previousError: () => error(-1),
    protocol: () => app.set({ shown: { ...app.shown, protocol: !app.shown.protocol } }), hidden: () => app.set({ shown: { ...app.shown, hidden: !app.shown.hidden } }),
    before: () => app.openPhase(PHASES[0]), during: () => app.openPhase(PHASES[1]), after: () => app.openPhase(PHASES[2]), screenshot: () => app.openPhase(PHASES[3]), aria: () => app.openPhase(PHASES[4]),
    zoomIn: () => time("in"), zoomOut: () => time("out"), panLeft: () => time("left"), panRight: () => time("right"),
    rangeFrom: () => edge("from"), rangeTo: () => edge("to"), fit: () => app.fit(), all: () => app.look(undefined, "own"), back: () => app.back(),
    search: () => app.set({ dialog: "search" }), palette: () => app.set({ dialog: "palette" }), help: () => app.set({ dialog: "help" }),
    filter: () => (document.getElementById("filter") as HTMLInputElement | null)?.select(),
    copyLink: () => copyHere((l) => l, "link to this moment"), copyText: () => copyHere(asText, "this step as text"),
    inspect: () => { if (!app.offline) app.set({ inspecting: !app.inspecting }); },
    home: () => { if (!app.offline) app.home(); }, save: () => { if (app.trace && !app.offline) app.set({ dialog: "save" }); }, lanes: () => app.set({ dialog: "lanes" }), dock: () => app.splitOff(app.docked ? "" : app.tab),
    compare: () => app.set({ dialog: "compare" }), code: () => { if (!app.offline) app.set({ dialog: "code" }); },
    nextRegion: () => region(1), previousRegion: () => region(-1), escape,
  };
  doing[id]?.();
  return id in doing;
}

/** Keys act everywhere but where one writes. */
export function onKey(e: KeyboardEvent): void {
  const id = command(e, app.place);
  if (!id) return;
  const writing = e.target instanceof HTMLInputElement || e.target instanceof HTMLTextAreaElement || e.target instanceof HTMLSelectElement;
  const plainKey = !e.ctrlKey && !e.metaKey && !e.altKey && !/^F\d/.test(e.key);
  if (writing && plainKey && e.key !== "Escape") return;
  if (app.dialog && id !== "escape") return;
  if (e.target instanceof HTMLButtonElement && (e.key === "ArrowLeft" || e.key === "ArrowRight") && e.target.getAttribute("role") === "tab") return;
  if (e.target instanceof HTMLButtonElement && (e.key === " " || e.key === "Enter")) return; // buttons know these themselves
  if (perform(id)) e.preventDefault();
}
