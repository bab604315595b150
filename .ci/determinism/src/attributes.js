// Alpine.js and htmx: what attributes say, parts of pages from the server, and polling.
import Alpine from 'alpinejs';
import htmx from 'htmx.org';
root.innerHTML = `<style>.part.htmx-added { opacity: 0 } .part { transition: opacity .6s }</style>
<div x-data="{ open: false, n: 0, list: [] }"><button id="open" @click="open = !open">open</button><button id="more" @click="n++; list.push(Math.random().toFixed(5))">more</button><input id="n" x-model.debounce.300ms="n"><b x-text="Date.now()"></b>
<div x-show="open" x-transition.duration.500ms style="padding:20px;background:gold">Hello <span x-text="n"></span></div><template x-for="i in list" :key="i"><p x-text="i"></p></template></div>
<button id="load" hx-get="/api/part?load" hx-target="#out" hx-swap="beforeend settle:300ms">load</button><input id="q" name="q" hx-get="/api/part" hx-trigger="keyup changed delay:300ms, change" hx-target="#found"><form hx-post="/api/part" hx-target="#out"><input name="v" id="v"><button id="send">send</button></form>
<div hx-get="/api/part?poll" hx-trigger="every 700ms"></div><div id="found"></div><div id="out"></div>`;
htmx.process(document.body);
Alpine.start();
