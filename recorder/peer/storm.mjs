// Measures whether a page that storms stays usable while it is recorded: pictures
// drawn a second, the longest time without one, and how long a click takes to be
// answered on screen, with a recorder and without, and the recorder's memory.
//
//   TRACEDECK=bin/tracedeck node storm.mjs [SECONDS]
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, freePort } from './browser.mjs';
import { serveStorm, storms } from './storm-page.mjs';

const seconds = Number(process.argv[2] || 8);
const most = { answer: 200, memory: 500 }; // ms that web vitals call good; MB
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'storm-'));
const server = await serveStorm();
const sleep = ms => new Promise(r => setTimeout(r, ms));

// open starts a browser and speaks to a page of it through a pipe. It asks for
// no events: listening costs.
async function open() {
  const port = await freePort(), profile = fs.mkdtempSync(path.join(scratch, 'profile-'));
  const p = spawn(chromium(), ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--remote-debugging-pipe', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`, 'about:blank'],
  { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = new Promise(r => p.on('exit', r)), waiting = new Map();
  let id = 0, rest = '';
  p.stdio[4].on('data', d => {
    const lines = (rest + d).split('\0');
    rest = lines.pop();
    for (const m of lines.map(l => JSON.parse(l))) { waiting.get(m.id)?.(m.result); waiting.delete(m.id); }
  });
  const send = (method, params = {}, sessionId) => new Promise(resolve => { waiting.set(++id, resolve); p.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0'); });
  const { targetInfos } = await send('Target.getTargets');
  const { sessionId } = await send('Target.attachToTarget', { targetId: targetInfos.find(t => t.type === 'page').targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  const value = async expression => (await page('Runtime.evaluate', { expression, returnByValue: true })).result.value;
  const close = async () => { send('Browser.close'); await ended; fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 }); };
  return { port, page, value, close };
}

async function record(port, out) {
  const p = spawn(process.env.TRACEDECK, ['record', '--port', String(port), '-o', out], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise(r => p.on('exit', r));
  let said = '';
  await new Promise((resolve, reject) => {
    p.stderr.on('data', d => { said += d; if (/Ctrl-C/.test(said)) resolve(); });
    ended.then(() => reject(new Error('the recorder ended: ' + said)));
  });
  const memory = () => Number(/VmHWM:\s+(\d+)/.exec(fs.readFileSync(`/proc/${p.pid}/status`, 'utf8'))[1]) / 1024;
  return async () => { const most = memory(); p.kill('SIGINT'); await ended; return most; };
}

// measure has a page storm, and clicks in it now and then.
async function measure(storm, recorded) {
  const { port, page, value, close } = await open();
  const out = path.join(scratch, 'storm.zip');
  const stop = recorded ? await record(port, out) : undefined;
  await page('Page.navigate', { url: `${server.url}/#${storm}` });
  await sleep(2000); // the beginning of a storm says little
  await value('begin()');
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await sleep(300)) {
    for (const type of ['mousePressed', 'mouseReleased']) await page('Input.dispatchMouseEvent', { type, x: 50, y: 20, button: 'left', clickCount: 1 });
  }
  const got = JSON.parse(await value('JSON.stringify(measured())'));
  if (stop) got.memory = await stop();
  await close();
  fs.rmSync(out, { force: true });
  return got;
}

const of = (list, q) => { list.sort((a, b) => a - b); return list[Math.min(list.length - 1, Math.floor(q * list.length))] ?? Infinity; };
const show = m => `${m.frames.toFixed(0).padStart(3)} pictures/s, longest without ${m.gap.toFixed(0).padStart(4)} ms; a click answered in ${of(m.answers, 0.5).toFixed(0)} ms, nine of ten in ${of(m.answers, 0.9).toFixed(0)} ms; ${m.done.map(n => n.toFixed(0)).join(' + ')}/s done`;
let held = true;
for (const storm of storms) {
  const without = await measure(storm, false), recorded = await measure(storm, true);
  const bar = Math.max(most.answer, 2 * of(without.answers, 0.9));
  const ok = of(recorded.answers, 0.9) <= bar && recorded.memory <= most.memory && recorded.answers.length > 0;
  held &&= ok;
  console.log(`${storm}\n  alone     ${show(without)}\n  recorded  ${show(recorded)}; recorder ${recorded.memory.toFixed(0)} MB\n  bars: nine of ten clicks in ${bar.toFixed(0)} ms, recorder ${most.memory} MB: ${ok ? 'held' : 'missed'}`);
}
console.log(held ? 'all held' : 'missed');
server.close();
fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
process.exit(held ? 0 : 1);
