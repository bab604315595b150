// What the keys of the start page do.

import { app } from "../model/app";

function walk(step: number): void {
  const s = app.start!;
  const keys = [...new Set([...s.rows.map((r) => r.entry.key), ...s.recent.map((e) => e.key)])];
  if (keys.length === 0) return;
  const at = keys.indexOf(s.selected);
  s.set({ selected: keys[Math.max(0, Math.min(keys.length - 1, at < 0 ? (step > 0 ? 0 : keys.length - 1) : at + step))] });
  document.getElementById(`entry-${s.selected}`)?.scrollIntoView({ block: "nearest" });
}

export function performStart(id: string): boolean {
  const s = app.start;
  if (!s) return false;
  const nth = /^s-recent(\d)$/.exec(id);
  if (nth) { const e = s.recent[Number(nth[1]) - 1]; if (e) void s.go(e.key); return true; }
  const doing: Record<string, () => void> = {
    next: () => walk(1), previous: () => walk(-1), open: () => { if (document.activeElement instanceof HTMLButtonElement) document.activeElement.click(); else if (s.selected !== "") void s.go(s.selected); },
    pick: () => s.pick(s.selected), compare: () => s.compareNow(), files: () => document.getElementById("files")?.click(), address: () => app.set({ dialog: "address" }),
    filter: () => (document.getElementById("startfilter") as HTMLInputElement | null)?.focus(),
  };
  const name = id.slice(2);
  doing[name]?.();
  return name in doing;
}
