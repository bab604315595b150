// sha1 returns the SHA-1 of bytes in hexadecimal. crypto.subtle would not do:
// it answers later, and only pages from secure origins have it.
export function sha1(bytes: Uint8Array): string {
  const n = bytes.length, words = new Int32Array((((n + 8) >> 6) + 1) << 4);
  for (let i = 0; i < n; i++) words[i >> 2] |= bytes[i] << (24 - ((i & 3) << 3));
  words[n >> 2] |= 0x80 << (24 - ((n & 3) << 3));
  words[words.length - 2] = Math.floor(n / 0x20000000);
  words[words.length - 1] = n << 3;
  const h = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0]);
  const w = new Int32Array(80);
  for (let at = 0; at < words.length; at += 16) block(words, at, w, h);
  return Array.from(h, v => (v >>> 0).toString(16).padStart(8, "0")).join("");
}

function block(words: Int32Array, at: number, w: Int32Array, h: Int32Array): void {
  let [a, b, c, d, e] = h;
  for (let i = 0; i < 80; i++) {
    if (i < 16) w[i] = words[at + i];
    else { const x = w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16]; w[i] = (x << 1) | (x >>> 31); }
    const f = i < 20 ? ((b & c) | (~b & d)) + 0x5a827999 : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
      : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
    const t = (((a << 5) | (a >>> 27)) + f + e + w[i]) | 0;
    e = d; d = c; c = (b << 30) | (b >>> 2); b = a; a = t;
  }
  h[0] += a; h[1] += b; h[2] += c; h[3] += d; h[4] += e;
}
