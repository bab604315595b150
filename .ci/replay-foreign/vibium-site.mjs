// The shop on which the Vibium traces of the corpus were recorded, as far as
// these show it.
import http from 'node:http';

const page = (title, body, script = '') => `<!doctype html><html lang=en><meta charset=utf-8><title>${title}</title><link rel=stylesheet href=/static/site.css><script src=/static/app.js></script><h1>${title}</h1>${body}<script>${script}</script>`;
const say = `const out = document.body.appendChild(document.createElement('pre')), say = x => out.textContent += x + '\\n';`;
const svg = fill => `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="${fill}"/></svg>`;

const pages = other => ({
  '/': page('Shop', `<p><img src=/img/red.png><button data-sku=red>red</button> <img src=/img/blue.png><button data-sku=blue>blue</button> <img src=/img/missing.png></p>
    <p><a id=form href=/form>form</a> ${['load', 'cross', 'redir', 'missing', 'refused', 'abort', 'boom'].map(i => `<button id=${i}>${i}</button>`).join(' ')}</p>`, `${say}
    const ask = (id, f) => { document.getElementById(id).onclick = () => f().then(async r => say(r.status + ' ' + (await r.text()).length), e => say(e.name)); };
    ask('load', () => fetch('/api/items?page=2&q=a%20b&token=tok-123')); ask('cross', () => fetch('${other}/rates')); ask('redir', () => fetch('/redir?n=2')); ask('missing', () => fetch('/api/nope'));
    ask('refused', () => fetch('http://127.0.0.1:41999/')); ask('abort', () => { const c = new AbortController(); setTimeout(() => c.abort(), 20); return fetch('/slow', { signal: c.signal }); });
    document.getElementById('boom').onclick = () => { throw new Error('boom'); };
    for (const b of document.querySelectorAll('[data-sku]')) b.onclick = () => fetch('/api/cart', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ sku: b.dataset.sku }) }).then(r => say('cart ' + r.status));`),
  '/new': page('New', '<p>The page that has moved.</p><a id=home href=/>home</a>'),
  '/login': page('Log in', '<form method=post action=/login><input id=user name=user><input id=pass name=pass type=password><button id=go>go</button></form>'),
  '/welcome': page('Welcome', '<a id=home href=/>home</a>'),
  '/form': page('Form', `<form onsubmit="event.preventDefault()"><input id=name> <input id=note> <input id=email type=email> <select id=col><option value=r>red<option value=g>green<option value=b>blue</select>
    <label><input id=tos type=checkbox> terms</label> <button id=send>send</button></form>`),
  '/dialogs': page('Dialogs', `<button id=al onclick="alert('hello')">alert</button> <button id=cf onclick="this.textContent = confirm('sure?')">confirm</button>
    <button id=push onclick="history.pushState(1, '', '/pushed')">push</button> <button id=hash onclick="location.hash = 'part'">hash</button> <a id=pop href=/new target=_blank rel=opener>pop</a>`),
  '/frames': page('Frames', '<iframe src=/form width=400 height=120></iframe><x-box></x-box><canvas id=cv width=80 height=40></canvas>', `
    customElements.define('x-box', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<b>in the shadow</b>'; } });
    cv.onclick = () => { const c = cv.getContext('2d'); c.fillStyle = 'teal'; c.fillRect(0, 0, 80, 40); };`),
});

export async function startSite() {
  const origins = {};
  let all;
  const answer = async (req, res) => {
    const u = new URL(req.url, 'http://x'), p = u.pathname;
    const send = (status, type, body = '', headers = {}) => { res.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*', ...headers }); res.end(body); };
    if (p === '/login' && req.method === 'POST') { let s = ''; for await (const d of req) s += d; return send(302, 'text/plain', '', { location: '/welcome?u=' + encodeURIComponent(new URLSearchParams(s).get('user')) }); }
    if (all[p]) return send(200, 'text/html', all[p]);
    const n = +u.searchParams.get('n');
    switch (p) {
      case '/static/site.css': return send(200, 'text/css', 'body { font: 16px sans-serif; margin: 30px }');
      case '/static/app.js': return send(200, 'text/javascript', 'window.app = 1');
      case '/img/red.png': case '/img/blue.png': return send(200, 'image/svg+xml', svg(p.slice(5, -4)));
      case '/api/items': return send(200, 'application/json', '{"items":[1,2,3]}');
      case '/api/cart': return send(201, 'application/json', '{"n":1}');
      case '/rates': return send(200, 'application/json', '{"eur":1}');
      case '/redir': return n > 0 ? send(307, 'text/plain', '', { location: '/redir?n=' + (n - 1) }) : send(200, 'text/plain', 'there');
      case '/old': return send(301, 'text/plain', '', { location: '/mid' });
      case '/mid': return send(302, 'text/plain', '', { location: '/new' });
      case '/empty': return send(204, 'text/plain');
      case '/err500': return send(500, 'text/plain', 'broken');
      case '/slow': return setTimeout(() => send(200, 'text/plain', 'slow'), 1000);
    }
    send(404, p.startsWith('/api/') ? 'application/json' : 'text/html', '{}');
  };
  const listen = async () => { const s = http.createServer(answer); await new Promise(done => s.listen(0, '127.0.0.1', done)); return s; };
  const a = await listen(), b = await listen();
  origins.main = 'http://127.0.0.1:' + a.address().port;
  origins.other = 'http://127.0.0.1:' + b.address().port;
  all = pages(origins.other);
  return { ...origins, close() { for (const s of [a, b]) { s.closeAllConnections(); s.close(); } } };
}
