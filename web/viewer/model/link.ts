// The part of the address behind the #: where in which trace one is.
// It holds no secret and means the same on every machine that has the zip.

export interface Link {
  trace: string;
  action?: string; // call id
  phase?: string;
  tab?: string;
  row?: number;
  view?: [number, number]; // microseconds
  range?: [number, number];
  filter?: string;
}

/** Where in a comparison of two traces one is. */
export interface CompareLink { a: string; b: string; step?: number; mode?: string; phase?: string; tab?: string; split?: number }

export function parseCompareLink(hash: string): CompareLink | undefined {
  const m = /^#\/c\/([0-9a-f]{6,64})\.\.([0-9a-f]{6,64})(?:\?(.*))?$/.exec(hash);
  if (!m) return undefined;
  const q = new URLSearchParams(m[3] ?? "");
  const link: CompareLink = { a: m[1], b: m[2] };
  if (/^\d{1,9}$/.test(q.get("step") ?? "")) link.step = Number(q.get("step"));
  if (/^\d{1,2}$|^100$/.test(q.get("x") ?? "")) link.split = Number(q.get("x"));
  for (const [key, name] of [["mode", "m"], ["phase", "p"], ["tab", "tab"]] as const) { const v = q.get(name); if (v !== null) link[key] = v; }
  return link;
}

export function printCompareLink(l: CompareLink): string {
  const q = new URLSearchParams();
  if (l.step !== undefined) q.set("step", String(l.step));
  if (l.mode) q.set("m", l.mode);
  if (l.phase) q.set("p", l.phase);
  if (l.tab) q.set("tab", l.tab);
  if (l.split !== undefined) q.set("x", String(l.split));
  q.set("u", VERSION);
  return `#/c/${l.a}..${l.b}?${q}`;
}

const VERSION = "1";
const seconds = (us: number): string => (us / 1e6).toFixed(6).replace(/\.?0+$/, "");

function span(text: string | null): [number, number] | undefined {
  const m = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(text ?? "");
  if (!m) return undefined;
  const from = Math.round(Number(m[1]) * 1e6), to = Math.round(Number(m[2]) * 1e6);
  return to > from ? [from, to] : undefined;
}

export function parseLink(hash: string): Link | undefined {
  const m = /^#\/t\/([0-9a-f]{6,64})(?:\?(.*))?$/.exec(hash);
  if (!m) return undefined;
  const q = new URLSearchParams(m[2] ?? "");
  const link: Link = { trace: m[1] };
  const set = <K extends keyof Link>(key: K, value: Link[K] | null | undefined): void => { if (value !== null && value !== undefined) link[key] = value; };
  set("action", q.get("a"));
  set("phase", q.get("p"));
  set("tab", q.get("tab"));
  if (/^\d{1,9}$/.test(q.get("r") ?? "")) link.row = Number(q.get("r"));
  set("view", span(q.get("v")));
  set("range", span(q.get("sel")));
  set("filter", q.get("q"));
  return link;
}

export function printLink(l: Link): string {
  const q = new URLSearchParams();
  if (l.action !== undefined) q.set("a", l.action);
  if (l.phase !== undefined) q.set("p", l.phase);
  if (l.tab !== undefined) q.set("tab", l.tab);
  if (l.row !== undefined) q.set("r", String(l.row));
  if (l.view) q.set("v", l.view.map(seconds).join("-"));
  if (l.range) q.set("sel", l.range.map(seconds).join("-"));
  if (l.filter) q.set("q", l.filter);
  q.set("u", VERSION);
  return `#/t/${l.trace}?${q}`;
}

/** The trace that an address shows, by the beginning of its id: "" if the server decides, undefined if it shows none or two. */
export function wanted(hash: string): string | undefined {
  if (hash === "" || hash === "#") return "";
  return parseLink(hash)?.trace;
}
