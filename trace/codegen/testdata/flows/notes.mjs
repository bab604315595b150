// An app with a login by form post and cookie, CSRF token, GraphQL, SPA and pagination.
import http from 'node:http'; import crypto from 'node:crypto';
const bug = process.env.BUG || '';
let notes = [], next = 1; const sessions = new Set();
const page = (title, body) => `<!doctype html><html lang=en><head><meta charset=utf-8><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
http.createServer((q, r) => {
  const u = new URL(q.url, 'http://x'); let body = '';
  q.on('data', d => body += d).on('end', () => {
    const json = (s, v) => { r.writeHead(s, { 'content-type': 'application/json' }); r.end(JSON.stringify(v)); };
    const html = t => { r.setHeader('content-type', 'text/html'); r.end(t); };
    const sid = /sid=(\w+)/.exec(q.headers.cookie || '')?.[1];
    const user = sessions.has(sid);
    if (u.pathname === '/login' && q.method === 'GET') return html(page('Sign in', `<form method=post action=/login><input type=hidden name=csrf value=${crypto.randomBytes(12).toString('hex')}><label>User name <input name=username autocomplete=username></label><label>Password <input name=password type=password></label><button>Log in</button></form>`));
    if (u.pathname === '/login') { const f = new URLSearchParams(body); if (f.get('username') !== 'ada@shop.example' || f.get('password') !== 's3cret-pw') return html(page('Sign in', '<p role=alert>Wrong</p>')); const id = crypto.randomBytes(16).toString('hex'); sessions.add(id); notes = []; r.writeHead(302, { location: '/notes', 'set-cookie': `sid=${id}; HttpOnly; Path=/` }); return r.end(); }
    if (!user) { r.writeHead(302, { location: '/login' }); return r.end(); }
    if (u.pathname === '/notes' || /^\/notes\/\d+$/.test(u.pathname)) return html(page('Notes', `<nav aria-label=Main><a href=/notes>All</a> <a href=/logout>Log out</a></nav><label>New note <input id=n></label><button id=add>Add</button><p role=status id=st></p><ul id=l></ul><section id=one></section>
<script>
const gql = async (operationName, query, variables) => (await (await fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ operationName, query, variables }) })).json());
const show = async () => { const { data } = await gql('Notes', 'query Notes { notes { id text } }'); l.replaceChildren(...data.notes.map(x => { const li = document.createElement('li'); const a = document.createElement('a'); a.href = '/notes/' + x.id; a.textContent = x.text; a.onclick = e => { e.preventDefault(); history.pushState({}, '', a.href); open1(x.id) }; const b = document.createElement('button'); b.textContent = 'Delete'; b.setAttribute('aria-label', 'Delete ' + x.text); b.onclick = async () => { await gql('Remove', 'mutation Remove($id: ID!) { remove(id: $id) { id } }', { id: x.id }); st.textContent = 'Deleted ' + x.text; await show(); }; li.append(a, ' ', b); return li; })) };
const open1 = async id => { const { data } = await gql('Note', 'query Note($id: ID!) { note(id: $id) { id text length } }', { id }); one.innerHTML = '<h2></h2><p data-testid=length></p>'; one.querySelector('h2').textContent = data.note.text; one.querySelector('p').textContent = data.note.length + ' letters'; };
add.onclick = async () => { const r = await gql('Add', 'mutation Add($text: String!) { add(text: $text) { id } }', { text: n.value }); if (r.errors) { st.textContent = r.errors[0].message; return; } st.textContent = 'Added ' + n.value; n.value = ''; await show(); };
show();
</script>`));
    if (u.pathname === '/logout') { sessions.delete(sid); r.writeHead(302, { location: '/login', 'set-cookie': 'sid=; Max-Age=0; Path=/' }); return r.end(); }
    if (u.pathname === '/graphql') {
      const { operationName: op, variables: v } = JSON.parse(body);
      if (op === 'Notes') return json(200, { data: { notes } });
      if (op === 'Add') { if (bug === 'add') return json(200, { errors: [{ message: 'not added' }], data: null }); const x = { id: String(next++), text: v.text }; notes.push(x); return json(200, { data: { add: { id: x.id } } }); }
      if (op === 'Note') { const x = notes.find(x => x.id === v.id); return json(bug === 'note' ? 500 : 200, { data: { note: x && { ...x, length: bug === 'length' ? 0 : x.text.length } } }); }
      if (op === 'Remove') { notes = notes.filter(x => x.id !== v.id); return json(200, { data: { remove: { id: v.id } } }); }
    }
    r.statusCode = 404; r.end('no');
  });
}).listen(+(process.env.PORT || 0), function () { console.log('http://localhost:' + this.address().port); });
