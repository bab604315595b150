// Colours for a line of a program, good enough for the four languages that
// tests are written in. It looks at one line, so a comment or a string over
// several lines is plain from its second line on.

export interface Part { text: string; kind: "" | "word" | "str" | "num" | "note" }

const WORDS = new Set(("abstract as assert async await break case catch class const continue def default del do elif else enum except export extends False final finally for foreach from function get global if implements import in " +
  "interface internal is lambda let namespace new nonlocal None not null or override package pass private protected public raise readonly return sealed self set static super switch this throw throws True true false try type " +
  "typeof undefined using var virtual void when while with yield").split(" "));

const TOKEN = /(\/\/.*|#(?![\w-]*['"]).*$|\/\*.*?\*\/)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\w.]*)|([A-Za-z_$][\w$]*)/g;

export function highlight(line: string): Part[] {
  const parts: Part[] = [];
  if (line.length > 2000) return [{ text: line, kind: "" }];
  let at = 0;
  for (const m of line.matchAll(TOKEN)) {
    const kind: Part["kind"] = m[1] !== undefined ? "note" : m[2] !== undefined ? "str" : m[3] !== undefined ? "num" : WORDS.has(m[4]) ? "word" : "";
    if (m.index > at) parts.push({ text: line.slice(at, m.index), kind: "" });
    parts.push({ text: m[0], kind });
    at = m.index + m[0].length;
  }
  if (at < line.length) parts.push({ text: line.slice(at), kind: "" });
  return parts;
}
