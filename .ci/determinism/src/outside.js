// What a page has others do: digests, a database, pictures, messages by way of the browser, locks, workers that several pages share.
const root = document.getElementById('root'), by = id => document.getElementById(id);
root.innerHTML = `<style>@keyframes in{from{translate:300px 0;opacity:0}}p{margin:2px;animation:in 1.5s ease-out}#box{width:60px;height:40px;background:#47a;transition:all 1.2s}#box.on{width:300px;background:#a74}</style>
${['hash', 'save', 'load', 'picture', 'shout', 'shared', 'lock', 'wasm'].map(n => `<button id="${n}">${n}</button>`).join('')}<div id="box"></div><canvas id="c" width="80" height="40"></canvas><video id="v" muted autoplay src="/none.mp4" width="60" height="40"></video><div id="log"></div>`;
const say = s => { const p = document.createElement('p'); p.textContent = `${Math.round(performance.now())} ${s}`; by('log').prepend(p); while (by('log').children.length > 12) by('log').lastChild.remove(); by('box').classList.toggle('on'); };
const hex = b => [...new Uint8Array(b)].slice(0, 6).map(x => x.toString(16)).join('');
const open = () => new Promise((done, no) => { const r = indexedDB.open('notes', 1); r.onupgradeneeded = () => r.result.createObjectStore('n', { autoIncrement: true }); r.onsuccess = () => done(r.result); r.onerror = no; });
const asked = r => new Promise((done, no) => { r.onsuccess = () => done(r.result); r.onerror = no; });
by('hash').onclick = async () => { let text = 'x'; for (let i = 0; i < 5; i++) text = hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text + Math.random()))); say('hash ' + text); };
by('save').onclick = async () => { const db = await open(); for (let i = 0; i < 4; i++) await asked(db.transaction('n', 'readwrite').objectStore('n').add({ at: Date.now(), i })); say('saved'); };
by('load').onclick = async () => { const all = await asked((await open()).transaction('n').objectStore('n').getAll()); say('loaded ' + all.length + ' ' + all.map(x => x.at % 100000).join()); };
by('picture').onclick = () => { const g = by('c').getContext('2d'); g.fillStyle = `hsl(${Math.random() * 360} 80% 50%)`; g.fillRect(4, 4, 50, 30);
  by('c').toBlob(async b => { const i = await createImageBitmap(b); g.drawImage(i, 20, 10); const img = new Image(); img.src = URL.createObjectURL(b); await img.decode(); root.append(img); say('picture ' + i.width); }); };
const channel = new BroadcastChannel('c'), other = new BroadcastChannel('c'); other.onmessage = e => say('heard ' + e.data); by('shout').onclick = () => channel.postMessage(Math.random());
by('shared').onclick = () => { const w = new SharedWorker(URL.createObjectURL(new Blob(['let n=0;onconnect=e=>{const p=e.ports[0];p.onmessage=m=>p.postMessage([++n,m.data,Math.random()].join(" "))}'])), 'one'); w.port.onmessage = e => say('shared ' + e.data); w.port.postMessage(Math.round(performance.now())); };
by('lock').onclick = () => { for (const n of [1, 2]) navigator.locks.request('l', async () => { await new Promise(done => setTimeout(done, 90)); say('lock ' + n); }); };
by('wasm').onclick = async () => { const m = await WebAssembly.instantiate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 2, 127, 127, 1, 127, 3, 2, 1, 0, 7, 7, 1, 3, 97, 100, 100, 0, 0, 10, 9, 1, 7, 0, 32, 0, 32, 1, 106, 11])); say('wasm ' + m.instance.exports.add(2, 3)); };
