// How much two texts or boxes have in common, from 0 to 1.

export function words(s: string): string[] { return s.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []; }

// pieces are the words of a row, of which the text has nothing between one cell
// and the next, without those of out.
export function pieces(row: string, ...out: string[]): string[] {
  const bare = out.filter(o => o.length > 2).reduce((s, o) => s.split(o).join(" "), row), own = new Set(out.flatMap(pair));
  return pair(bare).filter(w => !own.has(w));
}

function pair(s: string): string[] { return s.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []; }

export function plain(s: string): string { return words(s).join(" "); }

// textLikeness compares by words, and words that nearly agree by their letters.
export function textLikeness(a: string, b: string): number {
  const x = words(a), y = words(b);
  if (x.length === 0 || y.length === 0) return x.length === y.length ? 1 : 0;
  const left = [...y];
  let both = 0;
  for (const w of x) {
    let best = 0, at = -1;
    left.forEach((v, i) => { const l = w === v ? 1 : wordLikeness(w, v); if (l > best) { best = l; at = i; } });
    if (best >= 0.6) { both += best; left.splice(at, 1); }
  }
  return both / Math.max(x.length, y.length);
}

// chance is what differs each time: moments, long fractions and made up ids.
const chance = /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\b|\b\d+[.]\d{3,}\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{8,}\b|\b\d{10,}\b/gi;

// nameLikeness compares names. Row 5 is not row 6, though their words nearly
// agree; a count in brackets and what is by chance say nothing.
export function nameLikeness(a: string, b: string): number {
  const numbers = (s: string): string => (s.replace(chance, " ").replace(/[([]\s*\d+\+?\s*[)\]]/g, " ").match(/\p{N}+/gu) ?? []).sort().join(" ");
  const x = numbers(a), y = numbers(b);
  return x && y && x !== y ? 0 : textLikeness(a, b);
}

// lasting leaves out what differs each time.
export function lasting(s: string): string { return s.replace(chance, " "); }

// counted is a text with its numbers taken away: those of counters, prices and
// the like are others each time. It is "" where nothing is left that says anything.
export function counted(s: string): string {
  const text = plain(lasting(s)).replace(/\p{N}+/gu, "#");
  return /\p{L}/u.test(text) && text.includes("#") ? text : "";
}

// wordLikeness counts pairs of letters that both have.
function wordLikeness(a: string, b: string): number {
  if (a.length < 3 || b.length < 3 || /^\d+$/.test(a) || /^\d+$/.test(b)) return 0;
  const pairs = (s: string): string[] => Array.from({ length: s.length - 1 }, (_, i) => s.slice(i, i + 2));
  const x = pairs(a), y = pairs(b);
  let both = 0;
  for (const p of x) { const i = y.indexOf(p); if (i >= 0) { both++; y.splice(i, 1); } }
  return 2 * both / (a.length + b.length - 2);
}

// covered is the part of the words of a that b has too.
export function covered(a: string[], b: string[]): number {
  if (a.length === 0) return 1;
  const has = new Set(b);
  return a.filter(w => has.has(w)).length / a.length;
}

export interface Box { x: number; y: number; width: number; height: number }

export function overlap(a: Box, b: Box): number {
  const w = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x), h = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  if (w <= 0 || h <= 0) return 0;
  return w * h / (a.width * a.height + b.width * b.height - w * h);
}

export function distance(a: Box, b: Box): number {
  return Math.hypot(a.x + a.width / 2 - b.x - b.width / 2, a.y + a.height / 2 - b.y - b.height / 2);
}
