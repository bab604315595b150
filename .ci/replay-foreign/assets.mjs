// Binary assets made on the fly: PNG images, a one-glyph TrueType font, a tiny PDF.
import zlib from 'node:zlib';

const CRC = Uint32Array.from({ length: 256 }, (_, n) => { for (let i = 0; i < 8; i++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; return n >>> 0; });
function crc32(buf) {
  let c = 0xffffffff;
  for (const b of buf) c = CRC[(c ^ b) & 0xff] ^ (c >>> 8);
  return ~c >>> 0;
}

function chunk(type, data) {
  const b = Buffer.alloc(12 + data.length);
  b.writeUInt32BE(data.length, 0);
  b.write(type, 4, 'latin1');
  data.copy(b, 8);
  b.writeUInt32BE(crc32(b.subarray(4, 8 + data.length)), 8 + data.length);
  return b;
}

// paint(x, y) -> [r, g, b]
export function png(width, height, paint, level = 9) {
  const raw = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0, p = 0; y < height; y++) {
    raw[p++] = 0;
    for (let x = 0; x < width; x++) {
      const [r, g, b] = paint(x, y);
      raw[p++] = r; raw[p++] = g; raw[p++] = b;
    }
  }
  const ihdr = Buffer.alloc(13);
  ihdr.writeUInt32BE(width, 0);
  ihdr.writeUInt32BE(height, 4);
  ihdr.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', ihdr), chunk('IDAT', zlib.deflateSync(raw, { level })), chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function stripes(width, height, [r, g, b]) {
  return png(width, height, (x, y) => ((x >> 3) + (y >> 3)) % 2 ? [r, g, b] : [255 - r, 255 - g, 255 - b]);
}

export function noise(width, height, seed) {
  let s = (seed * 2654435761) >>> 0 || 1;
  const rnd = () => { s ^= s << 13; s >>>= 0; s ^= s >>> 17; s ^= s << 5; s >>>= 0; return s & 255; };
  return png(width, height, () => [rnd(), rnd(), rnd()], 1);
}

// A TrueType font whose A-Z are all one solid square: easy to see whether it was applied.
export function blockFont(family = 'Corpus Block') {
  const u16 = (...v) => { const b = Buffer.alloc(v.length * 2); v.forEach((x, i) => b.writeUInt16BE(x & 0xffff, i * 2)); return b; };
  const u32 = (...v) => { const b = Buffer.alloc(v.length * 4); v.forEach((x, i) => b.writeUInt32BE(x >>> 0, i * 4)); return b; };
  const box = (x0, y0, x1, y1) => Buffer.concat([
    u16(1, x0, y0, x1, y1), u16(3), u16(0), Buffer.from([1, 1, 1, 1]),
    u16(x0, x1 - x0, 0, x0 - x1), u16(y0, 0, y1 - y0, 0), Buffer.alloc(2),
  ]);
  const g0 = box(50, 0, 450, 700), g1 = box(50, 0, 950, 900);
  const pad = b => b.length % 4 ? Buffer.concat([b, Buffer.alloc(4 - b.length % 4)]) : b;
  const p0 = pad(g0), p1 = pad(g1);
  const glyf = Buffer.concat([p0, p1]);
  const loca = u16(0, p0.length / 2, (p0.length + p1.length) / 2);
  const seg = Buffer.concat([u16(0x5a, 0xffff), u16(0), u16(0x41, 0xffff), u16(0, 1), u16(4, 0)]);
  const sub = Buffer.concat([u16(4, 14 + seg.length + 52, 0, 4, 4, 1, 0), seg, u16(...Array(26).fill(1))]);
  const cmap = Buffer.concat([u16(0, 1, 3, 1), u32(12), sub]);
  const head = Buffer.concat([u32(0x00010000, 0x00010000, 0, 0x5f0f3cf5), u16(3, 1000), Buffer.alloc(16), u16(0, 0, 1000, 1000, 0, 8, 2, 0, 0)]);
  const hhea = Buffer.concat([u32(0x00010000), u16(900, -100, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 2)]);
  const hmtx = u16(500, 50, 1000, 50);
  const maxp = Buffer.concat([u32(0x00010000), u16(2, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)]);
  const names = [[1, family], [2, 'Regular'], [3, family + ' 1'], [4, family], [5, 'Version 1.0'], [6, family.replace(/ /g, '')]];
  let strings = Buffer.alloc(0);
  const recs = [];
  for (const [id, s] of names) {
    const b = Buffer.from(s, 'utf16le').swap16();
    recs.push(u16(3, 1, 0x409, id, b.length, strings.length));
    strings = Buffer.concat([strings, b]);
  }
  const name = Buffer.concat([u16(0, recs.length, 6 + recs.length * 12), ...recs, strings]);
  const os2 = Buffer.concat([
    u16(4, 1000, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0), Buffer.alloc(10), u32(1, 0, 0, 0), Buffer.from('CRPS'),
    u16(0x40, 0x41, 0x5a, 900, -100, 0, 900, 100), u32(1, 0), u16(500, 700, 0, 0x20, 1),
  ]);
  const post = Buffer.concat([u32(0x00030000, 0), u16(-100, 50), u32(0, 0, 0, 0, 0)]);
  const tables = { 'OS/2': os2, cmap, glyf, head, hhea, hmtx, loca, maxp, name, post };
  const tags = Object.keys(tables).sort();
  let off = 12 + tags.length * 16;
  const dir = [u32(0x00010000), u16(tags.length, 128, 3, tags.length * 16 - 128)];
  const body = [];
  const sum = b => { let s = 0; for (let i = 0; i < b.length; i += 4) s = (s + b.readUInt32BE(i)) >>> 0; return s; };
  for (const t of tags) {
    const p = pad(tables[t]);
    dir.push(Buffer.from(t.padEnd(4), 'latin1'), u32(sum(p), off, tables[t].length));
    body.push(p);
    off += p.length;
  }
  const font = Buffer.concat([...dir, ...body]);
  return font;
}
