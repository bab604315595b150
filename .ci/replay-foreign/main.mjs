// Replays traces that Playwright and Vibium wrote against the pages they were
// recorded on and prints for each how far it came. The exit code is 1 if one did
// not reach its last step, or failed otherwise than when it was recorded.
//
//   node main.mjs [-o OUT] [--no-vocabulary] [--no-sessions] [--no-versions] [--no-vibium] [TRACE…]
//
// TRACEDECK names the program, PW a node_modules folder with Playwright in it;
// without it the newest is installed from npm into OUT. Traces that are given
// are replayed against the site of the corpus.
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync, spawn } from 'node:child_process';
import { startSite as startCorpus } from './corpus-site.mjs';
import { startSite as startVocabulary } from './vocabulary-site.mjs';
import { startSite as startVibium } from './vibium-site.mjs';

const here = import.meta.dirname, root = path.join(here, '../..');
const args = process.argv.slice(2);
const take = name => { const i = args.indexOf(name); return i < 0 ? undefined : args.splice(i, 2)[1]; };
const out = path.resolve(take('-o') ?? path.join(root, 'out/replay-foreign'));
const unless = flag => { const i = args.indexOf(flag); return i < 0 || (args.splice(i, 1), false); };
const vocabulary = unless('--no-vocabulary'), sessions = unless('--no-sessions'), versions = unless('--no-versions'), vibium = unless('--no-vibium');
const tracedeck = process.env.TRACEDECK ?? path.join(root, 'bin/tracedeck');
const zips = dir => fs.readdirSync(dir).filter(f => f.endsWith('.zip')).sort().map(f => path.join(dir, f));
const corpus = path.join(root, 'testdata/corpus/playwright'), vibiumCorpus = path.join(root, 'testdata/corpus/vibium');

function run(command, argv, env = {}) {
  return new Promise(done => {
    const child = spawn(command, argv, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    let text = '';
    child.stdout.on('data', d => { text += d; });
    child.on('close', code => done({ code, text }));
  });
}

// modules is a folder with Playwright in it.
function modules() {
  if (process.env.PW) return process.env.PW;
  const at = path.join(out, 'playwright');
  fs.mkdirSync(at, { recursive: true });
  if (!fs.existsSync(path.join(at, 'node_modules/@playwright/test'))) execFileSync('npm', ['i', '--no-audit', '--no-fund', '--silent', '--prefix', at, 'playwright-core', '@playwright/test'], { stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } });
  return path.join(at, 'node_modules');
}

async function record(script, into) {
  const { code } = await run('node', [path.join(here, script), into], { PW: modules() });
  if (code !== 0) throw new Error(`${script}: Playwright did not record what it should`);
  return zips(into);
}

// recordTests runs the suite with Playwright's runner, in a copy beside which
// its modules lie, and gathers the traces. Many of the tests fail, as they are
// to.
async function recordTests(url, into) {
  const at = path.join(out, 'runner');
  fs.rmSync(at, { recursive: true, force: true });
  fs.cpSync(path.join(here, 'runner'), at, { recursive: true });
  fs.symlinkSync(modules(), path.join(at, 'node_modules'));
  await run('node', [path.join(modules(), '@playwright/test/cli.js'), 'test', '-c', path.join(at, 'playwright.config.mjs'), '--output', path.join(at, 'results'), '--reporter', 'line'], { SITE: url });
  fs.mkdirSync(into, { recursive: true });
  for (const name of fs.readdirSync(path.join(at, 'results')).sort()) {
    const file = path.join(at, 'results', name, 'trace.zip');
    if (fs.existsSync(file)) fs.copyFileSync(file, path.join(into, name.replace(/^suite-|-chromium/g, '') + '.zip'));
  }
  return zips(into);
}

// One that was recorded without any action has nothing to replay.
const empty = s => s.code === 'E_NOTHING_TO_REPLAY';

