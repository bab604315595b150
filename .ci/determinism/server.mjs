// Serves the apps, on two ports so that frames can be of another origin. What
// it answers depends on nothing but the request.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { WebSocketServer } from 'ws';
const [dist, port] = [process.argv[2], Number(process.argv[3])];
const kinds = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const sleep = ms => new Promise(done => setTimeout(done, ms));
const handle = async (q, r) => {
  const path = new URL(q.url, 'http://x').pathname, type = (t, more) => r.writeHead(200, { 'content-type': t, 'access-control-allow-origin': '*', ...more });
  if (path === '/ssr') {
    type('text/html; charset=utf-8');
    for (const piece of JSON.parse(readFileSync(dist + '/ssr.json'))) { r.write(piece); await sleep(60 + 90 * Math.random()); }
    return r.end();
  }
  if (path === '/api/rows') { type('application/x-ndjson'); for (let i = 0; i < 12; i++) { r.write(JSON.stringify({ v: i * i % 17 }) + '\n'); await sleep(80); } return r.end(); }
  if (path === '/api/events') { type('text/event-stream'); for (let i = 0; i < 20 && !r.destroyed; i++) { r.write(`id: ${i}\ndata: {"v":${i * 7 % 11}}\n\n`); await sleep(150); } return r.end(); }
  if (path === '/api/part') { await sleep(60 * Math.random()); type('text/html'); return r.end(`<p class="part">${q.method} ${new URL(q.url, 'http://x').search.replace(/[<&]/g, '')}</p>`); }
  if (path.startsWith('/api/')) { await sleep(30 * Math.random()); type('application/json'); return r.end(JSON.stringify({ path, size: path.length })); }
  try { const data = readFileSync(dist + path); type(kinds[extname(path)] ?? 'application/octet-stream'); r.end(data); } catch { r.writeHead(404); r.end(); }
};
const main = createServer(handle).listen(port, '127.0.0.1');
createServer(handle).listen(port + 1, '127.0.0.1');
new WebSocketServer({ server: main }).on('connection', s => {
  let n = 0; const t = setInterval(() => s.send(JSON.stringify({ v: n * 5 % 13, n: n++ })), 120);
  s.on('message', m => s.send(JSON.stringify({ v: 20, echo: String(m) }))); s.on('close', () => clearInterval(t));
});
