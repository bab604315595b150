const root = document.getElementById('root'); root.innerHTML = '<button id="in">in</button> <span id="n"></span><p id="w"></p>';
let frames = 0; const f = () => { frames++; document.getElementById('n').textContent = frames; requestAnimationFrame(f); }; f();
const w = new Worker('/worker.js'); w.onmessage = e => { document.getElementById('w').textContent = e.data; };
document.getElementById('in').onclick = () => { w.postMessage(Math.random()); fetch('/api/child').then(r => r.json()).then(v => parent.postMessage(v.path, '*')); };
onmessage = e => { w.postMessage(e.data); parent.postMessage('back ' + e.data, '*'); };
