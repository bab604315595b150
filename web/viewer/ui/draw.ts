// Draws the lanes of the timeline. Everything here is geometry and a canvas.

import { app } from "../model/app";
import { bad, type Derived } from "../model/derived";
import { Flag } from "../model/schema";
import { ticks, type Range } from "../model/time";
import type { Lane as Rows } from "../model/lanes";
import { LANE_NAME, laneOrder, laneSetting, type Lane } from "../model/lanesettings";
import { colours, typeColour, type Palette } from "./theme";

export type LaneName = "overview" | "ruler" | Lane;

export interface Strip { name: LaneName; label: string; count: string; top: number; height: number; line: number }

const LINE = { groups: 16, actions: 20, network: 13 };
/** Above so many errors on screen only the overview marks them. */
const MOST_MARKS = 60;
/** Above so many rows on screen a lane shows how much there is, not what. */
const DENSE = 20_000;

/** Height of a folded lane, in pixels. */
const FOLDED = 14;
/** A line below this height has no room for text. */
const TEXT = 11;

interface Natural { count: number; height: number; line: number; pad: number }

/** How a lane would stand by itself; nothing for a lane without data. */
function natural(d: Derived | undefined, name: Lane): Natural | undefined {
  if (!d) return name === "actions" ? { count: 0, height: LINE.actions, line: LINE.actions, pad: 4 } : undefined;
  const lines = (n: number, line: number, count: number, pad: number): Natural | undefined => (count > 0 ? { count, height: n * line, line, pad } : undefined);
  const events = d.protocol.length + (d.t.state?.rows["events"] ?? 0);
  switch (name) {
    case "film": return d.frames.length > 0 || d.t.stills.rows > 0 ? { count: 0, height: 50, line: 50, pad: 0 } : undefined;
    case "groups": return lines(Math.min(d.groups.lines, 3), LINE.groups, d.groups.length, 4);
    case "actions": return lines(Math.max(1, d.actions.lines), LINE.actions, d.actions.length, 4) ?? { count: 0, height: LINE.actions, line: LINE.actions, pad: 4 };
    case "protocol": return lines(1, 20, events, 0);
    case "network": return lines(Math.max(1, d.network.lines), LINE.network, d.network.length, 5);
    case "console": return lines(1, 18, d.console.length, 0);
    case "frames": return d.frames.length > 1 ? { count: d.frames.length, height: 18, line: 18, pad: 0 } : undefined;
  }
}

/** Which lanes there are, and where: a lane without data, or that the user hid, is absent. */
export function layout(d: Derived | undefined): { strips: Strip[]; height: number } {
  const strips: Strip[] = [{ name: "overview", label: "Overview", count: "", top: 0, height: 26, line: 26 }, { name: "ruler", label: "", count: "", top: 26, height: 18, line: 18 }];
  let top = 44;
  for (const name of laneOrder()) {
    const n = natural(d, name), s = laneSetting(name);
    if (!n || s.hidden) continue;
    const full = Math.round(n.height * s.scale) + n.pad, height = s.folded ? FOLDED : full;
    const line = (height - n.pad) * (n.line / n.height);
    strips.push({ name, label: LANE_NAME[name], count: n.count > 0 ? short(n.count) : "", top, height, line: s.folded ? Math.max(1.5, line) : line });
    top += height;
  }
  return { strips, height: top };
}

export function short(n: number): string {
  if (n < 10_000) return String(n);
  return n < 1e6 ? `${Math.round(n / 1000)} k` : `${(n / 1e6).toFixed(1)} M`;
}

export interface Scene {
  g: CanvasRenderingContext2D;
  width: number;
  strips: Strip[];
  height: number;
  d: Derived | undefined;
  view: Range;
  end: number;
  hover: number | undefined; // moment
  picture: (row: number, still: boolean) => CanvasImageSource | undefined;
  events: { counts: Uint32Array; from: number; width: number } | undefined;
}

export function draw(s: Scene): void {
  const { g, width, height } = s;
  const c = colours();
  g.clearRect(0, 0, width, height);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  grid(s, c);
  for (const strip of s.strips) {
    g.save();
    g.beginPath();
    g.rect(0, strip.top, width, strip.height);
    g.clip();
    PAINT[strip.name](s, strip, c);
    g.restore();
  }
  lines(s, c);
  marks(s, c);
}

const x = (s: Scene, t: number): number => ((t - s.view.from) / (s.view.to - s.view.from)) * s.width;

