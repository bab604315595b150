// What recording costs: the same flow without a recorder, with Playwright's
// tracing and with tracedeck, in three browsers, page by page in turns: machines
// that others use are slow for seconds at a time, and all three are to be so then.
// It prints what each adds, and ratios: medians of the differences to the browser
// without a recorder in the same round.
//
//   APPS=node_modules PW_CORE=…/playwright-core TRACEDECK=bin/tracedeck node bench.mjs [ROUNDS]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serve } from './apps.mjs';
import { freePort, launch, record } from './browser.mjs';

const rounds = +(process.argv[2] ?? 7), out = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-record-')), bar = 0.5;
const site = await serve(path.resolve(process.env.APPS));
const loads = ['/npm/todomvc/examples/react/', '/admin', '/grid', '/frames'];

// todo makes and ticks off things in a list, and returns how many actions that takes.
async function todo(page) {
  const field = page.locator('#new-todo');
  let actions = 0;
  for (let i = 0; i < 25; i++) {
    await field.fill('Thing ' + i); await field.press('Enter');
    await page.locator('#todo-list li .toggle').nth(i).click();
    await page.locator('#filters a').nth(i % 2).click();
    actions += 4;
    if (i % 2) await page.locator('#filters a').nth(0).click(), actions++;
  }
  return actions;
}

// table selects rows of a table of 300, and edits one now and then.
async function table(page) {
  let actions = 0;
  for (let i = 0; i < 25; i++) {
    await page.locator('.tabulator-row').nth(i).locator('.tabulator-cell').nth(1).click(); actions++;
    if (i % 5) continue;
    await page.locator('.tabulator-row').nth(i).locator('.tabulator-cell').first().click();
    const field = page.locator('.tabulator-cell input');
    await field.fill('Thing ' + i); await field.press('Enter');
    actions += 3;
  }
  return actions;
}

const kinds = ['off', 'playwright', 'tracedeck'], all = { off: [], playwright: [], tracedeck: [] };

// start opens a fresh browser with a page that is recorded, or is not.
async function start(kind, name) {
  const port = await freePort(), browser = await launch(port), context = await browser.newContext(), page = await context.newPage();
  const file = path.join(out, name + '.zip');
  let stop = async () => {};
  if (kind === 'playwright') {
    await context.tracing.start({ screenshots: true, snapshots: true });
    stop = () => context.tracing.stop({ path: file });
  } else if (kind === 'tracedeck') stop = await record(port, file);
  const client = await context.newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' }); // milliseconds of the processor, not of a clock
  const busy = async () => (await client.send('Performance.getMetrics')).metrics.find(m => m.name === 'TaskDuration').value * 1000;
  return { kind, page, busy, file, load: {}, flows: {}, end: async () => { await stop(); await browser.close(); } };
}

// round carries the flow out in fresh browsers and notes milliseconds.
async function round(i) {
  const runs = [];
  for (const kind of kinds) runs.push(await start(kind, `${kind}-${i}`));
  let turn = i;
  const each = async act => { for (const k in runs) await act(runs[(+k + turn) % runs.length]); turn++; };
  for (const to of [...loads, ...loads]) await each(async r => {
    const began = performance.now();
    await r.page.goto(site.base + to);
    r.load[to] = (r.load[to] ?? 0) + (performance.now() - began) / 2;
    await r.page.waitForTimeout(700);
  });
  for (const [name, to, act] of [['small', loads[0], todo], ['large', '/grid?all', table]]) await each(async r => {
    await r.page.goto(site.base + to);
    await r.page.waitForTimeout(700);
    const from = await r.busy(), began = performance.now(), actions = await act(r.page);
    r.flows[name] = { actions, time: performance.now() - began, main: await r.busy() - from };
  });
  for (const r of runs) {
    await r.end();
    if (i === 0) continue; // the first round warms up
    const flows = Object.values(r.flows), each = what => flows.reduce((n, f) => n + f[what], 0) / flows.reduce((n, f) => n + f.actions, 0);
    all[r.kind].push({ load: r.load, action: each('time'), main: each('main'), small: r.flows.small.main / r.flows.small.actions, large: r.flows.large.main / r.flows.large.actions,
      zip: r.kind === 'off' ? 0 : fs.statSync(r.file).size, file: r.file });
  }
}

for (let i = 0; i < rounds + 1; i++) await round(i);

const median = list => { const l = list.toSorted((a, b) => a - b), n = l.length >> 1; return l.length % 2 ? l[n] : (l[n - 1] + l[n]) / 2; };
const verdict = ratio => `ratio ${ratio.toFixed(2)}, bar ${bar.toFixed(2)}: ${ratio <= bar ? 'held' : 'missed'}`;
let missed = 0;
const row = (label, without, added) => {
  const theirs = added('playwright'), ours = added('tracedeck'), ratio = theirs > 0 ? ours / theirs : NaN;
  if (!(ratio <= bar)) missed++;
  console.log(`${label.padEnd(24)} without ${without.toFixed(1).padStart(7)} ms   Playwright adds ${theirs.toFixed(1).padStart(6)}   tracedeck adds ${ours.toFixed(1).padStart(6)}   ${verdict(ratio)}`);
};
const simple = what => kind => median(all[kind].map((m, i) => m[what] - all.off[i][what]));
// Pages differ: their differences are compared page by page.
const ofPages = kind => loads.reduce((sum, to) => sum + median(all[kind].map((m, i) => m.load[to] - all.off[i].load[to])), 0) / loads.length;
row('time per action', median(all.off.map(m => m.action)), simple('action'));
row('page load', loads.reduce((sum, to) => sum + median(all.off.map(m => m.load[to])), 0) / loads.length, ofPages);
row('main thread per action', median(all.off.map(m => m.main)), simple('main'));
for (const what of ['small', 'large']) {
  const [theirs, ours] = ['playwright', 'tracedeck'].map(simple(what));
  console.log(`  of it, a ${what} page  without ${median(all.off.map(m => m[what])).toFixed(1).padStart(7)} ms   Playwright adds ${theirs.toFixed(1).padStart(6)}   tracedeck adds ${ours.toFixed(1).padStart(6)}   ratio ${(ours / theirs).toFixed(2)}`);
}
const size = kind => median(all[kind].map(m => m.zip)), smaller = size('tracedeck') <= size('playwright');
if (!smaller) missed++;
console.log(`${'zip'.padEnd(24)} Playwright ${size('playwright')} bytes, tracedeck ${size('tracedeck')}, ratio ${(size('tracedeck') / size('playwright')).toFixed(2)}, bar 1.00: ${smaller ? 'held' : 'missed'}`);
// What the last recordings hold, for those who ask whether they are comparable.
for (const kind of ['playwright', 'tracedeck']) {
  const said = spawnSync(process.env.TRACEDECK, ['info', '--json', all[kind].at(-1).file], { encoding: 'utf8' }), c = said.status === 0 ? JSON.parse(said.stdout).counts : {};
  console.log(`${kind} holds ${c.actions} actions, ${c.snapshots} snapshots, ${c.frames} pictures, ${c.network} requests, ${c.console} messages`);
}
console.log(missed === 0 ? 'all held' : `${missed} missed`);
fs.rmSync(out, { recursive: true });
site.close();
process.exit(0);
