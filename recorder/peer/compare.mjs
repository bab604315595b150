// Records one scripted pass over apps from npm with Playwright's tracing and
// with tracedeck at once, and compares what the two recordings hold.
//
//   APPS=node_modules PW_CORE=…/playwright-core TRACEDECK=bin/tracedeck node compare.mjs [FOLDER] [apps|widgets]
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { serve } from './apps.mjs';
import { freePort, launch, record } from './browser.mjs';
import { shown } from './viewer.mjs';
import { perform, steps as appSteps } from './steps.mjs';
import { widgetSteps } from './widget-steps.mjs';
import { answers } from './widgets.mjs';

const out = process.argv[2] || fs.mkdtempSync(path.join(os.tmpdir(), 'compare-'));
const which = process.argv[3] ?? 'apps', steps = which === 'apps' ? appSteps : widgetSteps, said = steps.filter(s => s.method);
const site = await serve(path.resolve(process.env.APPS), which === 'apps' ? undefined : await answers(path.resolve(process.env.APPS)));
const ours = path.join(out, 'ours.zip'), theirs = path.join(out, 'theirs.zip');
const faults = [];
const fault = text => { faults.push(text); console.log('FAULT ' + text); };
const ask = (...args) => {
  const r = spawnSync(process.env.TRACEDECK, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (r.status > 1) throw new Error(r.stderr); // 1 says that something was found
  return r.stdout;
};

async function pass() {
  const port = await freePort(), browser = await launch(port), context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(15000);
  await context.tracing.start({ screenshots: true, snapshots: true });
  const stop = await record(port, ours);
  for (const s of steps) {
    await perform(page, site.base, s).catch(e => fault(`step ${steps.indexOf(s) + 1} was not carried out: ${e.message.slice(0, 300)}`));
    await page.waitForTimeout(s.method === 'goto' ? 1000 : 200); // as fast as a person
  }
  await page.waitForTimeout(500);
  await context.tracing.stop({ path: theirs });
  await stop();
  await browser.close();
}

const acts = new Set(['goto', 'click', 'dblclick', 'fill', 'press', 'check', 'uncheck', 'selectOption', 'type', 'scroll', 'hover', 'tap', 'dragAndDrop', 'setInputFiles', 'goToHistoryEntry', 'reload']);

// actions are what the user did, by our recording.
function actions() {
  return JSON.parse(ask('actions', '--json', ours)).filter(a => ['Frame', 'Page'].includes(a.class) && acts.has(a.method));
}

function checkOrder(list) {
  const want = said.map(s => s.method), got = list.map(a => a.method);
  let same = 0;
  while (same < want.length && want[same] === got[same]) same++;
  if (want.join() !== got.join()) fault(`actions from step ${same + 1}: wanted ${want.slice(same, same + 5)}, got ${list.slice(same, same + 5).map(a => a.method + ' ' + a.params.selector)}`);
  console.log(`${want.length} steps, ${got.length} actions recorded`);
}

// checkSelectors carries the pass out again, and looks before each step
// whether the recorded selector finds the step's element and no other.
async function checkSelectors(list) {
  const browser = await launch(), page = await browser.newPage();
  page.setDefaultTimeout(15000);
  let one = 0, all = 0;
  let i = -1;
  for (const s of steps) {
    if (s.method) i++;
    if (s.at && s.method && list[i]) {
      all++;
      const selector = list[i].params[s.key ?? 'selector'], mine = page.locator(selector), element = s.at(page);
      await element.waitFor({ state: 'attached' }).catch(() => {});
      const count = await mine.count().catch(e => e.message);
      if (count !== 1) fault(`step ${i + 1}: ${selector} finds ${count}`);
      else {
        const handle = await element.elementHandle().catch(() => null);
        const same = await mine.evaluate((e, other) => {
          const up = (n, to) => { for (; n; n = n.parentNode ?? n.host) if (n === to) return true; return false; };
          return up(e, other) || up(other, e);
        }, handle).catch(e => e.message);
        if (same === true) one++;
        else fault(`step ${i + 1}: ${selector} finds another element (${same})`);
      }
    }
    await perform(page, site.base, s).catch(() => {}); // told before
    await page.waitForTimeout(s.method === 'goto' ? 500 : 100);
  }
  console.log(`${one} of ${all} selectors find their element and no other`);
  await browser.close();
}

function held(what, theirList, ourList) {
  const have = new Map();
  for (const k of ourList) have.set(k, (have.get(k) ?? 0) + 1);
  let missing = 0;
  for (const k of theirList) {
    if (have.get(k) > 0) have.set(k, have.get(k) - 1);
    else { missing++; fault(`${what} missing: ${k}`); }
  }
  console.log(`${what}: ${theirList.length} in Playwright's, ${ourList.length} in ours, ${missing} missing`);
}

function checkEntries() {
  const network = f => JSON.parse(ask('network', '--json', f)).map(r => `${r.method} ${r.url} ${r.status}`);
  held('requests', network(theirs), network(ours));
  const console_ = f => JSON.parse(ask('console', '--json', f)).map(m => `${m.kind ?? m.type ?? m.level} ${m.text}`);
  held('messages', console_(theirs), console_(ours));
}

const words = text => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);

