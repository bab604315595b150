const other = location.protocol + '//' + location.hostname + ':' + (Number(location.port) + 1);
document.getElementById('root').innerHTML = `<button id="ask">ask</button><button id="add">add</button><pre id="log"></pre><iframe id="far" src="${other}/child.html" width="380" height="130"></iframe><iframe id="near" src="/child.html" width="380" height="130"></iframe><div id="more"></div>`;
const log = [], say = s => { log.push(s); document.getElementById('log').textContent = log.slice(-8).join('\n'); };
onmessage = e => say(Math.round(performance.now()) + ' ' + e.data);
document.getElementById('ask').onclick = () => { for (const f of document.querySelectorAll('iframe')) f.contentWindow.postMessage(Math.random(), '*'); };
document.getElementById('add').onclick = () => { const f = document.createElement('iframe'); f.src = other + '/child.html?' + Math.random(); f.height = 120; document.getElementById('more').append(f); };