function grid(s: Scene, c: Palette): void {
  const ruler = s.strips.find((l) => l.name === "ruler")!;
  for (const mark of ticks(s.view, s.width)) {
    const at = Math.round(x(s, mark.at)) + 0.5;
    s.g.fillStyle = c["line"];
    s.g.fillRect(at, ruler.top, 1, s.height - ruler.top);
    s.g.fillStyle = c["dim"];
    if (at + 4 + s.g.measureText(mark.label).width <= s.width) s.g.fillText(mark.label, at + 4, ruler.top + 9);
  }
}

function lines(s: Scene, c: Palette): void {
  s.g.fillStyle = c["line"];
  for (const l of s.strips) s.g.fillRect(0, l.top + l.height - 1, s.width, 1);
}

const PAINT: Record<LaneName, (s: Scene, l: Strip, c: Palette) => void> = {
  overview, ruler: () => undefined, film, groups, actions, protocol, network, console: messages, frames,
};

/** How busy each stretch of the whole trace was: what was at work, and what began. */
function activity(d: Derived, end: number, n: number): { steps: Float64Array; net: Float64Array; most: number } {
  const busy = (lane: Rows): Float64Array => {
    const change = new Float64Array(n + 1), out = new Float64Array(n);
    const { counts } = lane.density(0, end + 1, n);
    if (lane.length <= DENSE) for (let i = 0; i < lane.length; i++) {
      change[Math.max(0, Math.min(n - 1, Math.floor((lane.starts[i] / end) * n)))]++;
      change[Math.max(0, Math.min(n, Math.floor((lane.ends[i] / end) * n) + 1))]--;
    }
    for (let i = 0, level = 0; i < n; i++) { level += change[i]; out[i] = Math.max(level, counts[i]); }
    return out;
  };
  const steps = busy(d.actions), net = busy(d.network), extra = [d.protocol, d.console].map((l) => l.density(0, end + 1, n).counts);
  let most = 1;
  for (let i = 0; i < n; i++) { net[i] += extra[0][i] + extra[1][i]; most = Math.max(most, steps[i] + net[i]); }
  return { steps, net, most };
}

let lastActivity: { d: Derived; n: number; end: number; v: ReturnType<typeof activity> } | undefined;

function overview(s: Scene, l: Strip, c: Palette): void {
  const d = s.d;
  if (!d) return;
  const n = Math.max(1, Math.floor(s.width / 3));
  if (lastActivity?.d !== d || lastActivity.n !== n || lastActivity.end !== s.end) lastActivity = { d, n, end: s.end, v: activity(d, s.end, n) };
  const { steps, net, most } = lastActivity.v;
  const errors = d.errors.density(0, s.end + 1, n);
  const tall = (v: number): number => (v === 0 ? 0 : 3 + (l.height - 9) * (Math.log1p(v) / Math.log1p(most)));
  for (let i = 0; i < n; i++) {
    const low = tall(steps[i]), all = tall(steps[i] + net[i]), base = l.top + l.height - 2;
    s.g.fillStyle = c["lane-group"];
    s.g.fillRect(i * 3, base - Math.max(low, 1), 2, Math.max(low, 1));
    if (all > low) { s.g.fillStyle = c["lane-fetch"]; s.g.globalAlpha = 0.6; s.g.fillRect(i * 3, base - all, 2, all - low); s.g.globalAlpha = 1; }
  }
  const at = (t: number): number => (t / s.end) * s.width;
  if (app.view) {
    s.g.fillStyle = c["accent"];
    s.g.globalAlpha = 0.16;
    s.g.fillRect(at(s.view.from), l.top, Math.max(2, at(s.view.to) - at(s.view.from)), l.height - 1);
    s.g.globalAlpha = 1;
    s.g.strokeStyle = c["accent"];
    s.g.strokeRect(at(s.view.from) + 0.5, l.top + 0.5, Math.max(2, at(s.view.to) - at(s.view.from) - 1), l.height - 2);
  }
  s.g.fillStyle = c["warn"];
  for (const t of app.found) s.g.fillRect(at(t), l.top + 1, 2, 5);
  s.g.fillStyle = c["err"];
  for (let i = 0; i < n; i++) if (errors.counts[i] > 0) s.g.fillRect(i * 3, l.top + 3, 2, l.height - 6);
}