const rows = [];
async function replay(file, url, ...flags) {
  const from = [corpus, vibiumCorpus, out].find(dir => !path.relative(dir, file).startsWith('..')), name = from ? path.relative(from, file) : path.basename(file);
  const into = path.join(out, 'again', name);
  const { text } = await run(tracedeck, ['replay', '--quiet', '--json', '--url', url, ...flags, '-o', into, file]);
  let s;
  try { [s] = JSON.parse(text); } catch { s = { steps: [], refused: [], error: 'no answer' }; }
  const steps = s.steps ?? [], wrong = [];
  for (const x of steps) {
    if (x.status === 'failed' || x.status === 'skipped' || x.status === 'passed-unlike-recorded') wrong.push(`${x.recorded} ${x.title}: ${x.status} ${x.error ?? ''}`);
    if (x.status === 'failed-as-recorded' && x.recordedCode && x.recordedCode !== x.code) wrong.push(`${x.recorded} ${x.title}: ${x.code}, and ${x.recordedCode} when it was recorded`);
  }
  if (s.error && !empty(s)) wrong.push(s.error);
  const count = status => steps.filter(x => x.status === status).length;
  rows.push({ trace: name, steps: steps.length, passed: count('passed'), 'failed as recorded': steps.filter(x => x.status === 'failed-as-recorded').map(x => x.code).join(' '), 'left out': (s.refused ?? []).length, seconds: ((s.wallMs ?? 0) / 1000).toFixed(1), outcome: wrong.length ? 'WRONG' : empty(s) ? 'nothing to replay' : 'last step reached', wrong });
  const r = rows.at(-1);
  console.log(`${r.trace.padEnd(46)} ${String(r.steps).padStart(4)} ${String(r.passed).padStart(6)} ${String(r['left out']).padStart(8)} ${r.seconds.padStart(7)}  ${r.outcome}${r['failed as recorded'] ? '; failed as recorded: ' + r['failed as recorded'] : ''}`);
  for (const w of wrong) console.log('    ' + w.split('\n')[0].slice(0, 200));
}

console.log(`${'trace'.padEnd(46)} ${'steps'.padStart(4)} ${'passed'.padStart(6)} ${'left out'.padStart(8)} ${'seconds'.padStart(7)}  outcome`);
const site = await startCorpus();
for (const f of args.length ? args : [...zips(corpus), ...zips(path.join(corpus, 'old'))]) await replay(path.resolve(f), site.main);
if (sessions && !args.length) {
  const recorded = path.join(out, 'sessions'), context = path.join(out, 'context.json');
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(context, '{ "serviceWorkers": "allow" }');
  // What a trace does not hold and a person would have to give.
  const given = { 'service-worker.zip': ['--context', context], 'uploads.zip': ['--file', 'a.txt=' + path.join(recorded, 'files/a.txt')] };
  for (const f of [...await record('sessions.mjs', recorded), ...await recordTests(site.main, path.join(out, 'tests'))]) await replay(f, site.main, ...given[path.basename(f)] ?? []);
}
if (versions && !args.length) for (const f of await record('versions.mjs', path.join(out, 'versions'))) await replay(f, site.main);
site.close();
if (vocabulary && !args.length) {
  const recorded = await record('vocabulary.mjs', path.join(out, 'vocabulary'));
  const pages = await startVocabulary();
  for (const f of recorded) await replay(f, pages.main);
  pages.close();
}
if (vibium && !args.length) {
  const shop = await startVibium();
  for (const f of zips(vibiumCorpus)) await replay(f, shop.main, '--patience', '2s', '--origin', `http://127.0.0.1:41081=${shop.other}`);
  shop.close();
}
const wrong = rows.filter(r => r.wrong.length);
console.log(`${rows.length - wrong.length} of ${rows.length} traces reached their last step; the bar is all of them: ${wrong.length ? "missed" : "held"}`);
process.exit(wrong.length ? 1 : 0);
