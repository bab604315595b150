// A page that storms: what it does too much of stands behind the # of its address.
import { createHash } from 'node:crypto';
import http from 'node:http';

export const storms = ['calm', 'lines', 'nodes', 'lines+nodes', 'requests', 'messages'];

// Each storm tries to do so much a second, in turns of 10 ms; a page that cannot
// keep up does less.
const page = `<!doctype html><title>Storm</title><style>button{position:fixed;left:0;top:0;width:120px;height:40px}main{padding-top:60px}</style>
<button>Click</button><output></output><main></main><script>
const kinds = location.hash.slice(1).split('+'), main = document.querySelector('main'), turn = 10;
const done = Object.fromEntries(kinds.map(k => [k, 0]));
const each = {
  calm: [0, () => {}],
  lines: [1000, () => console.log('line', done.lines)],
  nodes: [100, () => { const p = document.createElement('p'); p.textContent = 'Node ' + done.nodes; main.append(p); if (main.childElementCount > 1000) main.firstChild.remove(); }],
  requests: [10, () => fetch('/data?' + done.requests).then(r => r.text(), () => {})],
};
for (const k of kinds) {
  if (k === 'messages') { new WebSocket(location.origin.replace('http', 'ws') + '/').onmessage = () => { done.messages++; }; continue; }
  const [n, once] = each[k];
  const go = () => { const end = performance.now() + turn; for (let i = 0; i < n && performance.now() < end; i++) { once(); done[k]++; } setTimeout(go, Math.max(0, end - performance.now())); };
  go();
}
let frames = 0, gap = 0, last = 0, answers = [], since = 0, before;
const frame = now => { frames++; if (last) gap = Math.max(gap, now - last); last = now; requestAnimationFrame(frame); };
requestAnimationFrame(frame);
addEventListener('pointerdown', e => { document.querySelector('output').textContent = answers.length; requestAnimationFrame(() => { const c = new MessageChannel; c.port1.onmessage = () => answers.push(performance.now() - e.timeStamp); c.port2.postMessage(0); }); });
function begin() { frames = gap = last = 0; answers = []; since = performance.now(); before = { ...done }; }
function measured() { const s = (performance.now() - since) / 1000; return { frames: frames / s, gap, answers, done: kinds.map(k => (done[k] - before[k]) / s) }; }
</script>`;

const text = s => Buffer.concat([Buffer.from([0x81, s.length]), Buffer.from(s)]); // a frame of a WebSocket, of less than 126 bytes

export async function serveStorm() {
  const sockets = new Set();
  const server = http.createServer((q, r) => {
    r.writeHead(200, { 'content-type': q.url === '/' ? 'text/html' : 'text/plain' });
    r.end(q.url === '/' ? page : 'data of ' + q.url);
  });
  server.on('upgrade', (q, socket) => {
    const accept = createHash('sha1').update(q.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    let n = 0;
    const timer = setInterval(() => { for (let i = 0; i < 10; i++) socket.write(text('message ' + n++)); }, 10);
    sockets.add(socket);
    const over = () => { clearInterval(timer); sockets.delete(socket); };
    socket.on('close', over);
    socket.on('error', over);
    socket.on('data', () => {});
  });
  await new Promise(r => server.listen(0, '127.0.0.1', r));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => { for (const s of sockets) s.destroy(); server.closeAllConnections(); server.close(); } };
}
