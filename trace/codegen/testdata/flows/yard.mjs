// Pages with everything that a person does in a browser, and bugs to switch on.
import http from 'node:http';
const bug = process.env.BUG || '';
const doc = (title, body) => `<!doctype html><html lang=en><head><meta charset=utf-8><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
const routes = {
  '/': () => doc('Yard', `<nav><a href=/forms>Forms</a> <a href=/windows>Windows</a> <a href=/files>Files</a> <a href=/frames>Frames</a> <a href=/app>App</a></nav>`),
  '/forms': () => doc('Forms', `<form id=f method=post action=/sent><label>Name <input name=name required></label>
<label>Born <input type=date name=born></label><label>Colour <input type=color name=colour></label><label>Level <input type=range name=level min=0 max=10 value=2></label>
<label>Age <input type=number name=age></label><label>Story <textarea name=story></textarea></label>
<fieldset><legend>Plan</legend><label><input type=radio name=plan value=free checked> Free</label><label><input type=radio name=plan value=paid> Paid</label></fieldset>
<label>Tags <select name=tags multiple><option>red</option><option>green</option><option>blue</option></select></label>
<label>Country <select name=country><option value="">Choose</option><option value=fr>France</option><option value=jp>Japan</option></select></label>
<label><input type=checkbox name=news checked> News</label><label><input type=checkbox name=terms> Terms</label>
<div id=note contenteditable=true role=textbox aria-label=Note></div><button>Send</button></form><p role=status id=st></p>
<script>f.country.onchange = () => st.textContent = 'Country is ' + f.country.value${bug === 'country' ? " + '?'" : ''};</script>`),
  '/windows': () => doc('Windows', `<a target=_blank href=/popup?n=1>Open page</a><button onclick="open('/popup?n=2','w','width=400,height=300')">Open window</button>
<button onclick="alert('Hello'); o.textContent='alerted'">Alert</button><button onclick="o.textContent='sure: '+confirm('Sure?')">Confirm</button><button onclick="o.textContent='name: '+prompt('Name?','nobody')">Prompt</button>
<button ondblclick="o.textContent='twice'">Double</button><button oncontextmenu="event.preventDefault();o.textContent='menu'">Context</button>
<div aria-label=Menu role=group style="position:relative" onmouseenter="sub.hidden=false">Menu<ul id=sub hidden><li><button onclick="o.textContent='chosen'">Item one</button></li></ul></div>
<input aria-label=Search onkeydown="if(event.key==='Enter'){o.textContent='searched '+this.value}else if(event.key==='Escape'){this.value='';o.textContent='cleared'}">
<p role=status id=o></p>`),
  '/popup': u => doc('Popup ' + u.searchParams.get('n'), `<button onclick="this.textContent='${bug === 'popup' ? 'stuck' : 'pressed'}'">press</button><button onclick="window.close()">Close me</button>`),
  '/files': () => doc('Files', `<a href=/report.csv download>Report</a><button onclick="const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['made']));a.download='made.txt';a.click()">Make file</button>
<form method=post action=/sent enctype=multipart/form-data><label>Photo <input type=file name=photo multiple onchange="n.textContent=[...this.files].map(f=>f.name).join(', ')"></label><button>Upload</button></form>
<button onclick="document.querySelector('input').click()">Pick</button><p id=n role=status></p>
<div id=a draggable=true style="width:80px;height:40px;background:#ccc" ondragstart="event.dataTransfer.setData('text/plain','crate')">Crate</div>
<div id=b aria-label=Shelf style="width:120px;height:80px;background:#eee" ondragover="event.preventDefault()" ondrop="event.preventDefault();this.textContent='has '+event.dataTransfer.getData('text/plain')">Shelf</div>`),
  '/frames': (u, host) => doc('Frames', `<iframe title=inner src=/inner width=300 height=160></iframe><iframe title=far src="http://127.0.0.1:${host.split(':')[1]}/inner?far" width=300 height=160></iframe><x-box></x-box>
<script>customElements.define('x-box', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({mode:'open'}); r.innerHTML='<button>Shadow</button><output>0</output>'; let n=0; r.querySelector('button').onclick=()=>r.querySelector('output').textContent='shadow '+ ++n } });</script>`),
  '/inner': u => doc('Inner', `<label>Word <input id=w></label><button onclick="o.textContent='said '+w.value">Say</button><p id=o role=status></p>`),
  '/app': () => doc('App', `<nav><button onclick="go('one')">One</button><button onclick="go('two')">Two</button></nav><main id=m></main><button onclick="load()">Load</button><ul id=l></ul>
<button onclick="boom()">Boom</button>
<script>function go(p){history.pushState({},'','/app/'+p);m.innerHTML='<h2>View '+p+'</h2>'} async function load(){const r=await fetch('/api/things?page=1&size=3');const d=await r.json();l.replaceChildren(...d.items.map(i=>Object.assign(document.createElement('li'),{textContent:i.name})))}
async function boom(){const r=await fetch('/api/boom',{method:'POST',body:'x'}); if(!r.ok) throw new Error('boom '+r.status)}</script>`),
};
http.createServer((q, r) => {
  const u = new URL(q.url, 'http://x'); let body = [];
  q.on('data', d => body.push(d)).on('end', () => {
    const json = (s, v) => { r.writeHead(s, { 'content-type': 'application/json' }); r.end(JSON.stringify(v)); };
    const page = routes[u.pathname.startsWith('/app') ? '/app' : u.pathname];
    if (page) { r.setHeader('content-type', 'text/html'); return r.end(page(u, q.headers.host)); }
    if (u.pathname === '/sent') { r.setHeader('content-type', 'text/html'); return r.end(doc(bug === 'sent' ? 'Lost' : 'Sent', `<p role=status>${Buffer.concat(body).length > 0 ? 'Thank you' : 'Nothing'}</p>`)); }
    if (u.pathname === '/report.csv') { r.setHeader('content-disposition', 'attachment; filename="report.csv"'); r.setHeader('content-type', 'text/csv'); return r.end('a,b\n1,2\n'); }
    if (u.pathname === '/api/things') return json(bug === 'things' ? 503 : 200, { items: ['ladder', 'rake', 'spade'].map((name, i) => ({ id: i + 1, name })), page: 1 });
    if (u.pathname === '/api/boom') return json(bug === 'boom' ? 500 : 201, {});
    r.statusCode = 404; r.end('no');
  });
}).listen(+(process.env.PORT || 0), function () { console.log('http://localhost:' + this.address().port); });
