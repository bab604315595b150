import { squeeze } from "../selector/text";

// What Playwright expects of a tree of roles: written in its kind of YAML, or
// read already, as older versions recorded it.

export type Mode = "contain" | "equal" | "deep-equal";
export interface Wanted { text?: string; raw?: string; pattern?: RegExp }
export type Template =
  | { kind: "text"; text: Wanted | undefined }
  | { kind: "role"; role: string; name?: Wanted | undefined; state: Record<string, unknown>; props: Record<string, Wanted | undefined>; mode?: Mode | undefined; children: Template[] };
type Role = Extract<Template, { kind: "role" }>;

// asks tells that a text is the wanted one. Nothing wanted is always there.
export function asks(text: string, w: Wanted | undefined): boolean {
  if (!w || !w.pattern && !w.text) return true;
  return text !== "" && (text === w.text || text === w.raw || !!w.pattern?.test(text));
}

function wanted(raw: string): Wanted {
  const w: Wanted = { text: squeeze(raw), raw };
  if (raw.length > 1 && raw.startsWith("/") && raw.endsWith("/")) try { w.pattern = new RegExp(raw.slice(1, -1)); } catch { /* it is a text, then */ }
  return w;
}

function blank(role: string): Role { return { kind: "role", role, state: {}, props: {}, children: [] }; }

// template reads what is expected. It throws for what it does not understand.
export function template(value: unknown): Template {
  if (typeof value === "string") return written(value);
  return read(value as Record<string, unknown>);
}

function read(v: Record<string, unknown>): Template {
  if (v === null || typeof v !== "object") throw new Error("no template");
  const some = (x: unknown): Wanted | undefined => {
    if (typeof x === "string") return { text: x };
    const o = x as { pattern?: string; raw?: string; normalized?: string } | null | undefined;
    if (o?.pattern !== undefined) return { pattern: new RegExp(o.pattern) };
    return o?.raw === undefined ? undefined : wanted(o.raw);
  };
  if (v.kind === "text") return { kind: "text", text: some(v.text) };
  const t = blank(String(v.role));
  t.name = some(v.name);
  for (const k of ["checked", "disabled", "expanded", "level", "pressed", "selected", "invalid"]) if (v[k] !== undefined && v[k] !== null) t.state[k] = v[k];
  for (const [k, x] of Object.entries(v.props ?? {})) t.props[k] = some(x);
  t.mode = v.containerMode as Mode | undefined;
  t.children = (v.children as Record<string, unknown>[] | undefined ?? []).map(read);
  return t;
}

// written reads YAML as far as such templates use it: lists of keys, of which
// each may have a value or a list of its own.
function written(source: string): Template {
  const top = blank("fragment"), open: { indent: number; node: Role }[] = [{ indent: -1, node: top }];
  for (const line of source.split("\n")) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const m = /^( *)-(?: +(.*?))?\s*$/.exec(line);
    if (!m?.[2]) throw new Error("not understood: " + line);
    const indent = m[1].length;
    while (open.length > 1 && open[open.length - 1].indent >= indent) open.pop();
    const { key, value } = pair(m[2]), into = open[open.length - 1].node;
    if (key === "text" && value !== undefined) into.children.push({ kind: "text", text: wanted(value) });
    else if (key === "/children") into.mode = value as Mode;
    else if (key.startsWith("/")) into.props[key.slice(1)] = wanted(value ?? "");
    else {
      const node = keyed(key);
      if (value) node.children.push({ kind: "text", text: wanted(value) });
      into.children.push(node);
      open.push({ indent, node });
    }
  }
  return top.children.length === 1 && (!top.mode || top.mode === "contain") ? top.children[0] : top;
}

// pair splits an item at its colon. Both sides may be quoted.
function pair(item: string): { key: string; value?: string } {
  if (item[0] === '"' || item[0] === "'") {
    const end = closing(item), key = scalar(item.slice(0, end + 1)), rest = item.slice(end + 1).trim();
    if (rest === "") return { key };
    if (rest[0] !== ":") throw new Error("not understood: " + item);
    return { key, value: scalar(rest.slice(1).trim()) };
  }
  const m = /^(.*?):(?:\s+(.*))?$/s.exec(colon(item));
  return m ? { key: item.slice(0, m[1].length).trim(), value: scalar((item.slice(m[1].length + 1)).trim()) } : { key: item };
}

// colon hides the colons inside of names and patterns, which end no key.
function colon(item: string): string {
  return item.replace(/"(?:[^"\\]|\\.)*"/g, s => s.replaceAll(":", "_")).replace(/:(?=\S)/g, "_");
}

function closing(s: string): number {
  for (let i = 1; i < s.length; i++) {
    if (s[0] === '"' && s[i] === "\\") i++;
    else if (s[i] === s[0]) { if (s[0] === "'" && s[i + 1] === "'") i++; else return i; }
  }
  throw new Error("a quote is not closed: " + s);
}

function scalar(s: string): string {
  if (s === "" || s[0] !== '"' && s[0] !== "'") {
    if (/^[|>&*{[!]/.test(s)) throw new Error("not understood: " + s);
    return s.replace(/\s+#.*$/, "");
  }
  const inner = s.slice(1, closing(s));
  return s[0] === "'" ? inner.replaceAll("''", "'") : unescaped(inner);
}

function unescaped(s: string): string {
  const short: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", 0: "\0" };
  return s.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))/gs, (_, x: string | undefined, u: string | undefined, c: string) => x || u ? String.fromCharCode(parseInt((x ?? u) as string, 16)) : short[c] ?? c);
}

// keyed reads a role, perhaps with a name and with states.
function keyed(key: string): Role {
  const m = /^([a-z]+)(?:\s+("(?:[^"\\]|\\.)*"|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/))?((?:\s*\[[^\]]*\])*)$/.exec(key.trim());
  if (!m) throw new Error("not understood: " + key);
  const node = blank(m[1]);
  if (m[2]?.[0] === '"') node.name = { text: squeeze(m[2].slice(1, -1).replace(/\\(.)/g, "$1")) };
  else if (m[2]) node.name = { pattern: new RegExp(m[2].slice(1, -1)) };
  for (const [, name, value] of m[3].matchAll(/\[\s*([a-z-]+)\s*(?:=\s*([^\]]*?)\s*)?\]/g)) {
    if (name === "level") node.state.level = Number(value);
    else if (name !== "active" && name !== "ref" && name !== "cursor" && name !== "box") node.state[name] = value === undefined || value === "true" ? true : value === "false" ? false : value;
  }
  return node;
}
