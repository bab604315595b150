// Records traces with Playwright on the site of the corpus: what programs of
// many kinds do with a browser, and how they fail.
//
//   PW=<node_modules with playwright-core and @playwright/test> node sessions.mjs OUT [name…]
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { startSite } from './corpus-site.mjs';

const require = createRequire(path.resolve(process.env.PW ?? 'node_modules') + '/');
const { chromium, devices } = require('playwright-core');
const { expect } = require('@playwright/test');
const home = async page => { await page.goto('/'); };

const sessions = {
  async canvas(page) {
    await page.goto('/canvas');
    await page.locator('#draw').click();
    await page.frameLocator('iframe').locator('canvas').click({ position: { x: 20, y: 20 } });
    await page.locator('#below').scrollIntoViewIfNeeded();
    const box = await page.locator('#c').boundingBox();
    await page.mouse.click(box.x + 5, box.y + 5);
    await page.screenshot({ fullPage: true });
  },
  async unicode(page) {
    await page.goto('/unicode');
    await page.getByPlaceholder('введите').fill('שלום 日本 🎭');
    await page.getByRole('button', { name: 'кнопка ✓' }).click();
    await expect(page.locator('#ar')).toHaveText('تم النقر');
    await page.locator('#кнопка').click();
    await page.getByText('漢字かな').click();
    await expect(page).toHaveTitle(/日本語/);
    await page.getByPlaceholder('введите').press('End');
    await page.keyboard.insertText('👨‍👩‍👧');
    await expect(page.locator('#in')).toHaveValue(/👨‍👩‍👧$/);
    await page.getByText('attributes').click();
    await page.locator('text=→').or(page.getByText('svg Ω')).first().click();
  },
  async css(page) {
    await page.goto('/css');
    for (const id of ['rule', 'rule2', 'off']) await page.locator('#' + id).click();
    await expect(page.locator('.b')).toHaveCSS('color', 'rgb(0, 128, 0)');
    await page.emulateMedia({ media: 'print' });
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark', forcedColors: 'active' });
    await expect(page.locator('p').nth(0)).toHaveClass('a');
  },
  async 'service-worker'(page) {
    await page.goto('/sw');
    await expect(page.locator('#st')).toHaveText('controlled');
    await page.locator('#ask').click();
    await expect(page.locator('#ans')).toHaveText(/sw says/);
    await page.reload();
    await page.locator('#ask').click();
    await expect(page.locator('#ans')).toContainText('/sw-origin.json');
  },
  async late(page) {
    await page.goto('/clock', { waitUntil: 'domcontentloaded' });
    await page.locator('#lb').click();
    await page.goto('/clock');
    await page.waitForSelector('#lb', { state: 'attached' });
    await page.getByText('late button').hover();
  },
  async timers(page) {
    await page.clock.install();
    await page.goto('/clock');
    await page.clock.fastForward(700);
    await page.locator('#lb').click({ timeout: 2000 });
    await page.clock.setSystemTime('2031-05-06T07:08:09Z');
    await page.evaluate(() => { document.querySelector('h1').textContent = new Date().getFullYear(); });
    await expect(page.locator('h1')).toHaveText('2031');
  },
  async secrets(page) {
    await page.goto('/secrets');
    await page.fill('#user', 'ada');
    await page.fill('#pass', 'correct horse');
    const [answer] = await Promise.all([page.waitForResponse('**/login*'), page.click('#in')]);
    await answer.json();
    await expect(page.locator('#who')).toHaveText(/^token tok_/);
    await page.evaluate(() => localStorage.token).then(t => expect(t).toBeTruthy());
  },
  async heavy(page) {
    await page.goto('/heavy?n=60');
    await page.locator('#small').click();
    await page.locator('#feed').click();
    await expect(page.locator('#out')).toContainText('120');
    await page.locator('#pics').click();
    await expect(page.locator('#imgs img')).toHaveCount(1);
    await page.locator('#shuffle').click();
    await expect(page.locator('.card')).toHaveCount(60);
    await page.locator('.card h3').nth(12).click();
  },
  async rows(page) {
    await page.goto('/big');
    await page.getByRole('row').filter({ hasText: 'cell 399:' }).getByRole('cell').last().click();
    await page.locator('tr', { has: page.getByText('cell 7:3', { exact: true }) }).click();
    for (const id of ['move', 'insert', 'drop', 'tick']) await page.locator('#' + id).click();
    await expect(page.locator('tr').nth(4)).toHaveText('inserted row');
    await page.getByRole('cell', { name: 'cell 20:1', exact: true }).dblclick();
    await page.mouse.wheel(0, 900);
    await page.locator('td').nth(300).click();
  },
  async popups(page, context) {
    await page.goto('/opener');
    const [one] = await Promise.all([context.waitForEvent('page'), page.locator('#blank').click()]);
    await one.getByRole('button').click();
    await expect(one.locator('#p')).toHaveText('pressed');
    const two = await Promise.all([page.waitForEvent('popup'), page.click('#win')]).then(([p]) => p);
    await two.waitForLoadState('load');
    await two.click('text=press');
    await page.bringToFront();
    await Promise.all([two.waitForEvent('close'), page.click('#closeit')]);
    const [three] = await Promise.all([page.waitForEvent('popup'), page.click('#ab')]);
    await expect(three.locator('h1')).toHaveText('written');
    await one.goto('/second');
    await one.click('#back');
    await one.locator('#inc').click();
    await one.close();
    await page.locator('h1').click();
  },
  async requests(page, context) {
    await home(page);
    await page.request.get('/json?a=1');
    await context.request.post('/echo', { form: { a: 'b' } });
    await context.request.put('/echo', { multipart: { f: { name: 'f.txt', mimeType: 'text/plain', buffer: Buffer.from('x') } } });
    await page.evaluate(async () => { const r = await fetch('/json?b=2'); document.getElementById('status').textContent = (await r.json()).q.b; });
    await expect(page.locator('#status')).toHaveText('2');
    await page.locator('#inc').click();
  },
  async routes(page, context) {
    await context.route('**/style.css', r => r.fulfill({ contentType: 'text/css', body: 'h1{color:rgb(9,8,7)}' }));
    await context.route(/\.png/, r => r.abort('blockedbyclient'));
    await page.route('**/json?*', async r => { const a = await r.fetch(); await r.fulfill({ response: a, json: { ...await a.json(), own: 'yes' } }); });
    await page.route('**/counter', r => r.continue({ url: r.request().url().replace('counter', 'json?moved') }));
    await page.route('**/page-of-its-own', r => r.fulfill({ contentType: 'text/html', body: '<h1>Routed</h1><button onclick="this.textContent=1">b</button>' }));
    await home(page);
    await expect(page.locator('h1')).toHaveCSS('color', 'rgb(9, 8, 7)');
    await page.evaluate(async () => { document.getElementById('status').textContent = (await (await fetch('/json?x=1')).json()).own; });
    await expect(page.locator('#status')).toHaveText('yes');
    await page.evaluate(async () => { document.getElementById('status').textContent = await (await fetch('/counter')).text(); });
    await expect(page.locator('#status')).toContainText('ok');
    await page.unrouteAll();
    await page.route('**/page-of-its-own', r => r.fulfill({ contentType: 'text/html', body: '<h1>Routed</h1><button onclick="this.textContent=1">b</button>' }));
    await page.goto('/page-of-its-own');
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('1');
  },
  async 'from-har'(page, context, site, dir) {
    const har = path.join(dir, 'own.har'), entry = (url, type, text) => ({ startedDateTime: '2026-01-01T00:00:00.000Z', time: 1, request: { method: 'GET', url, httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: 0 }, response: { status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', cookies: [], headers: [{ name: 'content-type', value: type }], content: { size: text.length, mimeType: type, text }, redirectURL: '', headersSize: -1, bodySize: -1 }, cache: {}, timings: { send: 0, wait: 1, receive: 0 } });
    fs.writeFileSync(har, JSON.stringify({ log: { version: '1.2', creator: { name: 't', version: '1' }, entries: [entry(site.main + '/json?har=1', 'application/json', '{"from":"har"}')] } }));
    await context.routeFromHAR(har, { url: '**/json?har*', notFound: 'fallback' });
    await home(page);
    await page.evaluate(async () => { document.getElementById('status').textContent = (await (await fetch('/json?har=1')).json()).from; });
    await expect(page.locator('#status')).toHaveText('har');
    await page.locator('#inc').click();
  },
  async bindings(page, context) {
    await context.exposeBinding('shout', (_, s) => s.toUpperCase());
    await page.exposeFunction('add', (a, b) => a + b);
    await page.addInitScript(({ n }) => { window.early = n; }, { n: 41 });
    await home(page);
    await page.locator('#inc').click();
    await page.evaluate(() => { document.getElementById('status').textContent = window.early + 1; });
    await expect(page.locator('#status')).toHaveText('42');
    expect(await page.evaluate(() => window.add(2, 3))).toBe(5);
    await page.locator('#name').fill(await page.evaluate(() => window.shout('loud')));
    await expect(page.locator('#name')).toHaveValue('LOUD');
  },
  async evaluated(page) {
    await home(page);
    const list = await page.evaluateHandle(() => document.querySelectorAll('button'));
    const first = await list.evaluateHandle(l => l[0]);
    await first.asElement().click();
    await expect(page.locator('#count')).toHaveText('1');
    await page.evaluate(b => b.click(), first);
    await page.locator('#inc').evaluate((b, n) => { for (let i = 0; i < n; i++) b.click(); }, 3);
    const title = await page.evaluate(() => document.title);
    await page.getByLabel('Name').fill(title + ' ' + await page.locator('h1').innerText());
    await expect(page.getByLabel('Name')).toHaveValue('Home Home');
    await page.getByLabel('Name').press('Enter');
    await expect(page.locator('#list')).toContainText('Home Home');
    await first.dispose();
  },
  async history(page) {
    await home(page);
    await page.click('#next');
    await page.waitForURL('**/second');
    await page.click('text=Home');
    await page.goBack();
    await page.goBack({ waitUntil: 'commit' });
    await page.goForward();
    await expect(page).toHaveURL(/second$/);
    await page.reload({ waitUntil: 'networkidle' });
    await page.goto(page.url() + '#part');
    await page.evaluate(() => history.replaceState(1, '', '/second?replaced'));
    await expect(page).toHaveURL(/replaced/);
    await page.goto('data:text/html,<button onclick="this.textContent=`data`">b</button>');
    await page.getByRole('button').click();
    await page.goto('about:blank');
    await page.setContent('<input value="set"><a href="/second">away</a>', { waitUntil: 'load' });
    await page.locator('input').fill('content');
    await expect(page.locator('input')).toHaveValue('content');
  },
  async keys(page) {
    await page.goto('/forms');
    await page.locator('#t').pressSequentially('abc');
    await page.keyboard.press('Tab');
    await page.keyboard.type('hunter2');
    await expect(page.locator('#pw')).toHaveValue('hunter2');
    await page.locator('#num').focus();
    for (const k of ['ArrowUp', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(k);
    await expect(page.locator('#num')).toHaveValue('4');
    await page.locator('#ta').click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('inserted');
    await expect(page.locator('#ta')).toHaveValue('inserted');
    await page.locator('#s').press('x');
    await page.getByRole('radio', { name: 'b' }).press('ArrowUp');
    await page.locator('#ra').check();
    await page.locator('#c1').press('Space');
    await expect(page.locator('#c1')).toBeChecked();
    await page.locator('summary').press('Enter');
    await expect(page.getByText('hidden part')).toBeVisible();
    await page.locator('#openDialog').click();
    await page.keyboard.press('Escape');
    await expect(page.locator('#dlg')).toBeHidden();
    await page.locator('#ce').fill('rich');
    await page.locator('#range').press('End');
    await expect(page.locator('#range')).toHaveValue('10');
    await page.locator('#m').selectOption([{ label: 'm4' }, { index: 0 }]);
    await expect(page.locator('#m')).toHaveValues(['m1', 'm4']);
  },
  async mouse(page) {
    await page.goto('/input');
    const pad = await page.locator('#pad').boundingBox();
    await page.mouse.move(pad.x + 10, pad.y + 10);
    await page.mouse.down({ button: 'right' });
    await page.mouse.up({ button: 'right' });
    await page.mouse.wheel(30, 40);
    await page.mouse.dblclick(pad.x + 40, pad.y + 40, { delay: 15 });
    await expect(page.locator('#ev')).toContainText('dblclick');
    await page.locator('#src').hover();
    await page.mouse.down();
    await page.locator('#dst').hover();
    await page.locator('#dst').hover();
    await page.mouse.up();
    await expect(page.locator('#dst')).toHaveText('dropped');
    await page.locator('#pad').click({ modifiers: ['ControlOrMeta'], position: { x: 3, y: 4 }, delay: 30 });
    await page.locator('#pad').dispatchEvent('touchstart');
    await expect(page.locator('#ev')).toContainText('touchstart');
    await page.locator('#pad').press('x');
  },
  async uploads(page, context, site, dir) {
    const a = path.join(dir, 'a.txt');
    fs.writeFileSync(a, 'from disk');
    await page.goto('/upload');
    await page.setInputFiles('#file', a);
    await expect(page.locator('#names')).toHaveText('a.txt:9');
    await page.setInputFiles('#file', [{ name: 'm.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(30, 1) }, { name: 'n.txt', mimeType: 'text/plain', buffer: Buffer.from('é') }]);
    await expect(page.locator('#names')).toContainText('m.bin');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#pick')]);
    await chooser.setFiles(a);
    await page.click('#sub');
    await expect(page.locator('body')).toContainText('multipart/form-data');
  },
  async downloads(page, context, site, dir) {
    await page.goto('/download');
    for (const id of ['dl', 'pdf', 'blob']) {
      const [d] = await Promise.all([page.waitForEvent('download'), page.locator('#' + id).click()]);
      await d.saveAs(path.join(dir, 'saved-' + id));
      await d.failure();
    }
    await page.locator('h1').click();
  },
  async dialogs(page) {
    await page.goto('/console');
    page.on('dialog', d => d.type() === 'prompt' ? d.accept('Ada') : d.dismiss());
    for (const id of ['al', 'cf']) await page.click('#' + id);
    await expect(page.locator('#ans')).toHaveText('confirm=false');
    await page.click('#pr');
    await expect(page.locator('#ans')).toHaveText('prompt=Ada');
    await page.click('#boom');
    await page.click('#rej');
    await page.click('#go');
  },
  async sockets(page) {
    await page.goto('/ws');
    await expect(page.locator('#log')).toContainText('got welcome');
    await page.locator('#send').click();
    await expect(page.locator('li', { hasText: 'got echo' })).toHaveCount(1);
    await page.locator('#bin').click();
    await page.locator('#bye').click();
    await expect(page.locator('#log li').last()).toHaveText('closed 1000');
  },
  async states(page, context, site) {
    await context.addCookies([{ name: 'k', value: 'v', url: site.main }]);
    await context.setExtraHTTPHeaders({ 'x-own': '1' });
    await context.grantPermissions(['geolocation', 'clipboard-read']);
    await context.setGeolocation({ latitude: 1, longitude: 2 });
    await home(page);
    await expect.poll(() => page.evaluate(() => document.cookie)).toContain('k=v');
    await page.evaluate(() => new Promise(done => navigator.geolocation.getCurrentPosition(p => { document.getElementById('status').textContent = p.coords.latitude + ',' + p.coords.longitude; done(); })));
    await expect(page.locator('#status')).toHaveText('1,2');
    await context.setOffline(true);
    await page.evaluate(() => fetch('/json').catch(e => { document.getElementById('status').textContent = 'offline'; }));
    await expect(page.locator('#status')).toHaveText('offline');
    await context.setOffline(false);
    await context.clearCookies({ name: 'k' });
    await page.setViewportSize({ width: 500, height: 400 });
    await expect.poll(() => page.evaluate(() => innerWidth)).toBe(500);
    await context.storageState();
    await page.locator('#inc').click();
  },
  async mobile(page) {
    await home(page);
    await page.locator('#inc').tap();
    await page.touchscreen.tap(30, 30);
    await page.getByLabel('Name').tap();
    await page.keyboard.type('tapped');
    await expect(page.getByLabel('Name')).toHaveValue('tapped');
    expect(await page.evaluate(() => navigator.userAgent)).toContain('iPhone');
  },
  async 'two-pages'(page, context) {
    const other = await context.newPage();
    await Promise.all([home(page), other.goto('/second')]);
    await Promise.all([page.locator('#inc').click(), other.locator('h1').click()]);
    await other.locator('#back').click();
    await other.locator('#inc').dblclick();
    await expect(other.locator('#count')).toHaveText('2');
    await expect(page.locator('#count')).toHaveText('1');
    await page.close();
    await other.locator('#save').click();
  },
  async frames(page) {
    await page.goto('/frames');
    const inner = page.locator('#same').contentFrame();
    await inner.getByRole('textbox').fill('x');
    await inner.getByRole('button', { name: 'go' }).click();
    await expect(inner.locator('#o')).toHaveText('inner x');
    await inner.locator('iframe').contentFrame().getByRole('button').click();
    await page.frame({ url: /frame-cross/ }).click('button');
    await expect(page.frameLocator('#cross').getByText('cross clicked')).toBeVisible();
    await page.frame('same').waitForSelector('#q');
    await page.frame('same').goto('/frame-late');
    await expect(page.frameLocator('#same').getByText('late frame')).toBeVisible();
    await page.evaluate(() => { document.getElementById('same').src = '/frame-deep'; });
    await page.frameLocator('#same').locator('#d').click();
    await page.click('#add');
    await page.frameLocator('#late').locator('p').click();
  },
  async shadow(page) {
    await page.goto('/shadow');
    await page.getByRole('button', { name: '0' }).click();
    await expect(page.locator('x-counter').getByRole('button')).toHaveText('1');
    await page.getByText('leaf in leaf').click();
    await page.locator('x-card >> header').first().click();
    await page.locator('x-card').filter({ hasText: 'Second card' }).getByText('Second').click();
    await page.locator('#decl p').click();
    await expect(page.locator('x-card')).toHaveCount(2);
  },
  async asserted(page) {
    await home(page);
    await expect(page.getByRole('button', { name: 'Increment' })).toHaveAccessibleName('Increment');
    await expect(page.locator('#list')).toBeEmpty();
    await expect.soft(page.locator('#count')).toHaveText('0');
    await expect(page.locator('#count')).not.toHaveText(/[1-9]/);
    await expect(page.locator('#name')).toHaveAttribute('name', 'name');
    await expect(page.locator('#f')).toHaveId('f');
    await expect(page.locator('#next')).toHaveJSProperty('tagName', 'A');
    await expect(page.locator('#inc')).toHaveRole('button');
    await expect(async () => { await page.locator('#inc').click(); await expect(page.locator('#count')).toHaveText('3', { timeout: 50 }); }).toPass({ intervals: [20] });
    await expect(page.locator('button')).toHaveText(['Increment', /sav/i]);
    await expect(page.locator('body')).toContainText(['Second']);
  },
};

// What goes wrong must go wrong again, at the same step and in the same way.
const brief = { timeout: 2000 };
const failing = {
  async 'fails-covered'(page) { await page.goto('/fail'); await page.locator('#covered').click(brief); },
  async 'fails-hidden'(page) { await page.goto('/fail'); await page.locator('#hidden').hover(brief); },
  async 'fails-strict'(page) { await page.goto('/fail'); await page.locator('.dup').click(brief); },
  async 'fails-disabled'(page) { await page.goto('/fail'); await page.getByRole('button', { name: 'disabled' }).click(brief); },
  async 'fails-absent'(page) { await home(page); await page.getByTestId('none').fill('x', brief); },
  async 'fails-count'(page) { await home(page); await page.click('#inc'); await expect(page.locator('#count')).toHaveText('9', brief); },
  async 'fails-url'(page) { await home(page); await expect(page).toHaveURL(/second/, brief); },
  async 'fails-waiting'(page) { await home(page); await page.waitForSelector('#never', brief); },
  async 'fails-function'(page) { await home(page); await page.waitForFunction(() => window.never, null, brief); },
  async 'fails-url-wait'(page) { await home(page); await page.click('#inc'); await page.waitForURL('**/never', brief); },
  async 'fails-response'(page) { await home(page); await page.click('#inc'); await page.waitForResponse('**/never', brief); },
  async 'fails-script'(page) { await home(page); await page.evaluate(() => Promise.reject(new TypeError('rejected'))); },
  async 'fails-refused'(page) { await home(page); await page.goto('http://127.0.0.1:1/'); },
  async 'fails-load'(page) { await home(page); await page.goto('/hang', brief); },
  async 'fails-closed'(page) { await home(page); await Promise.all([page.locator('#never').click(), page.waitForTimeout(500).then(() => page.close())]); },
  async 'fails-dropped'(page) { await home(page); await page.goto('/drop'); },
  async 'fails-check'(page) { await page.goto('/forms'); await page.locator('#t').check(brief); },
  async 'fails-fill'(page) { await page.goto('/forms'); await page.locator('#num').fill('abc', brief); },
  async 'fails-select'(page) { await page.goto('/forms'); await page.locator('#s').selectOption('none', brief); },
  async 'fails-key'(page) { await page.goto('/forms'); await page.locator('#t').press('NoSuchKey', brief); },
  async 'fails-frame'(page) { await page.goto('/frames'); await page.frameLocator('#none').locator('button').click(brief); },
  async 'fails-crash'(page) { await home(page); await page.locator('#inc').click(); await page.goto('chrome://crash', brief); },
  async 'fails-viewport'(page) { await page.goto('/fail'); await page.evaluate(() => { document.querySelector('.dup').style.cssText = 'position:fixed;left:-900px'; }); await page.locator('.dup').first().click(brief); },
};

const phone = { ...devices['iPhone 13'] };
delete phone.defaultBrowserType;
const options = { mobile: phone, secrets: { httpCredentials: { username: 'u', password: 'p' }, ignoreHTTPSErrors: true }, heavy: { deviceScaleFactor: 2, colorScheme: 'dark', locale: 'de-DE', timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce' }, frames: { bypassCSP: true } };

if (process.argv[1] === import.meta.filename) {
  const [out, ...only] = process.argv.slice(2), site = await startSite(), dir = path.join(out, 'files');
  fs.mkdirSync(dir, { recursive: true });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  for (const [name, session] of Object.entries({ ...sessions, ...failing })) {
    if (only.length && !only.includes(name)) continue;
    const context = await browser.newContext({ baseURL: site.main, viewport: { width: 800, height: 600 }, ...options[name] });
    context.setDefaultTimeout(10_000);
    await context.tracing.start({ snapshots: true, screenshots: false, title: name });
    let why;
    try { await session(await context.newPage(), context, site, dir); } catch (e) { why = e; }
    await context.tracing.stop({ path: path.join(out, name + '.zip') });
    await context.close().catch(() => {});
    if (!!why !== name in failing) { console.error(`${name}: ${why ? why.message : 'did not fail'}`); process.exitCode = 1; }
  }
  await browser.close();
  site.close();
}
