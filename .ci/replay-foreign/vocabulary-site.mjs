// The pages that vocabulary.mjs acts on. Each tells in #log what happened to
// it, so that an action that is not replayed as it was shows up in the next
// assertion.
import http from 'node:http';

const log = `<output id="log" style="position:fixed;bottom:0;right:0;width:45%;background:#eee;pointer-events:none;z-index:9"></output><script>
  const say = (...a) => { const o = document.getElementById('log'); o.textContent = (o.textContent + ' ' + a.join(':')).trim().slice(-400); };
  const clear = () => { document.getElementById('log').textContent = ''; };
</script>`;
const page = (title, body, head = '') => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${head}<style>body{font:16px sans-serif;margin:12px}</style></head><body><h1>${title}</h1>${log}${body}</body></html>`;

const pages = other => ({
  '/locators': page('Locators', `
    <nav aria-label="Main"><a href="#a">Home</a> <a href="#b">Home page</a></nav>
    <main>
      <h2>Products</h2><div role="heading" aria-level="4">Deep heading</div>
      <ul id="list">
        <li data-testid="row-1"><span>Apple</span> <b>red</b> <button>Buy</button></li>
        <li data-testid="row-2"><span>Banana</span> <button>Buy</button> <em>new</em></li>
        <li data-testid="row-3" style="display:none"><span>Cherry</span> <button>Buy</button></li>
        <li data-testid="row-4"><span>Date "Medjool"</span> <button>Buy</button></li>
      </ul>
      <form><label>Email <input type="email" placeholder="you@example.com" name="mail"></label>
        <label for="pw">Password</label><input id="pw" type="password" title="Secret word">
        <input aria-label="Search all" placeholder="Search…" type="search">
        <span id="lb">Labelled</span><textarea aria-labelledby="lb"></textarea>
        <input type="checkbox" id="c1" checked><label for="c1">Agree</label>
        <input type="checkbox" id="c2" aria-label="Mixed"><script>c2.indeterminate = true</script>
        <button type="button" aria-pressed="true">Bold</button><button type="button" aria-expanded="false">More</button><button type="button" disabled>Save</button>
        <div role="option" aria-selected="true" tabindex="0">Chosen</div>
      </form>
      <img alt="Company logo" src="/dot.svg" width="30" height="30"><svg role="img" aria-label="Chart" width="30" height="30"><title>t</title><rect width="30" height="30" fill="teal"/></svg>
      <p>Some <i>long</i> text   with
        spaces</p><p id="exact">text</p><p class="note first">Note one</p><p class="note">Note two</p>
      <table><tr><th scope="col">Name</th><th>Age</th></tr><tr><td>Ann</td><td>30</td></tr><tr><td>Bob</td><td><button>Edit</button></td></tr></table>
      <div id="outer"><div class="in"><span class="leaf">Leaf</span></div></div>
      <x-box></x-box><script>customElements.define('x-box', class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>In the shadow</p><button id="sb">Shadow button</button><slot></slot>'; this.shadowRoot.querySelector('button').onclick = () => say('shadow'); } })</script>
      <div aria-hidden="true"><button>Ghost</button></div>
    </main>
    <script>document.addEventListener('click', e => { const b = e.composedPath()[0]; say('click', b.closest('li')?.dataset.testid ?? '', b.id || b.textContent.trim().slice(0, 12)); });</script>`),
  '/pointer': page('Pointer', `
    <style>#pad,#drop,#drag,#free{display:inline-block;width:160px;height:90px;border:2px solid #888;margin:6px;vertical-align:top;touch-action:none;user-select:none}#free{position:relative}#knob{position:absolute;left:5px;top:5px;width:40px;height:40px;background:#c60}#tip{display:none}#menu:hover #tip{display:block}#long{height:1600px}#box{height:80px;width:200px;overflow:auto}#late{margin-top:1400px}</style>
    <div id="pad">pad</div><div id="drag" draggable="true">drag</div><div id="drop">drop</div><div id="free"><div id="knob"></div></div>
    <div id="menu">menu <span id="tip">tip</span></div><div id="box"><div style="height:600px">scrolls</div></div><button id="late">Far below</button>
    <script>
      for (const t of ['click', 'dblclick', 'auxclick', 'contextmenu']) pad.addEventListener(t, e => { if (t === 'contextmenu') e.preventDefault(); say(t, e.button, e.detail, Math.round(e.offsetX), Math.round(e.offsetY), ['alt', 'ctrl', 'meta', 'shift'].filter(k => e[k + 'Key']).join('+')); });
      pad.addEventListener('wheel', e => { e.preventDefault(); say('wheel', e.deltaX, e.deltaY); }, { passive: false });
      pad.addEventListener('mousedown', () => say('down')); pad.addEventListener('mouseup', () => say('up'));
      for (const t of ['touchstart', 'touchend']) pad.addEventListener(t, e => say(t, e.touches.length));
      drag.addEventListener('dragstart', e => { e.dataTransfer.setData('text/plain', 'payload'); say('dragstart'); });
      drop.addEventListener('dragover', e => e.preventDefault());
      drop.addEventListener('drop', e => { e.preventDefault(); say('drop', e.dataTransfer.getData('text/plain'), [...e.dataTransfer.files].map(f => f.name + '/' + f.size).join()); });
      let from; knob.onpointerdown = e => { knob.setPointerCapture(e.pointerId); from = [e.clientX - knob.offsetLeft, e.clientY - knob.offsetTop]; };
      knob.onpointermove = e => { if (from) { knob.style.left = e.clientX - from[0] + 'px'; knob.style.top = e.clientY - from[1] + 'px'; } }; knob.onpointerup = () => { from = undefined; say('knob', knob.offsetLeft, knob.offsetTop); };
      late.onclick = () => say('late', scrollY > 0); box.onscroll = () => { box.dataset.top = box.scrollTop; };
      menu.addEventListener('mouseenter', () => say('enter'));
    </script>`),
  '/fields': page('Fields', `
    <form id="f" onsubmit="event.preventDefault(); say('submit', new URLSearchParams(new FormData(f)))">
      <input id="text" name="text"><textarea id="area" name="area"></textarea><div id="rich" contenteditable>rich</div>
      <input id="num" type="number" name="num"><input id="date" type="date" name="date"><input id="time" type="time"><input id="month" type="month"><input id="week" type="week"><input id="dt" type="datetime-local">
      <input id="color" type="color"><input id="range" type="range" min="0" max="10" step="1" value="5"><input id="pass" type="password">
      <input id="box1" type="checkbox" name="box" value="1"><label><input type="checkbox" id="box2"> second</label><span role="checkbox" aria-checked="false" tabindex="0" id="fake" onclick="this.ariaChecked = this.ariaChecked !== 'true'">fake</span>
      <input type="radio" name="r" id="r1" value="a"><input type="radio" name="r" id="r2" value="b">
      <select id="one" name="one"><option value="a">Alpha</option><option value="b">Beta</option><option value="c" label="Gamma!">x</option></select>
      <select id="many" multiple><option>red</option><option>green</option><option>blue</option></select>
      <input id="ro" readonly value="fixed"><input id="off" disabled value="no"><label>Labelled <input id="lab"></label>
      <button id="go">Go</button></form>
      <input id="file" type="file" multiple><input id="dir" type="file" webkitdirectory><button id="pick" onclick="file.click()">Pick</button>
    <script>
      for (const e of document.querySelectorAll('input,textarea,select')) for (const t of ['change']) e.addEventListener(t, () => say(t, e.id, e.type === 'file' ? [...e.files].map(f => f.name).join('+') : e.multiple ? [...e.selectedOptions].map(o => o.value).join('+') : e.type === 'checkbox' || e.type === 'radio' ? e.checked : e.value));
      text.addEventListener('keydown', e => { if (e.key.length > 1 || e.ctrlKey) say('key', e.key, e.code); }); text.addEventListener('focus', () => say('focus')); text.addEventListener('blur', () => say('blur')); text.addEventListener('custom', e => say('custom', e.detail?.a)); text.addEventListener('paste', () => say('paste'));
    </script>`),
  '/frames': page('Frames', `<iframe id="a" name="first" src="/inner?a" width="300" height="150"></iframe><iframe id="b" title="Second" src="${other}/inner?b" width="300" height="150"></iframe><iframe id="c" srcdoc="<button onclick='this.textContent=1'>in srcdoc</button><iframe src='/inner?deep'></iframe>" width="300" height="150"></iframe>`),
  '/inner': page('Inner', `<label>Word <input id="w"></label><button onclick="say('hi', w.value)">Say</button><select id="s"><option>1<option>2</select>`),
  '/world': page('World', `<button id="alert" onclick="alert('A'); say('alerted')">alert</button><button id="confirm" onclick="say(confirm('B'))">confirm</button><button id="prompt" onclick="say(String(prompt('C', 'preset')))">prompt</button>
    <a id="blank" href="/inner?popup" target="_blank">popup</a><button id="open" onclick="window.w = window.open('/inner?opened', 'w', 'width=400,height=300')">open</button><a id="dl" href="/download">download</a><a id="next" href="/fields">next</a>
    <button id="push" onclick="history.pushState(1, '', '/world?pushed'); say('pushed')">push</button><button id="slow" onclick="setTimeout(() => { const b = document.createElement('button'); b.id = 'came'; b.textContent = 'Came'; b.onclick = () => say('came'); document.body.append(b); }, 700)">slow</button>
    <button id="load" onclick="fetch('/api/items').then(r => r.json()).then(j => say('items', j.join('+')), e => say('failed'))">load</button><button id="ws" onclick="const s = new WebSocket('ws://' + location.host + '/socket'); s.onmessage = e => say('ws', e.data); s.onopen = () => s.send('hey')">ws</button>
    <button id="clock" onclick="say(new Date().toISOString().slice(0, 16))">clock</button><button id="tick" onclick="let n = 0; setInterval(() => say('t' + ++n), 1000)">tick</button><button id="geo" onclick="navigator.geolocation.getCurrentPosition(p => say(p.coords.latitude), e => say('geo' + e.code))">geo</button>
    <button id="store" onclick="say(localStorage.getItem('k'), document.cookie, sessionStorage.getItem('s'))">store</button><button id="media" onclick="say(matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches, matchMedia('print').matches, innerWidth)">media</button><button id="head" onclick="fetch('/headers').then(r => r.text()).then(t => say(t))">head</button>
    <div id="gone">gone</div><button id="hide" onclick="setTimeout(() => gone.remove(), 300)">hide</button><div id="anim"></div><button id="where" onclick="say(location.pathname + location.search)">where</button><button id="bind" onclick="say(typeof window.ours, window.early)">bind</button>
    <dialog id="banner"><button id="ok" onclick="banner.close()">OK</button></dialog>`),
  '/expect': page('Expect', `<p id="p" class="a b c" style="color:rgb(1, 2, 3)" title="tip" lang="en" aria-describedby="d">Hello <b>big</b> world</p><p id="d">described</p><ul><li>one</li><li>two</li><li>three</li></ul><input id="i" value="val" placeholder="ph"><input id="e" disabled><textarea id="ta">x</textarea><button id="b" aria-label="Named">b</button><input type="checkbox" id="c" checked><select multiple id="m"><option selected>1</option><option selected>2</option><option>3</option></select><div id="empty"></div><div id="hid" hidden>h</div><input id="ro" readonly><div id="far" style="margin-top:3000px">far</div>
    <nav><a href="/x">Link</a><h2>Sub</h2></nav><input id="err" aria-invalid="true" aria-errormessage="em"><p id="em">wrong</p>`),
});

function accept(key) { return import('node:crypto').then(c => c.createHash('sha1').update(key + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11').digest('base64')); }

export async function startSite() {
  const origins = {};
  let all = {};
  const answer = (req, res) => {
    const path = new URL(req.url, 'http://x').pathname, send = (type, body, more = {}) => { res.writeHead(200, { 'content-type': type, ...more }); res.end(body); };
    if (all[path]) return send('text/html; charset=utf-8', all[path]);
    switch (path) {
      case '/api/items': return send('application/json', '["a","b"]');
      case '/api/login': return send('application/json', '{}', { 'set-cookie': 'sid=logged; Path=/' });
      case '/headers': return send('text/plain', String(req.headers['x-own'] ?? 'none'));
      case '/download': return send('application/octet-stream', 'data', { 'content-disposition': 'attachment; filename="d.bin"' });
      case '/dot.svg': return send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>');
      case '/added.js': return send('text/javascript', 'window.added = 1; say("added")');
      case '/added.css': return send('text/css', '#gone { color: rgb(9, 9, 9) }');
    }
    res.writeHead(404); res.end('no');
  };
  const listen = async () => {
    const s = http.createServer(answer);
    s.on('upgrade', async (req, socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ' + await accept(req.headers['sec-websocket-key']) + '\r\n\r\n');
      socket.on('data', d => { if ((d[0] & 15) === 8) return socket.end(); const n = d[1] & 127, mask = d.subarray(2, 6), text = Buffer.from(d.subarray(6, 6 + n).map((b, i) => b ^ mask[i % 4])); const back = Buffer.from('echo ' + text); socket.write(Buffer.concat([Buffer.from([0x81, back.length]), back])); });
    });
    await new Promise(done => s.listen(0, '127.0.0.1', done));
    return s;
  };
  const a = await listen(), b = await listen();
  origins.main = 'http://localhost:' + a.address().port;
  origins.other = 'http://127.0.0.1:' + b.address().port;
  all = pages(origins.other);
  return { ...origins, close() { for (const s of [a, b]) { s.closeAllConnections(); s.close(); } } };
}
