// Times in words, and the arithmetic of a view of a stretch of time. All times
// are microseconds since the recording's start.

export interface Range { from: number; to: number }

/** "1.24 s", "350 ms", "12 ms", "2 m 05 s": three digits are enough to compare. */
export function duration(us: number): string {
  if (Number.isNaN(us)) return "";
  const ms = us / 1000;
  if (ms < 0.95) return ms <= 0 ? "0 ms" : `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_995) return `${(ms / 1000).toFixed(2)} s`;
  const s = Math.round(ms / 1000);
  if (s < 3600) return `${Math.floor(s / 60)} m ${String(s % 60).padStart(2, "0")} s`;
  return `${Math.floor(s / 3600)} h ${String(Math.floor((s % 3600) / 60)).padStart(2, "0")} m`;
}

/** A moment as seconds: "4.523 s". */
export const moment = (us: number, digits = 3): string => (Number.isNaN(us) ? "" : `${(us / 1e6).toFixed(digits)} s`);

const STEPS = [1, 2, 5];

/** Marks for an axis of so many pixels, at round times, none nearer than `gap` pixels. */
export function ticks(view: Range, pixels: number, gap = 90): { at: number; label: string }[] {
  const least = ((view.to - view.from) / Math.max(pixels, 1)) * gap;
  let step = 1;
  for (let power = 0; step < least; power++) for (const s of STEPS) if ((step = s * 10 ** power) >= least) break;
  if (step < 1000) { // of a trace, or a view, of a few milliseconds
    const marks = [], places = step >= 100 ? 1 : step >= 10 ? 2 : 3;
    for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) marks.push({ at, label: `${(at / 1000).toFixed(places)} ms` });
    return marks;
  }
  const digits = step >= 1e6 ? 0 : step >= 1e5 ? 1 : step >= 1e4 ? 2 : step >= 1e3 ? 3 : 6;
  const marks = [];
  for (let at = Math.ceil(view.from / step) * step; at <= view.to; at += step) marks.push({ at, label: `${(at / 1e6).toFixed(digits)} s` });
  return marks;
}

const LEAST = 50; // microseconds across the whole screen

/** Keeps a view within the trace, and wide enough to be of use. */
export function clamp(view: Range, end: number): Range {
  const width = Math.min(Math.max(view.to - view.from, LEAST), end);
  const from = Math.min(Math.max(view.from, 0), end - width);
  return { from, to: from + width };
}

/** Zooms by a factor (below 1 is in) about a moment that stays where it is. */
export function zoom(view: Range, factor: number, about: number, end: number): Range {
  const width = Math.min(Math.max((view.to - view.from) * factor, LEAST), end);
  const share = (about - view.from) / (view.to - view.from);
  return clamp({ from: about - share * width, to: about + (1 - share) * width }, end);
}

/** Moves a view by a share of its width. */
export function pan(view: Range, share: number, end: number): Range {
  const by = (view.to - view.from) * share;
  return clamp({ from: view.from + by, to: view.to + by }, end);
}

/** A view that shows a stretch with some room on both sides. */
export function around(r: Range, end: number): Range {
  const room = Math.max((r.to - r.from) * 0.1, 1000);
  return clamp({ from: r.from - room, to: r.to + room }, end);
}

export const overlaps = (r: Range, from: number, to: number): boolean => to >= r.from && from <= r.to;
