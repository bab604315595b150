// node pairs.mjs OUTDIR [COUNT]: writes COUNT generated pairs of pictures, and cases.json with what each published
// pixelmatch counts for them. PEERS is a folder with pixelmatch (7.2.0), pixelmatch5 (an alias of pixelmatch@5.2.0) and
// pngjs in its node_modules; PIXELMATCH_MAIN, if set, is the index.js of the main branch, as an .mjs file.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {createRequire} from 'node:module';
import {pathToFileURL} from 'node:url';

const [out = 'generated', count = '320'] = process.argv.slice(2);
const require = createRequire(pathToFileURL((process.env.PEERS || process.cwd()) + '/peers.js'));
const load = async path => (await import(pathToFileURL(path).href)).default;
const {PNG} = require('pngjs');
const peers = {pixelmatch7: await load(require.resolve('pixelmatch')), pixelmatch5: require('pixelmatch5')};
if (process.env.PIXELMATCH_MAIN) peers.oklab = await load(process.env.PIXELMATCH_MAIN);

let state = 1;
const random = () => {
  state = state + 0x6d2b79f5 | 0;
  let t = Math.imul(state ^ state >>> 15, 1 | state);
  t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
  return ((t ^ t >>> 14) >>> 0) / 4294967296;
};
const int = n => Math.floor(random() * n);
const color = alpha => [int(256), int(256), int(256), alpha ? [0, 1, 127, 128, 254, 255, int(256)][int(7)] : 255];

// Scenes are functions of a place, so that a scene can be drawn again a fraction of a pixel further.
function scene(w, h, alpha) {
  const back = color(alpha), shapes = [];
  for (let i = 0, n = 1 + int(12); i < n; i++) {
    const c = color(alpha), x = random() * w, y = random() * h, r = 1 + random() * Math.max(w, h) / 3;
    const kind = int(4), slope = random() * 4 - 2;
    shapes.push({c, inside: (px, py) =>
      kind === 0 ? Math.hypot(px - x, py - y) < r :
      kind === 1 ? Math.abs(px - x) < r && Math.abs(py - y) < r / 3 :
      kind === 2 ? Math.abs(py - y - slope * (px - x)) < 1.2 :
      Math.abs(Math.hypot(px - x, py - y) - r) < 0.8});
  }
  const tilt = int(3) === 0 ? random() : 0, noise = int(4) === 0 ? 1 + int(20) : 0;
  return {back, shapes, tilt, noise};
}

function draw(s, w, h, dx, dy, samples) {
  const data = Buffer.alloc(w * h * 4);
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) {
    const sum = [0, 0, 0, 0];
    for (let i = 0; i < samples; i++) for (let k = 0; k < samples; k++) {
      const px = x + dx + (i + 0.5) / samples, py = y + dy + (k + 0.5) / samples;
      let c = s.back;
      for (const shape of s.shapes) if (shape.inside(px, py)) c = shape.c;
      for (let j = 0; j < 4; j++) sum[j] += c[j];
    }
    for (let j = 0; j < 4; j++) {
      let v = sum[j] / samples / samples;
      if (j < 3) v += s.tilt * (x + y) / 2 + (s.noise ? int(s.noise) : 0);
      data[(y * w + x) * 4 + j] = Math.max(0, Math.min(255, v));
    }
  }
  return data;
}

function change(data, w, h, alpha) {
  const b = Buffer.from(data);
  switch (int(5)) {
    case 0: // a box
      for (let y = int(h), y1 = y + 1 + int(h), c = color(alpha), x0 = int(w), x1 = x0 + 1 + int(w); y < Math.min(y1, h); y++)
        for (let x = x0; x < Math.min(x1, w); x++) b.set(c, (y * w + x) * 4);
      break;
    case 1: // scattered pixels
      for (let i = 0, n = 1 + int(w * h / 4); i < n; i++) b.set(color(alpha), int(w * h) * 4);
      break;
    case 2: // slightly other colours
      for (let i = 0, d = 1 + int(60); i < b.length; i++) if (i % 4 < 3) b[i] = Math.max(0, Math.min(255, b[i] + int(d) - d / 2));
      break;
    case 3: // other alpha
      for (let i = 3; alpha && i < b.length; i += 4) if (int(3) === 0) b[i] = int(256);
      break;
    default: // rows moved
      if (h > 1) b.copyWithin(w * 4, 0, w * 4 * (h - 1));
  }
  return b;
}

mkdirSync(out, {recursive: true});
const cases = [];
for (let i = 0; i < +count; i++) {
  const w = int(6) === 0 ? 1 + int(4) : 5 + int(90), h = int(6) === 0 ? 1 + int(4) : 5 + int(90), alpha = int(2) === 0;
  const s = scene(w, h, alpha), samples = int(3) === 0 ? 1 : 3;
  const a = draw(s, w, h, 0, 0, samples);
  let b = int(2) === 0 ? draw(s, w, h, [0, 0.3, 1][int(3)], [0, 0.5][int(2)], samples) : change(a, w, h, alpha);
  if (int(6) === 0) b = change(b, w, h, alpha);
  const names = ['a', 'b'].map(side => `${String(i).padStart(3, '0')}-${side}.png`);
  [a, b].forEach((data, k) => writeFileSync(join(out, names[k]), PNG.sync.write(Object.assign(new PNG({width: w, height: h}), {data}),
    {colorType: alpha || int(3) === 0 ? 6 : 2, filterType: [-1, 0, 1, 2, 3, 4][int(6)], deflateLevel: int(10)})));
  for (const threshold of [0, [0.02, 0.05, 0.2, 0.5][int(4)], 0.1]) for (const includeAA of [false, true]) for (const checkerboard of [true, false]) {
    const options = {threshold, includeAA, checkerboard}, counts = {};
    for (const [name, match] of Object.entries(peers)) counts[name] = match(a, b, null, w, h, options);
    cases.push({a: names[0], b: names[1], ...options, counts});
  }
}
writeFileSync(join(out, 'cases.json'), JSON.stringify(cases));
console.log(`${count} pairs, ${cases.length} cases, ${Object.keys(peers).join(' ')}`);
