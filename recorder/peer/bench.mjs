// What recording costs: the same flow without a recorder, with Playwright's
// tracing and with tracedeck, in turns. It prints what each adds, and ratios.
//
//   APPS=node_modules PW_CORE=…/playwright-core TRACEDECK=bin/tracedeck node bench.mjs [ROUNDS]
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serve } from './apps.mjs';
import { freePort, launch, record } from './browser.mjs';

const rounds = +(process.argv[2] ?? 5), out = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-record-'));
const site = await serve(path.resolve(process.env.APPS));
const loads = ['/npm/todomvc/examples/react/', '/admin', '/grid', '/frames'];

// measure carries the flow out in a fresh browser and returns milliseconds.
async function measure(kind, name) {
  const port = await freePort(), browser = await launch(port), context = await browser.newContext(), page = await context.newPage();
  const zip = path.join(out, name + '.zip');
  let stop = async () => {};
  if (kind === 'playwright') {
    await context.tracing.start({ screenshots: true, snapshots: true });
    stop = () => context.tracing.stop({ path: zip });
  } else if (kind === 'tracedeck') stop = await record(port, zip);
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable');
  const busy = async () => (await client.send('Performance.getMetrics')).metrics.find(m => m.name === 'TaskDuration').value * 1000;
  let load = 0, action = 0, main = 0, actions = 0;
  for (const to of loads) {
    const began = performance.now();
    await page.goto(site.base + to);
    load += performance.now() - began;
    await page.waitForTimeout(700);
  }
  await page.goto(site.base + loads[0]);
  await page.waitForTimeout(700);
  const from = await busy(), began = performance.now(), field = page.locator('#new-todo');
  for (let i = 0; i < 25; i++) {
    await field.fill('Thing ' + i); await field.press('Enter');
    await page.locator('#todo-list li .toggle').nth(i).click();
    await page.locator('#filters a').nth(i % 2).click();
    actions += 4;
    if (i % 2) await page.locator('#filters a').nth(0).click(), actions++;
  }
  action = (performance.now() - began) / actions;
  main = (await busy()) - from;
  await stop();
  await browser.close();
  return { load: load / loads.length, action, main: main / actions, zip: kind === 'off' ? 0 : fs.statSync(zip).size };
}

const kinds = ['off', 'playwright', 'tracedeck'], all = { off: [], playwright: [], tracedeck: [] };
for (let i = 0; i < rounds + 1; i++) {
  for (const kind of kinds) {
    const m = await measure(kind, `${kind}-${i}`);
    if (i > 0) all[kind].push(m); // the first round warms up
  }
}
// The least of all rounds: what else the machine does only adds to it.
const of = (kind, what) => Math.min(...all[kind].map(m => m[what]));
const row = (label, what, unit) => {
  const off = of('off', what), theirs = of('playwright', what) - off, ours = of('tracedeck', what) - off;
  console.log(`${label.padEnd(30)} without ${off.toFixed(1).padStart(8)} ${unit}   Playwright adds ${theirs.toFixed(1).padStart(8)}   tracedeck adds ${ours.toFixed(1).padStart(8)}   ratio ${(ours / theirs).toFixed(2)}`);
};
row('time per action', 'action', 'ms');
row('page load', 'load', 'ms');
row('main thread per action', 'main', 'ms');
const size = kind => of(kind, 'zip');
console.log(`${'zip'.padEnd(30)} Playwright ${size('playwright')} bytes, tracedeck ${size('tracedeck')}, ratio ${(size('tracedeck') / size('playwright')).toFixed(2)}`);
fs.rmSync(out, { recursive: true });
site.close();
process.exit(0);