function film(s: Scene, l: Strip): void {
  const d = s.d!;
  const h = l.height - 8;
  const wide = Math.round(h * 1.6);
  const frames = d.frames.length > 0;
  for (let px = 2; px < s.width; px += wide + 6) {
    const t = s.view.from + ((px + wide / 2) / s.width) * (s.view.to - s.view.from);
    const row = frames ? d.frameAt(t) : stillAt(d, t);
    if (row < 0 || frames && t < d.frames.starts[0] - (s.view.to - s.view.from) * (wide / s.width)) continue;
    const image = s.picture(row, !frames);
    s.g.fillStyle = colours()["line"];
    s.g.fillRect(px - 1, l.top + 3, wide + 2, h + 2);
    if (image) cover(s.g, image, px, l.top + 4, wide, h);
  }
}

export function stillAt(d: Derived, t: number): number {
  const time = d.t.stills.col("time"), kind = d.t.stills.col("kind");
  let best = -1;
  for (let r = 0; r < d.t.stills.rows; r++) if (kind.at(r) === 0 && time.at(r) <= t && (best < 0 || time.at(r) >= time.at(best))) best = r;
  return best;
}

/** Fills a box with the top of a picture. */
export function cover(g: CanvasRenderingContext2D, image: CanvasImageSource, px: number, y: number, w: number, h: number): void {
  const iw = (image as ImageBitmap).width, ih = (image as ImageBitmap).height;
  if (!(iw > 0 && ih > 0)) return;
  const scale = Math.max(w / iw, h / ih);
  g.drawImage(image, (iw - w / scale) / 2, 0, w / scale, h / scale, px, y, w, h);
}

/** Draws a lane as bars, or, where there are too many, as how many there are. */
function bars(s: Scene, l: Strip, lane: Rows, plain: string, colour: (row: number) => string, paint?: (row: number, px: number, w: number, y: number, free: number) => void): void {
  const [lo, hi] = lane.window(s.view.from, s.view.to);
  if (hi - lo > DENSE) return load(s, l, lane, plain);
  const last = new Float64Array(16).fill(-1);
  for (let i = lo; i < hi; i++) {
    if (lane.ends[i] < s.view.from) continue;
    const row = lane.rows[i], line = lane.line[i];
    let px = Math.max(x(s, lane.starts[i]), -2);
    const right = Math.min(x(s, lane.ends[i]), s.width + 2);
    if (right < last[line]) { if (!lane.marks[i + 1] || lane.marks[i + 1] === lane.marks[i]) continue; px = last[line]; }
    const w = Math.max(2, right - px - 1);
    last[line] = px + w;
    s.g.fillStyle = colour(row);
    const y = l.top + 2 + line * l.line;
    if (paint) paint(row, px, w, y, room(s, lane, i));
    else s.g.fillRect(px, y, w, l.line - 2);
  }
}

/** How many pixels are free behind a bar. */
function room(s: Scene, lane: Rows, i: number): number {
  for (let j = i + 1; j < lane.length && j < i + 40; j++) if (lane.line[j] === lane.line[i]) return x(s, lane.starts[j]) - x(s, lane.ends[i]);
  return s.width;
}

function load(s: Scene, l: Strip, lane: Rows, colour: string): void {
  const n = Math.floor(s.width);
  const { counts, marks: bads } = lane.density(s.view.from, s.view.to, n);
  let most = 1;
  for (const v of counts) most = Math.max(most, v);
  const h = l.height - 4;
  for (let i = 0; i < n; i++) {
    if (counts[i] === 0) continue;
    s.g.fillStyle = bads[i] > 0 ? colours()["err"] : colour;
    const tall = 2 + (h - 2) * (Math.log1p(counts[i]) / Math.log1p(most));
    s.g.fillRect(i, l.top + l.height - 2 - tall, 1, tall);
  }
}

/** Text that ends in … where it does not fit. */
export function label(g: CanvasRenderingContext2D, text: string, px: number, y: number, most: number): void {
  if (most < 24 || text === "") return;
  let cut = text;
  if (g.measureText(text).width > most) {
    let lo = 0, hi = Math.min(text.length, Math.ceil(most / 4));
    while (lo < hi) { const mid = (lo + hi + 1) >> 1; if (g.measureText(`${text.slice(0, mid)}…`).width <= most) lo = mid; else hi = mid - 1; }
    if (lo < 3) return;
    cut = `${text.slice(0, lo)}…`;
  }
  g.fillText(cut, px, y);
}

