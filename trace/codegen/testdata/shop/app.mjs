// A small shop with a login, and bugs to switch on.
import http from 'node:http';
const bug = process.env.BUG || '';
const port = +(process.env.PORT || 0);
let items = [{ id: 101, name: 'Teapot' }], next = 102;
const page = `<!doctype html><html lang=en><head><title>Shop</title></head><body>
<h1>Shop</h1><p id=clock></p>
<form id=login><label>E-mail <input name=user type=email></label><label>Password <input name=pass type=password></label><button>Sign in</button></form>
<section id=shop hidden><h2>Items</h2><p role=status id=note></p><ul data-testid=items></ul>
<form id=add><label>Item <input name=item></label><label>Size <select name=size><option value=s>Small</option><option value=l>Large</option></select></label><label><input type=checkbox name=gift> Gift</label><button>Add item</button></form>
<button id=gql>Count</button><output id=total></output><a href="/about">About</a></section>
<script>
setInterval(() => clock.textContent = new Date().toISOString(), 50);
const $ = s => document.querySelector(s);
async function list() { const r = await fetch('/api/items?_=' + Date.now()); const l = await r.json(); $('ul').replaceChildren(...l.map(i => Object.assign(document.createElement('li'), { textContent: i.name }))); }
login.onsubmit = async e => { e.preventDefault(); const r = await fetch('/api/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ user: login.user.value, password: login.pass.value }) }); if (!r.ok) { clock.textContent = 'no'; return; } login.hidden = true; shop.hidden = false; await list(); };
add.onsubmit = async e => { e.preventDefault(); const r = await fetch('/api/items', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name: add.item.value, size: add.size.value, gift: add.gift.checked }) }); const i = await r.json(); ${bug === 'throw' ? 'i.missing.thing();' : ''} note.textContent = ${bug === 'text' ? '"failed"' : '"Added " + i.name'}; await list(); };
gql.onclick = async () => { const r = await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operationName: 'Count', query: 'query Count { count }' }) }); total.textContent = (await r.json()).data.count + ' items'; };
</script></body></html>`;
http.createServer((q, r) => {
  const url = new URL(q.url, 'http://x'); let body = '';
  q.on('data', d => body += d).on('end', () => {
    const json = (s, v) => { r.writeHead(s, { 'content-type': 'application/json' }); r.end(JSON.stringify(v)); };
    if (url.pathname === '/') { items = [{ id: 101, name: 'Teapot' }]; r.setHeader('content-type', 'text/html'); return r.end(page); }
    if (url.pathname === '/about') { r.setHeader('content-type', 'text/html'); return r.end('<title>About</title><h1>About us</h1><a href="/">Home</a>'); }
    if (url.pathname === '/api/login') { const b = JSON.parse(body); return b.password === 's3cret-pw' && b.user === 'ada@shop.example' ? json(200, { ok: true, token: 'tok_' + Math.random() }) : json(401, {}); }
    if (url.pathname === '/api/items' && q.method === 'POST') { if (bug === 'silent') return; if (bug === '500') return json(500, { error: 'broken' }); const i = { id: next++, ...JSON.parse(body) }; items.push(i); return setTimeout(() => json(201, i), 300); }
    if (url.pathname === '/api/items') return json(200, items);
    if (url.pathname === '/graphql') return json(200, { data: { count: items.length } });
    r.statusCode = 404; r.end('no');
  });
}).listen(port, function () { console.log("http://localhost:" + this.address().port); });
