// Records Chromium while Puppeteer and Selenium drive it, and a window on a
// screen that nobody sees (Xvfb), and looks at what the recordings hold. User
// flows go to and fro: those that tracedeck writes are read by @puppeteer/replay,
// and one with every type of step, which that reads, is carried out.
//
//   APPS=node_modules PW_CORE=…/playwright-core TRACEDECK=bin/tracedeck node drivers.mjs [FOLDER]
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createRequire } from 'node:module';
import { serve } from './apps.mjs';
import { chromium, freePort, record } from './browser.mjs';
import { shown } from './viewer.mjs';

const require = createRequire(path.resolve(process.env.APPS, 'x.js'));
const out = process.argv[2] || fs.mkdtempSync(path.join(os.tmpdir(), 'drivers-')), paper = path.join(out, 'paper.txt');
fs.mkdirSync(out, { recursive: true });
fs.writeFileSync(paper, 'paper');
let faults = 0;
const fault = text => { faults++; console.log('FAULT ' + text); };
const html = `<!doctype html><title>Form</title><h1>Order</h1><form onsubmit="event.preventDefault(); said.textContent = 'Ordered ' + town.value">
<label>Town <input id=town></label> <label>Notes <textarea></textarea></label> <label>Tone <select><option>Red<option>Grey</select></label> <label>Day <input type=date></label>
<label>Paper <input type=file></label> <label><input type=checkbox> Gift</label> <button>Order</button></form><button id=twice ondblclick="this.textContent = 'Opened'">Open</button>
<a href=/form?next>Next</a> <a href=/form?tab target=_blank>New tab</a><p id=said></p><iframe srcdoc="<button onclick='this.textContent=&quot;Inside done&quot;'>Inside</button>"></iframe>`;
const site = await serve(path.resolve(process.env.APPS), url => url.pathname === '/form' ? [html, 'text/html'] : undefined);
const wait = ms => new Promise(r => setTimeout(r, ms));
const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

function ask(...args) {
  const r = spawnSync(process.env.TRACEDECK, args, { encoding: 'utf8', maxBuffer: 1 << 30 });
  return { ...r, text: r.stdout };
}