function groups(s: Scene, l: Strip, c: Palette): void {
  const d = s.d!, a = d.t.actions;
  bars(s, l, d.groups, c["lane-group"], (row) => (d.t.num(a, "flags", row) & Flag.failed ? c["err"] : c["lane-group"]), (row, px, w, y) => {
    s.g.globalAlpha = d.t.num(a, "flags", row) & Flag.failed ? 0.45 : 1;
    s.g.fillRect(px, y, w, l.line - 2);
    s.g.globalAlpha = 1;
    selected(s, c, row, px, y, w, l.line - 2);
    if (l.line < TEXT) return;
    s.g.fillStyle = c["lane-group-text"];
    const from = Math.max(px, 0);
    label(s.g, `${d.t.text(a, "title", row)} ${d.t.text(a, "detail", row)}`.trim(), from + 5, y + l.line / 2 - 0.5, px + w - from - 8);
  });
}

function selected(s: Scene, c: Palette, row: number, px: number, y: number, w: number, h: number): void {
  if (row !== app.selected) return;
  s.g.strokeStyle = c["text"];
  s.g.lineWidth = 1.5;
  s.g.strokeRect(px + 0.75, y + 0.75, Math.max(1, w - 1.5), h - 1.5);
  s.g.lineWidth = 1;
}

function actions(s: Scene, l: Strip, c: Palette): void {
  const d = s.d;
  if (!d) return;
  const a = d.t.actions;
  bars(s, l, d.actions, c["lane-action"], (row) => (d.t.num(a, "flags", row) & Flag.failed ? c["err"] : c["lane-action"]), (row, px, w, y) => {
    s.g.fillRect(px, y, w, l.line - 3);
    selected(s, c, row, px, y, w, l.line - 3);
    if (l.line < TEXT) return;
    s.g.fillStyle = c["lane-action-text"];
    const from = Math.max(px, 0);
    label(s.g, `${d.t.text(a, "title", row)} ${d.t.text(a, "detail", row)}`.trim(), from + 5, y + l.line / 2 - 1, px + w - from - 8);
  });
}

function protocol(s: Scene, l: Strip, c: Palette): void {
  load(s, l, s.d!.protocol, c["lane-protocol"]);
  if (!s.events) return;
  let most = 1;
  for (const v of s.events.counts) most = Math.max(most, v);
  s.g.fillStyle = c["lane-protocol"];
  s.events.counts.forEach((v, i) => {
    if (v === 0) return;
    const tall = 2 + (l.height - 7) * (Math.log1p(v) / Math.log1p(most));
    const px = x(s, s.events!.from + i * s.events!.width);
    s.g.fillRect(px, l.top + l.height - 2 - tall, Math.max(1.5, x(s, s.events!.from + (i + 1) * s.events!.width) - px - 0.5), tall);
  });
}

function network(s: Scene, l: Strip, c: Palette): void {
  const d = s.d!, n = d.t.network;
  const colour = (row: number): string => c[bad(d.t, row) ? "err" : typeColour(d.t.text(n, "type", row), d.t.text(n, "mime", row))];
  bars(s, l, d.network, c["lane-fetch"], colour, (row, px, w, y, free) => {
    const h = l.line - 2;
    s.g.globalAlpha = 0.45;
    s.g.fillRect(px, y, w, h);
    s.g.globalAlpha = 1;
    s.g.fillRect(px + w - Math.min(3, w), y, Math.min(3, w), h);
    if (row === app.request && app.tab === "network") { s.g.strokeStyle = c["text"]; s.g.strokeRect(px + 0.5, y + 0.5, Math.max(1, w - 1), h - 1); }
    if (l.line < TEXT) return;
    const name = requestName(d, row);
    const wide = s.g.measureText(name).width + 8;
    s.g.fillStyle = c[bad(d.t, row) ? "err" : "dim"];
    s.g.font = "10.5px system-ui, sans-serif";
    if (wide < w - 4 + Math.min(0, free)) { s.g.fillStyle = c["text"]; s.g.fillText(name, Math.max(px, 0) + 4, y + h / 2 + 0.5); }
    else if (wide < free) s.g.fillText(name, px + w + 4, y + h / 2 + 0.5);
  });
}