// lefts pairs the last actions before each address that is gone to.
function lefts(theirList, ourList) {
  const ends = l => l.map((a, i) => [a, i]).filter(([a, i]) => i > 0 && l.slice(i + 1).find(b => b.class === 'Frame')?.method === 'goto' && (a.class === 'Frame' || a.class === 'Page'));
  const last = l => ends(l).filter(([, i], k, all) => all[k + 1] === undefined || l.slice(i + 1, all[k + 1][1] + 1).some(b => b.method === 'goto'));
  const mine = last(ourList);
  return last(theirList).map(([a], k) => [a, mine[k]?.[1]]);
}

// checkSnapshots compares the text of the pages after each action. Pages go on
// changing, and both look at moments of their own: what theirs shows has to be
// in ours from the action to the beginning of the next.
function checkSnapshots(list) {
  const all = JSON.parse(ask('actions', '--json', theirs)), theirActions = all.filter(a => a.class === 'Frame' && acts.has(a.method) && a.method !== 'hover' || a.method === 'mouseWheel');
  // Mice and keyboards are driven by several calls: then only how each page was left is compared.
  const pairs = theirActions.length === list.length && which === 'apps' ? theirActions.map((a, i) => [a, i]) : lefts(all, list);
  let sum = 0, n = 0;
  for (const [a, i] of pairs) {
    if (!list[i]) continue;
    const text = (f, id, phase = 'after') => { try { return ask('snapshot', f, id, '--text', '-q', '--phase', phase); } catch { return ''; } };
    const want = words(text(theirs, a.id)), got = words(text(ours, list[i].id));
    if (![...want].every(w => got.has(w))) {
      for (const w of words(text(ours, list[i].id, 'action') + ' ' + (list[i + 1] ? text(ours, list[i + 1].id, 'action') : ''))) got.add(w);
    }
    if (want.size === 0) continue;
    let there = 0;
    for (const w of want) if (got.has(w)) there++;
    sum += there / want.size;
    n++;
    if (there / want.size < 0.9) fault(`snapshot after step ${i + 1} (${a.method}): ${there} of ${want.size} words`);
  }
  console.log(`snapshots: ${n} compared, ${(100 * sum / n).toFixed(1)} % of the words of Playwright's are in ours`);
}

// checkViewer opens our zip in Playwright's viewer.
async function checkViewer() {
  const v = await shown(ours, which === 'apps' ? 'Save' : 'Delete all', which === 'apps' ? 'Grace' : 'Remember');
  if (!v.text) fault("Playwright's viewer shows no page after an action");
  if (!v.film) fault("Playwright's viewer shows no film strip");
  console.log(`Playwright's viewer: ${v.rows} rows, ${v.film} pictures`);
}

// entries are the names in a zip, with the bytes that each takes.
function entries(file) {
  const b = fs.readFileSync(file), list = new Map();
  let end = b.length - 22;
  while (end > 0 && b.readUInt32LE(end) !== 0x06054b50) end--;
  for (let i = 0, at = b.readUInt32LE(end + 16), n = b.readUInt16LE(end + 10); i < n; i++) {
    const name = b.readUInt16LE(at + 28);
    list.set(b.toString('utf8', at + 46, at + 46 + name), b.readUInt32LE(at + 20));
    at += 46 + name + b.readUInt16LE(at + 30) + b.readUInt16LE(at + 32);
  }
  return list;
}

await pass();
const list = actions();
checkOrder(list);
await checkSelectors(list);
checkEntries();
checkSnapshots(list);
await checkViewer();
const theirEntries = entries(theirs), size = f => fs.statSync(f).size;
// Playwright leaves out the bodies of scripts, which are in ours.
const more = [...entries(ours)].filter(([name]) => name.startsWith('resources/') && name.endsWith('.js') && !theirEntries.has(name)).reduce((sum, [, n]) => sum + n, 0);
const ratio = (size(ours) - more) / size(theirs);
console.log(`size: Playwright ${size(theirs)}, ours ${size(ours)} bytes, of which ${more} are scripts that Playwright's lacks; ratio without them ${ratio.toFixed(2)}, bar 1.00: ${ratio <= 1 ? 'held' : 'missed'}`);
if (ratio > 1) fault('our zip is larger for the same content');
site.close();
console.log(faults.length === 0 ? 'all held' : `${faults.length} faults; the recordings are in ${out}`);
process.exit(faults.length === 0 ? 0 : 1);
