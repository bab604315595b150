// Writes what is done in the apps as user flows: flows.mjs FOLDER ADDRESS
import { writeFileSync } from 'node:fs';
const [dir, at] = process.argv.slice(2);
const click = (s, more) => ({ type: 'click', selectors: [[s]], offsetX: 5, offsetY: 5, ...more }), change = (s, value) => ({ type: 'change', selectors: [[s]], value }), hover = s => ({ type: 'hover', selectors: [[s]] });
const todo = [change('#new', 'milk'), click('#add'), change('#new', 'item 7'), click('#add'), click('#stats'), click('#all'), click('#stats')];
const flows = {
  'todo.html': todo, 'todo18.html': todo,
  'cssinjs.html': [click('#more'), hover('#c1'), click('#hue'), click('#more'), hover('#c3'), click('#hue')],
  'grid.html': [click('#dense'), click('[role=columnheader][data-field=price]'), click('[role=columnheader][data-field=price]'), click('[data-rowindex="1"] input'), click('#open'), click('#close'), click('#bar')],
  'date.html': [click('#day'), click('.react-datepicker__navigation--next'), click('.react-datepicker__day--015'), click('#today'), click('#day'), click('.react-datepicker__day--020')],
  'stream.html': [click('#load'), click('#many'), change('#text', 'hello'), click('#send'), click('#rows'), { type: 'waitForExpression', expression: `/ rows/.test(document.querySelector('#log').textContent)` }, click('#load')],
  'ssr': [click('#one'), click('#two'), click('#three'), click('#one'), click('#two'), click('#three')],
  'frames.html': [click('#ask'), click('#in', { frame: [0] }), click('#in', { frame: [1] }), click('#add'), click('#ask'), click('#in', { frame: [0] })],
  'board.html': [click('#shuffle'), click('#grow'), click('#fly'), { type: 'scroll', selectors: [['#box']], x: 0, y: 900 }, click('#grow'), click('#shuffle'), { type: 'scroll', selectors: [['#box']], x: 0, y: 2000 }],
  'outside.html': ['hash', 'save', 'load', 'picture', 'shout', 'lock', 'wasm', 'save', 'load', 'hash'].map(n => click('#' + n)),
  'shared.html': ['shared', 'shout', 'shared', 'picture', 'shared', 'hash'].map(n => click('#' + n)),
  'motion.html': [click('#add'), click('#open'), click('#mix'), hover('#t2'), { type: 'scroll', selectors: [['#box']], x: 0, y: 4000 }, click('#drop'), click('#mix'), click('#open')],
  'scene.html': ['fast', 'add', 'add', 'fast', 'add', 'stop'].map(n => click('#' + n)),
  'tween.html': ['play', 'draw', 'scatter', 'back', 'count', 'draw', 'play'].map(n => click('#' + n)),
  'element.html': [click('pierce/#count'), change('pierce/#text', 'milk'), click('pierce/#add'), change('pierce/#text', 'tea'), click('pierce/#add'), click('pierce/#count')],
  'attributes.html': [click('#open'), click('#more'), change('#n', '7'), click('#load'), change('#q', 'abc'), change('#v', 'x'), click('#send'), click('#open')],
  'force.html': ['heat', 'grow', 'paint', 'heat', 'grow', 'paint'].map(n => click('#' + n)),
  'slides.html': [click('.swiper-button-next'), click('.swiper-button-next'), click('.swiper-pagination-bullet:nth-child(4)'), click('.swiper-button-prev'), click('#auto'), hover('#auto')],
  'bodies.html': ['drop', 'add', 'drop', 'add', 'drop', 'drop'].map(n => click('#' + n)),
  'chart.html': [click('#add'), click('#sort'), click('#kind'), click('#drop'), click('#add'), click('#sort'), click('#kind')],
};
for (const [page, steps] of Object.entries(flows)) {
  const name = page.replace('.html', '');
  writeFileSync(`${dir}/${name}.json`, JSON.stringify({ title: name, steps: [{ type: 'setViewport', width: 900, height: 700, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false }, { type: 'navigate', url: `${at}/${page.replace('shared.', 'outside.')}` }, ...steps] }));
}