export function requestName(d: Derived, row: number): string {
  const n = d.t.network, url = d.t.text(n, "url", row), method = d.t.text(n, "method", row), status = d.t.num(n, "status", row);
  const path = url.replace(/^[a-z]+:\/\/[^/]*/, "").split(/[?#]/)[0];
  const name = path.split("/").filter((p) => p !== "").at(-1) ?? "/";
  return `${method === "GET" || method === "" ? "" : `${method} `}${name.slice(0, 60)}${status >= 400 ? ` ${status}` : ""}`;
}

function messages(s: Scene, l: Strip, c: Palette): void {
  const d = s.d!, t = d.t;
  const [lo, hi] = d.console.window(s.view.from, s.view.to);
  if (hi - lo > DENSE / 4) return load(s, l, d.console, c["faint"]);
  const y = l.top + l.height / 2 - 0.5, last = [-9, -9, -9];
  for (let i = lo; i < hi; i++) {
    const px = x(s, d.console.starts[i]);
    const level = t.text(t.console, "level", d.console.rows[i]);
    const heavy = level === "error" || level === "stderr" || level === "warning";
    const sort = !heavy ? 0 : level === "warning" ? 1 : 2;
    if (px - last[sort] < 1) continue; // it would cover the one before
    last[sort] = px;
    s.g.fillStyle = c[level === "error" || level === "stderr" ? "err" : level === "warning" ? "warn" : "faint"];
    s.g.beginPath();
    if (level === "error" || level === "stderr") s.g.rect(px - 3.5, y - 3.5, 7, 7);
    else if (level === "warning") { s.g.moveTo(px, y - 4.5); s.g.lineTo(px + 4.5, y + 4); s.g.lineTo(px - 4.5, y + 4); }
    else s.g.arc(px, y, 2.6, 0, 7);
    s.g.fill();
  }
}

/** Bars as high as the wait for the next picture was long: a stall stands out. */
function frames(s: Scene, l: Strip, c: Palette): void {
  const d = s.d!;
  const [lo, hi] = [Math.max(0, d.frames.lower(s.view.from) - 1), d.frames.lower(s.view.to)];
  if (hi - lo > DENSE) return load(s, l, d.frames, c["lane-frame"]);
  for (let i = lo; i < hi; i++) {
    const px = x(s, d.frames.starts[i]), next = i + 1 < d.frames.length ? d.frames.starts[i + 1] : NaN;
    const gap = Number.isNaN(next) ? 0 : next - d.frames.starts[i];
    const w = Number.isNaN(next) ? 2 : Math.max(1, x(s, next) - px - 1);
    const tall = Math.min(l.height - 5, 3 + Math.log2(1 + gap / 16_000) * 1.6);
    s.g.globalAlpha = 0.75;
    s.g.fillStyle = c["lane-frame"];
    s.g.fillRect(px, l.top + l.height - 2 - tall, Math.min(w, s.width), tall);
    s.g.globalAlpha = 1;
  }
}

/** The range, the selected step, errors, and the moment under the pointer. */
function marks(s: Scene, c: Palette): void {
  const ruler = s.strips.find((l) => l.name === "ruler")!;
  const below = s.height - ruler.top;
  if (app.range) {
    const a = x(s, app.range.from), b = x(s, app.range.to);
    s.g.globalAlpha = 0.13;
    s.g.fillStyle = c["accent"];
    s.g.fillRect(a, ruler.top, b - a, below);
    s.g.globalAlpha = 1;
    s.g.fillRect(a, ruler.top, 1, below);
    s.g.fillRect(b, ruler.top, 1, below);
  }
  const first = s.d?.errors.lower(s.view.from) ?? 0, behind = s.d?.errors.lower(s.view.to) ?? 0;
  if (s.d && behind - first <= MOST_MARKS) for (let i = first; i < behind; i++) {
    s.g.fillStyle = c["err"];
    s.g.globalAlpha = 0.55;
    s.g.fillRect(Math.round(x(s, s.d.errors.starts[i])), ruler.top + 3, 1, below - 3);
    s.g.globalAlpha = 1;
    s.g.beginPath();
    const px = Math.round(x(s, s.d.errors.starts[i]));
    s.g.moveTo(px - 4, ruler.top + 3);
    s.g.lineTo(px + 5, ruler.top + 3);
    s.g.lineTo(px + 0.5, ruler.top + 10);
    s.g.fill();
  }
  const at = s.hover ?? app.cursor;
  if (at === undefined || at < s.view.from || at > s.view.to) return;
  const px = Math.round(x(s, at));
  s.g.fillStyle = c["accent"];
  s.g.fillRect(px, ruler.top, 1, below);
  const text = `${(at / 1e6).toFixed(s.view.to - s.view.from < 1e5 ? 5 : 3)} s`;
  const wide = s.g.measureText(text).width + 10;
  const left = Math.min(Math.max(0, px - wide / 2), s.width - wide);
  s.g.fillRect(left, ruler.top + 1, wide, 15);
  s.g.fillStyle = c["lane-action-text"];
  s.g.fillText(text, left + 5, ruler.top + 9);
}
