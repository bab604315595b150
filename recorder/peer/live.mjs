// Measures how long a live recording takes to be seen: from a click in a page to
// its row in tracedeck view of the folder that is recorded into.
//
//   PW_CORE=…/playwright-core TRACEDECK=bin/tracedeck node live.mjs [CLICKS]
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { freePort, launch, record } from './browser.mjs';

const clicks = Number(process.argv[2] || 40), bar = 300; // ms
const out = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'live-')), 'live.zip');
const html = '<!doctype html><title>Live</title>' + Array.from({ length: clicks }, (_, i) => `<button>Button ${1000 + i}</button>`).join(' ') +
  '<p id=out></p><script>addEventListener("click", e => { window.clicked = performance.timeOrigin + e.timeStamp; out.textContent = e.target.textContent; }, true)</script>';
const server = http.createServer((q, r) => { r.writeHead(200, { 'content-type': 'text/html' }); r.end(html); });
await new Promise(r => server.listen(0, '127.0.0.1', r));
const port = await freePort(), browser = await launch(port), page = await browser.newPage();
const stop = await record(port, out);
await page.goto(`http://127.0.0.1:${server.address().port}/`);

const view = spawn(process.env.TRACEDECK, ['view', '--no-open', '--port', '0', out + '.recording'], { stdio: ['ignore', 'pipe', 'pipe'] });
const address = await new Promise((resolve, reject) => {
  let said = '';
  for (const s of [view.stdout, view.stderr]) s.on('data', d => { said += d; const m = /http:\/\/\S+/.exec(said); if (m) resolve(m[0]); });
  view.on('exit', () => reject(new Error('the viewer ended: ' + said)));
});
const watcher = await launch(), shown = await watcher.newPage({ viewport: { width: 1400, height: 900 } });
const framed = new Map(); // when a frame of the viewer's socket named a button
shown.on('websocket', ws => ws.on('framereceived', ({ payload }) => {
  for (const [name] of String(payload).matchAll(/Button \d{4}/g)) if (!framed.has(name)) framed.set(name, Date.now());
}));
await shown.addInitScript(() => {
  window.drawn = {};
  new MutationObserver(() => { for (const [name] of (document.querySelector('#steps')?.textContent ?? '').matchAll(/Button \d{4}/g)) window.drawn[name] ??= performance.timeOrigin + performance.now(); })
    .observe(document, { subtree: true, childList: true, characterData: true });
});
await shown.goto(address);
await shown.locator('#steps .row').first().waitFor({ timeout: 30000 });
const socket = [], rows = [];
for (let i = 0; i < clicks; i++) {
  const name = `Button ${1000 + i}`;
  await page.getByRole('button', { name }).click();
  const at = await page.evaluate(() => window.clicked);
  await shown.waitForFunction(n => window.drawn[n], name, { timeout: 10000, polling: 50 });
  rows.push(await shown.evaluate(n => window.drawn[n], name) - at);
  if (framed.has(name)) socket.push(framed.get(name) - at);
  await page.waitForTimeout(100 + Math.random() * 300);
}
const line = (what, list) => {
  list.sort((a, b) => a - b);
  const of = q => list[Math.min(list.length - 1, Math.floor(q * list.length))]?.toFixed(0) ?? '-';
  console.log(`${what.padEnd(16)} median ${of(0.5)} ms, nine of ten within ${of(0.9)} ms, longest ${of(1)} ms, of ${list.length} clicks`);
  return Number(of(1));
};
line('socket frame', socket);
const longest = line('row on screen', rows);
console.log(`bar: each row within ${bar} ms; ${longest <= bar ? 'held' : 'missed'}`);
await stop();
view.kill('SIGINT');
await watcher.close(); await browser.close();
server.closeAllConnections(); server.close();
process.exit(longest <= bar ? 0 : 1);
