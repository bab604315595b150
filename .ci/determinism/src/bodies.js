// Preact with signals, and bodies that fall, by Matter.js.
import { h, render } from 'preact';
import { computed, signal } from '@preact/signals';
import { Bodies, Composite, Engine, Render, Runner } from 'matter-js';
const engine = Engine.create(), count = signal(0), list = signal([]), sum = computed(() => list.value.reduce((a, b) => a + b, 0));
const drop = () => { Composite.add(engine.world, Bodies.polygon(100 + Math.random() * 400, 30, 3 + Math.floor(Math.random() * 5), 25)); count.value++; };
const add = () => setTimeout(() => { list.value = [...list.value, Math.floor(Math.random() * 100)]; }, 120);
render(h(() => h('div', {}, h('button', { id: 'drop', onClick: drop }, 'drop ', count), h('button', { id: 'add', onClick: add }, 'add'), h('span', {}, ' sum ', sum, ' at ', new Date().toLocaleTimeString(), ' of ', list.value.join(' ')), h('div', { id: 'world' }))), root);
const view = Render.create({ element: document.getElementById('world'), engine, options: { width: 600, height: 380, wireframes: false } });
Composite.add(engine.world, [Bodies.rectangle(300, 370, 600, 30, { isStatic: true })]);
for (let i = 0; i < 5; i++) drop();
Render.run(view);
Runner.run(Runner.create(), engine);
