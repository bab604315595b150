import { sha1 } from "./sha1";

// What canvases and videos show, as PNG and JPEG. Everything is drawn onto a canvas of
// ours first: asking the page's for a context would give it one, and reading
// from it often would make it slow.

export interface Picture { name: string; base64: string }

interface Seen { sum: number; name: string; round: number }

const most = 4_000_000; // pixels of a canvas
const side = 800; // pixels of a video's longer side, which is scaled down to it

export class Pixels {
  private seen = new WeakMap<Element, Seen>();
  private given = new Set<string>();
  private refused = new WeakSet<Element>(); // hold something of another site
  private sheet: HTMLCanvasElement | undefined;
  private left = 0; // milliseconds
  private round = 0; // of snapshots
  pictures: Picture[] = [];

  // begin starts a snapshot that may spend so many milliseconds on pictures.
  begin(milliseconds: number): void { this.round++; this.pictures = []; this.left = milliseconds; }

  reset(): void { this.seen = new WeakMap(); this.given.clear(); }

  // of returns the name of the picture that the element shows, or "" if it is
  // empty, hidden from scripts or there is no time left.
  of(e: HTMLCanvasElement | HTMLVideoElement): string {
    const [width, height] = size(e), before = this.seen.get(e);
    if (!(width * height > 0) || width * height > most || this.refused.has(e)) return "";
    if (before?.round === this.round || this.left <= 0) return before?.name ?? "";
    const began = performance.now();
    try { return this.draw(e, width, height, before); } catch { this.refused.add(e); return ""; } finally { this.left -= performance.now() - began; }
  }

  private draw(e: HTMLCanvasElement | HTMLVideoElement, width: number, height: number, before: Seen | undefined): string {
    this.sheet ??= new Document().implementation.createHTMLDocument("").createElement("canvas");
    this.sheet.width = width; this.sheet.height = height; // which empties it
    const context = this.sheet.getContext("2d", { willReadFrequently: true });
    if (!context) return "";
    context.drawImage(e, 0, 0, width, height);
    const sum = checksum(context.getImageData(0, 0, width, height).data);
    const type = e instanceof HTMLVideoElement ? "jpeg" : "png";
    const name = before && before.sum === sum ? before.name : sum === 0 ? "" : this.keep(this.sheet.toDataURL("image/" + type, 0.8), type);
    this.seen.set(e, { sum, name, round: this.round });
    return name;
  }

  private keep(url: string, type: string): string {
    const base64 = url.slice(url.indexOf(",") + 1);
    const name = sha1(Uint8Array.from(atob(base64), c => c.charCodeAt(0))) + "." + type;
    if (!this.given.has(name)) { this.given.add(name); this.pictures.push({ name, base64 }); }
    return name;
  }
}

function size(e: HTMLCanvasElement | HTMLVideoElement): [number, number] {
  if (e instanceof HTMLCanvasElement) return [e.width, e.height];
  const scale = Math.min(1, side / Math.max(e.videoWidth, e.videoHeight, 1));
  return [Math.round(e.videoWidth * scale), Math.round(e.videoHeight * scale)];
}

// checksum is 0 for pixels of which none can be seen.
function checksum(data: Uint8ClampedArray): number {
  const words = new Uint32Array(data.buffer, data.byteOffset, data.length >> 2);
  let h = 0x811c9dc5, any = 0;
  for (let i = 0; i < words.length; i++) { const w = words[i]; any |= w; h = Math.imul(h ^ w, 0x01000193) ^ (h >>> 15); }
  return any === 0 ? 0 : (h ^ words.length) >>> 0 || 1;
}
