// GSAP and anime.js: timelines, springs, values by chance.
import { gsap } from 'gsap';
import anime from 'animejs/lib/anime.es.js';
root.innerHTML = ['play', 'back', 'scatter', 'draw', 'count'].map(n => `<button id="${n}">${n}</button>`).join('') + '<svg width="400" height="100"><path d="M10 50C100 0 200 100 390 50" stroke="blue" fill="none" stroke-width="4"/></svg><h1 id="sum">0</h1>' +
  Array.from({ length: 8 }, (_, i) => `<div class="bar" style="width:40px;height:24px;margin:4px;background:hsl(${i * 40} 70% 50%)"></div>`).join('');
const line = gsap.timeline({ paused: true }).to('.bar', { x: 300, rotation: 180, duration: 1.2, stagger: 0.1, ease: 'elastic.out(1,0.3)' });
const does = {
  play: () => line.play(), back: () => line.reverse(),
  scatter: () => gsap.to('.bar', { y: () => gsap.utils.random(-10, 10), backgroundColor: '#222', duration: 0.8, stagger: { each: 0.05, from: 'random' } }),
  draw: () => anime({ targets: 'path', strokeDashoffset: [anime.setDashoffset, 0], duration: 1500, easing: 'spring(1,80,10,0)' }),
  count: () => { const o = { n: 0 }; anime({ targets: o, n: anime.random(100, 999), round: 1, duration: 1200, update: () => { document.getElementById('sum').textContent = o.n; } }); },
};
for (const [id, f] of Object.entries(does)) document.getElementById(id).onclick = f;
