// Colours for the canvas, from the same tokens as the style sheet.

export interface Palette { [name: string]: string }

const NAMES = ["panel", "bg", "line", "text", "dim", "faint", "accent", "err", "warn", "ok", "lane-group", "lane-group-text", "lane-action", "lane-action-text", "lane-protocol", "lane-doc", "lane-script",
  "lane-style", "lane-image", "lane-fetch", "lane-other", "lane-frame"];

let palette: Palette | undefined;
const watch = matchMedia("(prefers-color-scheme: light)");
watch.addEventListener("change", () => { palette = undefined; });
matchMedia("(prefers-contrast: more)").addEventListener("change", () => { palette = undefined; });

export function colours(): Palette {
  if (palette) return palette;
  const s = getComputedStyle(document.documentElement);
  palette = Object.fromEntries(NAMES.map((n) => [n, s.getPropertyValue(`--${n}`).trim()]));
  return palette;
}

export function themeChanged(f: () => void): () => void {
  watch.addEventListener("change", f);
  return () => watch.removeEventListener("change", f);
}

export function typeColour(type: string, mime: string): string {
  if (type === "document") return "lane-doc";
  if (type === "script" || mime.includes("javascript")) return "lane-script";
  if (type === "stylesheet" || mime.includes("css")) return "lane-style";
  if (type === "image" || type === "media" || type === "font" || mime.startsWith("image/") || mime.startsWith("font/")) return "lane-image";
  if (/fetch|xhr|websocket|eventsource/.test(type) || mime.includes("json")) return "lane-fetch";
  return "lane-other";
}
