// The accessibility tree of a page as recorders write it: nodes as JSON, or the
// text that Playwright's assertions compare with.

export interface AriaLine { depth: number; role: string; name: string; states: string; text: string; box: string }

const DEEPEST = 200;
const KNOWN = new Set(["role", "name", "text", "children", "box", "ref", "cursor"]);

/** The lines of a tree, each below what it is inside of. */
export function ariaLines(file: string): AriaLine[] {
  let root: unknown;
  try { root = JSON.parse(file); } catch { return plainLines(file); }
  if (typeof root === "string") return plainLines(root);
  const lines: AriaLine[] = [];
  const walk = (node: unknown, depth: number): void => {
    if (Array.isArray(node)) { for (const n of node) walk(n, depth); return; }
    if (typeof node === "string") { lines.push({ depth, role: "text", name: "", states: "", text: node, box: "" }); return; }
    if (!node || typeof node !== "object" || depth > DEEPEST) return;
    const n = node as Record<string, unknown>;
    const text = (v: unknown): string => (typeof v === "string" || typeof v === "number" ? String(v) : "");
    const box = n["box"] && typeof n["box"] === "object" ? n["box"] as Record<string, unknown> : undefined;
    const states = Object.entries(n).filter(([k, v]) => !KNOWN.has(k) && v !== null && typeof v !== "object" && v !== "" && v !== false).map(([k, v]) => (v === true ? `[${k}]` : `[${k}=${text(v)}]`)).join(" ");
    lines.push({ depth, role: text(n["role"]) || "generic", name: text(n["name"]), states, text: text(n["text"]), box: box ? `${text(box["width"])}×${text(box["height"])} at ${text(box["x"])}, ${text(box["y"])}` : "" });
    walk(n["children"], depth + 1);
  };
  walk(root && typeof root === "object" && !Array.isArray(root) && !("role" in root) && "children" in root ? (root as { children: unknown }).children : root, 0);
  return lines;
}

/** "- heading \"Home\" [level=1]: text", two blanks a level. */
function plainLines(text: string): AriaLine[] {
  return text.split("\n").filter((l) => l.trim() !== "").map((l) => {
    const m = /^( *)(?:- )?([\w-]+)?(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*):?(.*)$/.exec(l);
    return { depth: Math.floor((m?.[1].length ?? 0) / 2), role: m?.[2] ?? "", name: m?.[3] ?? "", states: (m?.[4] ?? "").trim(), text: (m?.[5] ?? l).trim(), box: "" };
  });
}
