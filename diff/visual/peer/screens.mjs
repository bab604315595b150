// node screens.mjs OUTDIR: takes the screenshots that the picture comparison is measured on, of a page of text, cards and
// a table as applications have them, by a Chromium over its debugging pipe. BROWSER names it.
import {spawn} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [out = 'pairs'] = process.argv.slice(2);
const words = 'invoice customer region pending settled review export monthly account latency baseline profile network filter quarter dialog'.split(' ');

function page({small, shift, fraction, banner}) {
  let state = 7;
  const int = n => (state = Math.imul(state, 1103515245) + 12345 >>> 0, (state >>> 8) % n);
  const word = () => words[int(words.length)], text = n => Array.from({length: n}, word).join(' ');
  const card = () => `<div class=card><h3>${text(2)}</h3><b>${(int(9e6) / 100).toFixed(2)}</b><p>${text(5 + int(6))}</p><button>Approve</button></div>`;
  const row = i => `<tr><td>#${1040 + i}</td><td>${text(2)}</td><td>${word()}</td><td><span style="background:hsl(${int(360)} 60% 84%)">${word()}</span></td><td>${(int(1e6) / 100).toFixed(2)}</td><td>2024-0${1 + int(9)}-${10 + int(18)}</td></tr>`;
  const bars = () => Array.from({length: 48}, (_, i) => `<rect x=${i * 25} y=${int(60)} width=18 height=120 fill="hsl(${200 + i} 70% 55%)"/>`).join('');
  let body = '';
  for (let block = 0; block < 12; block++) {
    body += `<div class=cards>${card()}${card()}${card()}${card()}</div>` + `<svg width=1200 height=120>${bars()}</svg>` +
      `<table><tr><th>Id<th>Customer<th>Region<th>Status<th>Amount<th>Updated</tr>${Array.from({length: 12}, (_, i) => row(block * 12 + i)).join('')}</table>`;
  }
  return `<!doctype html><meta charset=utf-8><style>body{margin:0;background:#f4f6fa;font:15px/22px sans-serif;color:#1c2430;padding-top:${shift || 0}px}
header{height:64px;background:linear-gradient(90deg,#1d3a70,#3566d6);color:#fff;font-size:20px;line-height:64px;padding-left:24px}
main{padding:24px 40px;${fraction ? 'transform:translateX(.37px);' : ''}}.cards{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;margin-bottom:20px}
.card{background:#fff;border-radius:10px;box-shadow:0 2px 6px #0003;padding:16px}.card b{font-size:26px}button{background:${small ? '#2f8f5b' : '#3566d6'};color:#fff;border:0;border-radius:5px;padding:8px 40px}
table{width:100%;border-collapse:collapse;background:#fff;margin-bottom:24px}td,th{text-align:left;padding:7px 12px;border-bottom:1px solid #dfe3ea}span{border-radius:9px;padding:2px 9px;font-size:12px}</style>
${banner ? '<div style="height:40px;background:#fde9b8">A new version is there.</div>' : ''}<header>Operations</header><main>${body}</main>`;
}

mkdirSync(out, {recursive: true});
const profile = mkdtempSync(join(tmpdir(), 'screens-'));
const chromium = spawn(process.env.BROWSER || 'chromium', ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--no-first-run', '--disable-quic',
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-lcd-text', '--font-render-hinting=none', '--force-color-profile=srgb',
  '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
chromium.on('error', err => { console.error(`screens: ${err.message}`); process.exit(1); });

let number = 0, rest = Buffer.alloc(0);
const waiting = new Map();
chromium.stdio[4].on('data', data => {
  rest = Buffer.concat([rest, data]);
  for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
    const message = JSON.parse(rest.subarray(0, end).toString()), done = waiting.get(message.id);
    waiting.delete(message.id);
    if (done) message.error ? done.no(new Error(message.error.message)) : done.ok(message.result);
  }
});
const send = (method, params = {}, sessionId) => new Promise((ok, no) => {
  waiting.set(++number, {ok, no});
  chromium.stdio[3].write(JSON.stringify({id: number, method, params, sessionId}) + '\0');
});

async function shot(name, change, height, scale = 1, how = {}) {
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
  await send('Page.enable', {}, sessionId);
  await send('Emulation.setDeviceMetricsOverride', {width: 1280, height, deviceScaleFactor: scale, mobile: false}, sessionId);
  const {frameTree} = await send('Page.getFrameTree', {}, sessionId);
  await send('Page.setDocumentContent', {frameId: frameTree.frame.id, html: page(change)}, sessionId);
  await send('Runtime.evaluate', {awaitPromise: true, expression: 'document.fonts.ready.then(() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1)))))'}, sessionId);
  const {data} = await send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: true, clip: {x: 0, y: 0, width: 1280, height, scale: 1}, ...how}, sessionId);
  writeFileSync(join(out, name + '.png'), Buffer.from(data, 'base64'));
  await send('Target.closeTarget', {targetId});
}

await shot('view', {}, 720);
await shot('view-same', {}, 720);
await shot('view-fast', {}, 720, 1, {optimizeForSpeed: true});
await shot('view-small', {small: true}, 720);
await shot('view-shift', {shift: 1}, 720);
await shot('view-fraction', {fraction: true}, 720);
await shot('full', {}, 8000);
await shot('full-small', {small: true}, 8000);
await shot('full-insert', {banner: true}, 8000);
await shot('4k', {}, 720, 3);
await shot('4k-small', {small: true}, 720, 3);
chromium.on('exit', () => rmSync(profile, {recursive: true, force: true, maxRetries: 5}));
await send('Browser.close').catch(() => {});
