// The words of a filter: text, and key:value with a minus for "not".
//
//   click "pay now" -kind:group status:5xx method:post slower-than:200ms

export interface Term { key: string; value: string; not: boolean }

/** What a filter can ask of a row. A key that a row does not know matches nothing. */
export interface Facts {
  text: string;
  duration?: number; // microseconds
  size?: number; // bytes
  words: Record<string, string>;
}

const TOKEN = /(-?)(?:([a-z-]+):)?(?:"([^"]*)"?|\/((?:[^/\\]|\\.)+)\/|(\S+))/gi;

export function parseFilter(text: string): Term[] {
  const terms: Term[] = [];
  for (const [whole, minus, key, quoted, regexp, plain] of text.matchAll(TOKEN)) {
    if (whole === "") break;
    const value = quoted ?? (regexp !== undefined ? `/${regexp}/` : plain) ?? "";
    if (value === "" && !key) continue;
    terms.push({ key: (key ?? "").toLowerCase(), value: value.toLowerCase(), not: minus === "-" });
  }
  return terms;
}

const UNITS: Record<string, number> = { us: 1, ms: 1000, s: 1e6, m: 60e6, b: 1, kb: 1000, mb: 1e6, "": 1000 };

export function amount(value: string, plain = 1000): number {
  const m = /^([\d.]+)\s*([a-z]*)$/.exec(value);
  if (!m) return NaN;
  return Number(m[1]) * (m[2] === "" ? plain : (UNITS[m[2]] ?? NaN));
}

export function matches(terms: Term[], f: Facts): boolean {
  return terms.every((t) => matchesTerm(t, f) !== t.not);
}

function matchesTerm(t: Term, f: Facts): boolean {
  switch (t.key) {
    case "":
      return matchesText(t.value, f.text);
    case "slower-than":
      return f.duration !== undefined && f.duration > amount(t.value);
    case "faster-than":
      return f.duration !== undefined && f.duration < amount(t.value);
    case "larger-than":
      return f.size !== undefined && f.size > amount(t.value, 1);
  }
  const word = f.words[t.key];
  if (word === undefined) return matchesText(`${t.key}:${t.value}`, f.text); // "http://…" is no key
  return t.value.split(",").some((v) => matchesWord(v, word.toLowerCase()));
}

function matchesText(value: string, text: string): boolean {
  const m = /^\/(.+)\/$/.exec(value);
  if (!m) return text.toLowerCase().includes(value);
  try {
    return new RegExp(m[1], "i").test(text);
  } catch {
    return text.toLowerCase().includes(value);
  }
}

/** "5xx" is any digit for each x; other words fit from their beginning. */
function matchesWord(value: string, word: string): boolean {
  if (/^\d[\dx]*$/.test(value) && value.includes("x")) return new RegExp(`^${value.replaceAll("x", "\\d")}$`).test(word);
  return /^\d+$/.test(value) ? word === value : word.startsWith(value);
}