// run is for programs that ask this one for pages.
function run(name, ...args) {
  return new Promise(done => {
    const p = spawn(name, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let stderr = '';
    p.stderr.on('data', d => { stderr += d; });
    p.on('close', status => done({ status, stderr }));
  });
}

// look holds a recording against what was done.
async function look(name, zip, want, last = /Order/) {
  const list = JSON.parse(ask('actions', '--json', zip).text).filter(a => ['Frame', 'Page'].includes(a.class)), got = list.map(a => a.method);
  if (got.join() !== want.join()) fault(`${name}: wanted ${want}\n  got ${list.map(a => a.method + ' ' + (a.params.selector ?? a.params.url ?? ''))}`);
  const check = ask('check', '--strict', zip);
  if (check.status !== 0) fault(`${name}: check --strict: ${check.stdout}${check.stderr}`);
  const { counts } = JSON.parse(ask('info', '--json', zip).text);
  if (counts.frames < want.length || counts.snapshots < want.length) fault(`${name}: ${counts.frames} pictures, ${counts.snapshots} snapshots`);
  const v = await shown(zip, last, 'Ordered Bern');
  if (!v.text) fault(`${name}: Playwright's viewer shows no page after the order`);
  if (!v.film) fault(`${name}: Playwright's viewer shows no film strip`);
  console.log(`${name}: ${got.length} actions of ${want.length}, ${counts.snapshots} snapshots, ${counts.frames} pictures, ${counts.network} requests; check --strict ${check.status === 0 ? 'ok' : 'failed'}; Playwright's viewer: ${v.rows} rows, ${v.film} pictures`);
}

async function byPuppeteer() {
  const port = await freePort(), zip = path.join(out, 'puppeteer.zip');
  const browser = await require('puppeteer-core').launch({ executablePath: chromium(), headless: true, args: [...args, `--remote-debugging-port=${port}`], defaultViewport: null });
  const stop = await record(port, zip), page = await browser.newPage();
  await page.goto(site.base + '/form'); await wait(500);
  await page.type('#town', 'Bern'); await wait(200);
  await page.type('textarea', 'two lines'); await wait(200);
  await page.select('select', 'Grey'); await wait(200);
  await page.locator('input[type=date]').fill('2026-02-03'); await wait(200);
  await (await page.$('input[type=file]')).uploadFile(paper); await wait(200);
  await page.click('input[type=checkbox]'); await wait(200);
  await page.click('form button'); await wait(300);
  await page.click('#twice', { count: 2 }); await wait(300);
  await page.frames()[1].click('button'); await wait(300);
  await Promise.all([page.waitForNavigation(), page.click('a[href="/form?next"]')]); await wait(500);
  await page.goBack(); await wait(700);
  await stop(); await browser.close();
  await look('Puppeteer', zip, ['goto', 'fill', 'fill', 'selectOption', 'fill', 'setInputFiles', 'check', 'click', 'dblclick', 'click', 'click', 'goToHistoryEntry']);
}

async function bySelenium() {
  const driver = spawnSync('sh', ['-c', 'command -v chromedriver'], { encoding: 'utf8' }).stdout.trim();
  if (!driver) return fault('Selenium: no chromedriver (apt-get install chromium-driver)');
  const { Builder, By } = require('selenium-webdriver'), chrome = require('selenium-webdriver/chrome'), { Select } = require('selenium-webdriver/lib/select');
  const port = await freePort(), zip = path.join(out, 'selenium.zip'), o = new chrome.Options();
  o.setChromeBinaryPath(chromium());
  o.addArguments('--headless=new', ...args, `--remote-debugging-port=${port}`, '--user-data-dir=' + path.join(out, 'profile'));
  const d = await new Builder().forBrowser('chrome').setChromeOptions(o).setChromeService(new chrome.ServiceBuilder(driver)).build();
  const stop = await record(port, zip), at = css => d.findElement(By.css(css));
  await d.get(site.base + '/form'); await wait(500);
  await at('#town').sendKeys('Bern'); await wait(200);
  await at('textarea').sendKeys('two lines'); await wait(200);
  await new Select(await at('select')).selectByVisibleText('Grey'); await wait(200);
  await at('input[type=file]').sendKeys(paper); await wait(200);
  await at('input[type=checkbox]').click(); await wait(200);
  await at('form button').click(); await wait(300);
  await d.actions().contextClick(await at('#twice')).perform(); await wait(300);
  await d.findElement(By.linkText('Next')).click(); await wait(500);
  await d.navigate().back(); await wait(700);
  await d.navigate().refresh(); await wait(700);
  await stop(); await d.quit();
  await look('Selenium', zip, ['goto', 'fill', 'fill', 'selectOption', 'setInputFiles', 'check', 'click', 'click', 'click', 'goToHistoryEntry', 'reload']);
}

const main = 'main', step = (type, more = {}) => ({ type, target: main, ...more }), at = (...selectors) => ({ selectors: selectors.map(s => [s]) });
const flow = { title: 'Every type of step', steps: [
  { type: 'setViewport', width: 1000, height: 700, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false },
  { type: 'emulateNetworkConditions', target: main, download: 5e6, upload: 5e6, latency: 1 },
  { type: 'navigate', url: site.base + '/form', assertedEvents: [{ type: 'navigation', url: site.base + '/form', title: 'Form' }] },
  step('waitForElement', { ...at('h1'), operator: '>=', count: 1, visible: true }),
  step('click', { ...at('aria/Town', '#town'), offsetX: 5, offsetY: 5 }),
  step('change', { ...at('aria/Town', '#town', 'xpath///*[@id="town"]', 'pierce/#town'), value: 'Bern' }),
  step('keyDown', { key: 'Enter' }), step('keyUp', { key: 'Enter' }),
  step('waitForExpression', { expression: 'document.querySelector("#said").textContent === "Ordered Bern"' }),
  step('hover', at('text/Next')),
  step('doubleClick', { ...at('#twice'), offsetX: 5, offsetY: 5 }),
  step('click', { selectors: [['button']], frame: [0], offsetX: 5, offsetY: 5 }),
  step('change', { ...at('select'), value: 'Grey' }),
  step('scroll', { x: 0, y: 40 }), step('scroll', { ...at('h1'), x: 0, y: 0 }),
  { type: 'close', target: main },
] };

async function flows() {
  const replay = require('@puppeteer/replay'), file = path.join(out, 'flow.json');
  replay.parse(flow); // it is one by those who made the format
  fs.writeFileSync(file, JSON.stringify(flow));
  const zip = path.join(out, 'flow.zip'), again = path.join(out, 'again.json');
  const ran = await run(process.env.TRACEDECK, 'record', '--headless', '--script', file, '-o', zip, '--script-out', again);
  if (ran.status !== 0) return fault(`user flow: ${ran.stderr}`);
  const types = new Set(flow.steps.map(s => s.type));
  const all = Object.values(replay.Schema.StepType).filter(t => t !== 'customStep');
  for (const t of all) if (!types.has(t)) fault(`user flow: no step ${t}`);
  for (const [name, f] of [['what record --script-out wrote', again], ...['puppeteer', 'selenium', 'flow'].map(n => [n, path.join(out, n + '.zip')])]) {
    const text = f.endsWith('.zip') ? ask('export', '--format', 'user-flow', f).text : fs.readFileSync(f, 'utf8');
    try { const p = replay.parse(JSON.parse(text)); await replay.stringify(p); console.log(`@puppeteer/replay reads ${name}: ${p.steps.length} steps`); } catch (e) { fault(`@puppeteer/replay, ${name}: ${e.message}`); }
  }
  console.log(`a flow with ${types.size} types of steps was carried out`);
}

async function headed() {
  if (spawnSync('sh', ['-c', 'command -v xvfb-run']).status !== 0) return fault('a window: no xvfb-run (apt-get install xvfb)');
  const file = path.join(out, 'window.json'), zip = path.join(out, 'window.zip');
  fs.writeFileSync(file, JSON.stringify({ title: 'Order', steps: flow.steps.filter(s => ['setViewport', 'navigate', 'click', 'change', 'keyDown', 'keyUp', 'doubleClick'].includes(s.type) && s.selectors?.[0]?.[0] !== 'select') }));
  const r = await run('xvfb-run', '-a', process.env.TRACEDECK, 'record', '--script', file, '-o', zip);
  if (r.status !== 0) return fault(`a window: ${r.stderr}`);
  await look('a window under Xvfb', zip, ['setViewportSize', 'goto', 'click', 'fill', 'keyboardDown', 'keyboardUp', 'dblclick', 'click'], /Click/);
}

await byPuppeteer();
await bySelenium();
await flows();
await headed();
site.close();
console.log(faults === 0 ? 'all held' : `${faults} faults; the recordings are in ${out}`);
process.exit(faults === 0 ? 0 : 1);
