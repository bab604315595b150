// Records traces with Playwright in which every kind of locator, action and
// assertion occurs, for replaying them.
//
//   PW=<node_modules with playwright-core and @playwright/test> node vocabulary.mjs OUT [part…]
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { startSite } from './vocabulary-site.mjs';

const require = createRequire(path.resolve(process.env.PW ?? 'node_modules') + '/');
const { chromium } = require('playwright-core');
const { expect } = require('@playwright/test');

const log = page => page.locator('#log');
const logged = (page, what) => expect(log(page)).toContainText(what);

export const parts = {
  async locators(page) {
    await page.goto('/locators');
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { level: 4 }).click();
    await page.getByRole('button', { name: /^shadow/i }).click();
    await logged(page, 'shadow');
    await page.getByRole('checkbox', { checked: true }).click();
    await page.getByRole('button', { pressed: true }).click();
    await page.getByRole('button', { expanded: false }).click();
    await page.getByRole('option', { selected: true }).click();
    await expect(page.getByRole('button', { disabled: true, name: 'Save' })).toBeDisabled();
    await expect(page.getByRole('button', { includeHidden: true, name: 'Ghost' })).toHaveCount(1);
    await expect(page.getByRole('img', { name: 'Chart' })).toBeVisible();
    await expect(page.getByRole('row', { name: 'Ann 30' })).toBeVisible();
    await expect(page.getByRole('cell', { name: 'Bob' })).toHaveCount(1);
    await expect(page.getByRole('columnheader', { name: 'Age' })).toHaveCount(1);
    await page.getByText('Apple').click();
    await page.getByText('text', { exact: true }).click();
    await logged(page, 'exact');
    await page.getByText(/note\s+two/i).click();
    await page.getByText('Some long text with spaces').click();
    await page.getByLabel('Email').click();
    await page.getByLabel('Password', { exact: true }).click();
    await page.getByLabel(/search/i).click();
    await page.getByLabel('Labelled').click();
    await page.getByPlaceholder('you@example').click();
    await page.getByAltText('logo').click();
    await page.getByTitle('Secret word').click();
    await page.getByTestId('row-2').getByRole('button').click();
    await logged(page, 'row-2');
    await page.getByTestId(/^row-1$/).click();
    await page.locator('li').filter({ hasText: 'Banana' }).getByText('Buy').click();
    await page.locator('li', { has: page.locator('em') }).getByRole('button').click();
    await page.locator('li', { hasNot: page.locator('em'), hasNotText: 'Date' }).first().getByRole('button').click();
    await page.getByRole('listitem').filter({ hasText: /date/i }).getByRole('button', { name: 'Buy' }).click();
    await logged(page, 'row-4');
    await page.locator('li').filter({ visible: true }).last().click();
    await page.locator('li').nth(1).click();
    await page.locator('li').nth(-1).getByText('Medjool').click();
    await page.getByRole('button').and(page.locator('[aria-pressed]')).click();
    await page.locator('#nothing').or(page.locator('#exact')).click();
    await page.locator('css=p.note:has-text("Note one")').click();
    await page.locator('p:text-is("text")').click();
    await page.locator(':text("Leaf")').click();
    await page.locator('p:text-matches("^note TWO$", "i")').click();
    await page.locator(':nth-match(p.note, 2)').click();
    await page.locator('li:visible >> nth=1 >> button').click();
    await page.locator('#outer > .in .leaf').click();
    await page.locator('article:has(.x), div:has(> .in)').first().click();
    await page.locator('p.note + p.note').click();
    await page.locator('p.note:not(.first)').click();
    await page.locator('p:is(.first, .second)').click();
    await page.locator('xpath=//ul/li[2]/span').click();
    await page.locator('//table//tr[2]/td[1]').click();
    await page.locator('text=Date "Medjool"').click();
    await page.locator("text='Ann'").click();
    await page.locator('text=/^bob$/i').click();
    await page.locator('id=exact').click();
    await page.locator('data-testid=row-1').click();
    await page.locator('button:right-of(:text("Banana"))').first().click();
    await page.locator('td:left-of(:text("30"))').first().click();
    await page.locator('p:below(table)').count();
    await page.locator('button:near(:text("Apple"))').first().click();
    await page.locator('x-box #sb').click();
    await page.locator('x-box').locator('button').click();
    await page.locator('[data-testid="row-1"] b, [data-testid="row-2"] em').last().click();
    await page.locator('ul').locator('li', { hasText: 'Apple' }).locator('..').click({ position: { x: 1, y: 1 } });
    await page.locator('*css=li >> text=Banana').click();
    await page.getByRole('list').getByRole('listitem').filter({ has: page.getByRole('button', { name: 'Buy' }) }).filter({ hasNotText: 'Apple' }).first().describe('the banana').click();
    await page.locator('role=button[name="Edit"]').click();
    await page.locator('internal:role=button[name="Edit"i]').click();
    await expect(page.getByRole('main').getByRole('heading')).toHaveText(['Products', 'Deep heading']);
    await page.locator('li').first().locator('span').or(page.locator('.never')).and(page.getByText('Apple')).click();
    for (const li of await page.locator('ul#list > li:visible').all()) await li.click();
  },
  async pointer(page) {
    await page.goto('/pointer');
    const pad = page.locator('#pad');
    await pad.click({ position: { x: 10, y: 20 } });
    await logged(page, 'click:0:1:10:20');
    await pad.click({ button: 'right' });
    await logged(page, 'contextmenu:2');
    await pad.click({ button: 'middle' });
    await logged(page, 'auxclick:1');
    await page.evaluate(() => clear());
    await pad.dblclick();
    await expect(log(page)).toHaveText(/down up click:0:1:\S+ down up click:0:2:\S+ dblclick:0:2/);
    await pad.click({ clickCount: 3, delay: 20 });
    await logged(page, 'click:0:3');
    await pad.click({ modifiers: ['Shift', 'Alt'] });
    await logged(page, 'alt+shift');
    await pad.click({ trial: true });
    await pad.click({ force: true });
    await pad.hover({ position: { x: 5, y: 5 } });
    await page.locator('#menu').hover();
    await expect(page.locator('#tip')).toBeVisible();
    await page.evaluate(() => clear());
    await page.mouse.move(60, 140);
    const box = await pad.boundingBox();
    await page.mouse.move(box.x + 30, box.y + 30, { steps: 4 });
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.click(box.x + 2 + 12, box.y + 2 + 13);
    await logged(page, 'click:0:1:12:13');
    await page.mouse.dblclick(box.x + 14, box.y + 15);
    await logged(page, 'dblclick:0:2');
    await page.mouse.click(box.x + 14, box.y + 15, { button: 'right' });
    await page.mouse.wheel(0, 120);
    await logged(page, 'wheel:0:120');
    await page.evaluate(() => clear());
    await page.locator('#drag').dragTo(page.locator('#drop'));
    await logged(page, 'drop:payload');
    await page.dragAndDrop('#drag', '#drop', { sourcePosition: { x: 5, y: 5 }, targetPosition: { x: 9, y: 9 } });
    await page.locator('#knob').dragTo(page.locator('#free'), { targetPosition: { x: 120, y: 60 } });
    await logged(page, 'knob');
    const knob = await page.locator('#knob').boundingBox();
    await page.mouse.move(knob.x + 5, knob.y + 5);
    await page.mouse.down();
    await page.mouse.move(knob.x - 25, knob.y - 15, { steps: 3 });
    await page.mouse.up();
    if (page.locator('#drop').drop) {
      await page.locator('#drop').drop({ files: { name: 'dropped.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') } });
      await logged(page, 'dropped.txt');
      await page.locator('#drop').drop({ data: { 'text/plain': 'words' } });
      await logged(page, 'drop:words');
    }
    await page.$eval('#box', e => e.scrollTo(0, 100));
    await expect(page.locator('#box')).toHaveAttribute('data-top', '100');
    await page.locator('#late').scrollIntoViewIfNeeded();
    await expect(page.locator('#late')).toBeInViewport();
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator('#late').click();
    await logged(page, 'late:true');
  },
  async touch(page) {
    await page.goto('/pointer');
    await page.locator('#pad').tap();
    await logged(page, 'touchend:0');
    const box = await page.locator('#pad').boundingBox();
    await page.touchscreen.tap(box.x + 20, box.y + 20);
    await expect(log(page)).toHaveText(/touchstart.*touchend.*touchstart.*touchend/);
    await page.locator('#pad').tap({ position: { x: 3, y: 3 }, modifiers: ['Shift'] });
  },
  async fields(page) {
    await page.goto('/fields');
    await page.fill('#text', 'filled');
    await page.locator('#text').press('End');
    await page.locator('#text').press('Backspace');
    await page.locator('#text').pressSequentially('D!', { delay: 10 });
    await expect(page.locator('#text')).toHaveValue('filleD!');
    await page.locator('#text').press('Control+A');
    await page.keyboard.type('typed é 漢');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Shift');
    await page.keyboard.insertText('ins');
    await expect(page.locator('#text')).toHaveValue('typed ins漢');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.keyboard.press('Delete');
    await page.keyboard.type('Hello, World (1+1=2) {x} ~ "q" <a>|\\');
    await expect(page.locator('#text')).toHaveValue('Hello, World (1+1=2) {x} ~ "q" <a>|\\');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('ControlOrMeta+c');
    await page.locator('#area').focus();
    await page.keyboard.press('ControlOrMeta+v');
    await page.locator('#area').press('Enter');
    await page.keyboard.type('two\nlines');
    await expect(page.locator('#area')).toHaveValue(/two\nlines$/);
    await page.locator('#text').clear();
    await expect(page.locator('#text')).toBeEmpty();
    await page.locator('#text').focus();
    await page.locator('#text').blur();
    await logged(page, 'blur');
    await page.locator('#text').dispatchEvent('custom');
    await logged(page, 'custom');
    await page.locator('#text').press('F1');
    await page.locator('#text').press('Escape');
    await page.locator('#text').press('Tab');
    await expect(page.locator('#area')).toBeFocused();
    await page.locator('#rich').fill('rich text');
    await page.locator('#rich').press('Control+B');
    await expect(page.locator('#rich')).toHaveText('rich text');
    await page.locator('#area').selectText();
    await page.keyboard.press('Delete');
    await expect(page.locator('#area')).toHaveValue('');
    await page.locator('#num').fill('42');
    await page.locator('#num').press('ArrowUp');
    await expect(page.locator('#num')).toHaveValue('43');
    await page.locator('#date').fill('2026-02-03');
    await page.locator('#time').fill('13:45');
    await page.locator('#month').fill('2026-05');
    await page.locator('#week').fill('2026-W07');
    await page.locator('#dt').fill('2026-02-03T10:20');
    await page.locator('#color').fill('#aabbcc');
    await page.locator('#range').fill('8');
    await page.locator('#range').press('ArrowRight');
    await expect(page.locator('#range')).toHaveValue('9');
    await page.locator('#pass').fill('secret');
    await page.locator('#box1').check();
    await page.locator('#box1').uncheck();
    await page.getByLabel('second').setChecked(true);
    await page.locator('#box2').setChecked(false);
    await page.locator('#box2').check({ force: true });
    await page.locator('#fake').check();
    await expect(page.locator('#fake')).toBeChecked();
    await page.locator('#r2').check();
    await expect(page.locator('#r1')).not.toBeChecked();
    await page.locator('#one').selectOption('b');
    await page.locator('#one').selectOption({ label: 'Gamma!' });
    await expect(page.locator('#one')).toHaveValue('c');
    await page.locator('#one').selectOption({ index: 0 });
    await page.locator('#one').selectOption({ value: 'b' });
    await page.locator('#one').selectOption('Alpha');
    await page.locator('#many').selectOption([{ value: 'red' }, { label: 'blue' }]);
    await expect(page.locator('#many')).toHaveValues(['red', 'blue']);
    await page.locator('#many').selectOption([]);
    await page.selectOption('#many', { index: 1 });
    await page.locator('#one').press('ArrowDown');
    await page.getByLabel('Labelled').fill('by label');
    await page.getByText('Labelled').click();
    await page.locator('#file').setInputFiles({ name: 'mem.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await logged(page, 'change:file:mem.txt');
    await page.locator('#file').setInputFiles([process.env.A_FILE, { name: 'second.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(10) }].slice(0, 1));
    await page.locator('#file').setInputFiles([]);
    await expect(page.locator('#file')).toHaveValue('');
    const chooser = page.waitForEvent('filechooser');
    await page.locator('#pick').click();
    await (await chooser).setFiles([{ name: 'one.txt', mimeType: 'text/plain', buffer: Buffer.from('1') }, { name: 'two.txt', mimeType: 'text/plain', buffer: Buffer.from('2') }]);
    await logged(page, 'one.txt+two.txt');
    await page.locator('#text').fill('enter');
    await page.locator('#text').press('Enter');
    await logged(page, 'submit');
    await page.locator('#go').click({ noWaitAfter: true });
    await page.locator('#go').click({ clickCount: 2 });
    await expect(page.locator('#ro')).not.toBeEditable();
  },
  async frames(page) {
    await page.goto('/frames');
    const a = page.frameLocator('#a');
    await a.getByLabel('Word').fill('in a');
    await a.getByRole('button').click();
    await expect(a.locator('#log')).toHaveText('hi:in a');
    const b = page.locator('#b').contentFrame();
    await b.locator('#w').fill('in b');
    await b.getByText('Say').click();
    await expect(b.locator('#log')).toHaveText('hi:in b');
    await b.locator('#s').selectOption('2');
    await page.frameLocator('#c').getByRole('button').click();
    await expect(page.frameLocator('#c').getByRole('button')).toHaveText('1');
    await page.frameLocator('#c').frameLocator('iframe').locator('#w').fill('deep');
    await page.frameLocator('iframe').nth(1).locator('#w').press('End');
    await page.frameLocator('[title=Second]').locator('body').click();
    const f = page.frame({ name: 'first' });
    await f.fill('#w', 'by frame');
    await f.click('text=Say');
    await f.locator('#s').selectOption('2');
    await expect(f.locator('#log')).toContainText('hi:by frame');
    await f.evaluate(() => say('evaluated'));
    await expect(f.locator('#log')).toContainText('evaluated');
    const g = page.frames().find(x => x.url().includes('?b'));
    await g.locator('#w').pressSequentially('!');
    await g.locator('button').click();
    await expect(g.locator('#log')).toContainText('hi:!in b');
    await page.locator('#a').owner?.();
    await f.goto('/inner?again');
    await expect(f.locator('#log')).toHaveText('');
    await f.waitForSelector('#w');
    const h = await page.$('#a');
    const inside = await h.contentFrame();
    await inside.fill('#w', 'by handle');
    await expect(inside.locator('#w')).toHaveValue('by handle');
  },
  async world(page, context) {
    await page.goto('/world');
    page.once('dialog', d => d.accept());
    await page.locator('#alert').click();
    await logged(page, 'alerted');
    page.once('dialog', d => d.dismiss());
    await page.locator('#confirm').click();
    await logged(page, 'false');
    page.once('dialog', d => d.accept());
    await page.locator('#confirm').click();
    await logged(page, 'true');
    page.once('dialog', d => d.accept('answer'));
    await page.locator('#prompt').click();
    await logged(page, 'answer');
    await page.locator('#prompt').click();
    await logged(page, 'null');
    const popup = page.waitForEvent('popup');
    await page.locator('#blank').click();
    const p = await popup;
    await p.locator('#w').fill('x');
    await p.getByRole('button').click();
    await expect(p.locator('#log')).toHaveText('hi:x');
    await p.close();
    const [w] = await Promise.all([page.waitForEvent('popup'), page.locator('#open').click()]);
    await w.waitForLoadState();
    await expect(w).toHaveURL(/opened/);
    await w.bringToFront();
    await page.bringToFront();
    await w.close();
    const [d] = await Promise.all([page.waitForEvent('download'), page.locator('#dl').click()]);
    await d.path();
    await page.locator('#push').click();
    await expect(page).toHaveURL(/pushed/);
    await page.goBack();
    await expect(page).not.toHaveURL(/pushed/);
    await page.goForward();
    await page.waitForURL('**/world?pushed');
    await page.locator('#next').click();
    await expect(page).toHaveTitle('Fields');
    await page.goBack({ waitUntil: 'domcontentloaded' });
    await page.reload();
    await page.waitForLoadState('networkidle');
    await page.locator('#slow').click();
    await page.locator('#came').click();
    await logged(page, 'came');
    await page.locator('#hide').click();
    await page.locator('#gone').waitFor({ state: 'hidden' });
    await page.waitForFunction(() => !document.getElementById('gone'));
    await page.waitForFunction(n => document.querySelectorAll('button').length > n, 3, { polling: 100 });
    await page.waitForSelector('#nothing', { state: 'detached' });
    await page.waitForTimeout(120);
    const other = await context.newPage();
    await other.goto('/inner?second');
    await other.locator('#w').fill('second page');
    await page.locator('#where').click();
    await other.close();
    await page.evaluate(async () => { await new Promise(f => setTimeout(f, 300)); say('waited'); });
    await logged(page, 'waited');
    await page.evaluate(({ a, list }) => say(a.b, list.join('-')), { a: { b: 5 }, list: [1, 'x', null] });
    await logged(page, '5:1-x-');
    await page.evaluate('say("text expression")');
    await page.$eval('h1', (e, x) => say(e.tagName, x), 'arg');
    await logged(page, 'H1:arg');
    await page.locator('button').evaluateAll((l, n) => say(l.length > n), 3);
    await page.locator('h1').evaluate(e => e.tagName);
    const handle = await page.evaluateHandle(() => document.body);
    await handle.evaluate(b => b.tagName);
    await page.addScriptTag({ content: 'say("inline script")' });
    await logged(page, 'inline script');
    await page.addScriptTag({ url: '/added.js' });
    await logged(page, 'added');
    await page.addStyleTag({ content: 'h1 { color: rgb(7, 7, 7) }' });
    await expect(page.locator('h1')).toHaveCSS('color', 'rgb(7, 7, 7)');
    await page.addStyleTag({ url: '/added.css' });
    await page.setViewportSize({ width: 640, height: 500 });
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await page.locator('#media').click();
    await logged(page, 'true:true:false:640');
    await page.emulateMedia({ colorScheme: null, reducedMotion: null, media: 'print' });
    await page.emulateMedia({ media: null });
    await page.screenshot();
    await page.locator('h1').screenshot();
    await page.setContent('<button onclick="this.textContent=2">set</button>');
    await page.getByRole('button').click();
    await expect(page.getByRole('button')).toHaveText('2');
  },
  async state(page, context, origins) {
    await context.addCookies([{ name: 'c', value: 'v', url: origins.main }]);
    await context.addInitScript(() => { window.early = 'early'; localStorage.setItem('k', 'init'); });
    await page.addInitScript('window.also = 1');
    await page.exposeFunction('ours', () => 1);
    await context.setExtraHTTPHeaders({ 'x-own': 'sent' });
    await page.route('**/api/items', r => r.fulfill({ json: ['routed'] }));
    await page.goto('/world');
    await page.locator('#load').click();
    await logged(page, 'items:routed');
    await page.unroute('**/api/items');
    await page.locator('#load').click();
    await logged(page, 'items:a+b');
    await page.locator('#head').click();
    await logged(page, 'sent');
    await page.locator('#store').click();
    await logged(page, 'init:c=v:');
    await page.locator('#bind').click();
    await logged(page, 'function:early');
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 12.5, longitude: 1 });
    await page.locator('#geo').click();
    await logged(page, '12.5');
    await context.clearPermissions();
    if (page.localStorage?.setItem) {
      await page.localStorage.setItem('k', 'web storage');
      await page.sessionStorage.setItem('s', 'session');
      await page.locator('#store').click();
      await logged(page, 'web storage:c=v:session');
      await page.sessionStorage.clear();
      await page.localStorage.removeItem('k');
    }
    await context.clearCookies();
    await page.request.post('/api/login', { data: { user: 'a' } });
    await page.goto('/world');
    await page.locator('#store').click();
    await logged(page, 'sid=logged');
    await context.setOffline(true);
    await page.locator('#load').click();
    await logged(page, 'failed');
    await context.setOffline(false);
    await page.locator('#ws').click();
    await logged(page, 'ws:echo hey');
    await page.addLocatorHandler(page.locator('#banner'), async () => { await page.locator('#ok').click(); });
    await page.evaluate(() => document.getElementById('banner').showModal());
    await page.locator('#where').click();
    await logged(page, '/world');
  },
  async clock(page) {
    await page.clock.install({ time: new Date('2024-02-02T08:00:00Z') });
    await page.goto('/world');
    await page.clock.pauseAt(new Date('2024-02-02T10:00:00Z'));
    await page.locator('#clock').click();
    await logged(page, '2024-02-02T10:00');
    await page.locator('#tick').click();
    await page.clock.runFor(3000);
    await logged(page, 't3');
    await page.clock.fastForward('30:00');
    await page.locator('#clock').click();
    await logged(page, '2024-02-02T10:30');
    await page.clock.setFixedTime(new Date('2030-01-01T00:00:00Z'));
    await page.locator('#clock').click();
    await logged(page, '2030-01-01T00:00');
    await page.clock.resume();
  },
  async handles(page) {
    await page.goto('/fields');
    const text = await page.$('#text');
    await text.fill('by handle');
    await text.press('End');
    await text.type('!');
    await expect(page.locator('#text')).toHaveValue('by handle!');
    await (await page.$('#box1')).check();
    await expect(page.locator('#box1')).toBeChecked();
    await (await page.$('#one')).selectOption('b');
    await (await page.waitForSelector('#go')).click();
    await logged(page, 'submit');
    await (await page.$('#area')).focus();
    await page.keyboard.type('focused');
    await expect(page.locator('#area')).toHaveValue('focused');
    await (await page.$('#area')).selectText();
    await (await page.$('#go')).hover();
    await (await page.$('#go')).dblclick();
    await (await page.$('#go')).scrollIntoViewIfNeeded();
    await (await page.$('#go')).waitForElementState('visible');
    await (await page.$('#off')).waitForElementState('disabled');
    await (await page.$('#text')).dispatchEvent('custom');
    await logged(page, 'custom');
    const list = await page.$$('input[type=radio]');
    await list[1].check();
    await expect(page.locator('#r2')).toBeChecked();
    await page.$eval('#text', (e, v) => { e.value = v; }, 'eval');
    await expect(page.locator('#text')).toHaveValue('eval');
    await page.$$eval('input', l => say(l.length));
    const form = await page.$('form');
    await (await form.$('#lab')).fill('nested');
    await expect(page.locator('#lab')).toHaveValue('nested');
    await (await page.$('#file')).setInputFiles({ name: 'h.txt', mimeType: 'text/plain', buffer: Buffer.from('x') });
    await logged(page, 'h.txt');
    await text.screenshot();
  },
  async expect(page) {
    await page.goto('/expect');
    const p = page.locator('#p');
    await expect(p).toBeVisible(); await expect(p).toBeAttached(); await expect(p).toBeInViewport({ ratio: 0.5 }); await expect(p).toBeEnabled();
    await expect(page.locator('#none')).not.toBeAttached(); await expect(page.locator('#none')).toBeHidden(); await expect(page.locator('#hid')).toBeHidden(); await expect(page.locator('#far')).not.toBeInViewport();
    await expect(page.locator('#e')).toBeDisabled(); await expect(page.locator('#i')).toBeEditable(); await expect(page.locator('#ro')).toBeEditable({ editable: false }); await expect(page.locator('#empty')).toBeEmpty();
    await expect(page.locator('#c')).toBeChecked(); await page.locator('#c').uncheck(); await expect(page.locator('#c')).toBeChecked({ checked: false }); await page.locator('#i').focus(); await expect(page.locator('#i')).toBeFocused();
    await page.$eval('#c', e => { e.indeterminate = true; }); await expect(page.locator('#c')).toBeChecked({ indeterminate: true });
    await expect(p).toHaveText('Hello big world'); await expect(p).toHaveText(/big/); await expect(p).toHaveText('hello BIG world', { ignoreCase: true }); await expect(p).toContainText('big'); await expect(p).not.toContainText('small');
    await expect(p).toHaveText('Hello big world', { useInnerText: true });
    const li = page.locator('li'); await expect(li).toHaveText(['one', /tw/, 'three']); await expect(li).toContainText(['one', 'three']); await expect(li).toHaveCount(3); await expect(li).not.toHaveCount(2); await expect(li).not.toHaveText(['one']);
    await expect(p).toHaveAttribute('title'); await expect(p).toHaveAttribute('title', 'tip'); await expect(p).toHaveAttribute('title', /^T/i); await expect(p).not.toHaveAttribute('nope'); await expect(p).toHaveClass('a b c'); await expect(p).toHaveClass(/b/); await expect(p).toContainClass('c a'); await expect(li).toHaveClass(['', '', '']);
    await expect(p).toHaveCSS('color', 'rgb(1, 2, 3)'); await expect(p).toHaveId('p'); await expect(p).toHaveJSProperty('tagName', 'P'); await expect(page.locator('#i')).toHaveJSProperty('disabled', false);
    await expect(page.locator('#i')).toHaveValue('val'); await expect(page.locator('#ta')).toHaveValue(/x/); await expect(page.locator('#m')).toHaveValues(['1', /2/]);
    await expect(page.locator('#b')).toHaveAccessibleName('Named'); await expect(p).toHaveAccessibleDescription('described'); await expect(page.locator('#b')).toHaveRole('button'); await expect(page.locator('#err')).toHaveAccessibleErrorMessage('wrong');
    await expect(page).toHaveTitle('Expect'); await expect(page).toHaveTitle(/exp/i); await expect(page).toHaveURL('/expect'); await expect(page).toHaveURL(/expect$/); await expect(page).not.toHaveURL('/other');
    await expect(async () => { await expect(p).toBeVisible({ timeout: 500 }); }).toPass();
    await expect.poll(() => page.locator('li').count()).toBe(3);
    await page.locator('#i').click();
  },
};

// What goes wrong must go wrong again, at the same step and in the same way.
const failing = {
  async 'fails-strict'(page) { await page.goto('/locators'); await page.getByText('Apple').click(); await page.getByRole('button', { name: 'Buy' }).click(); },
  async 'fails-missing'(page) { await page.goto('/locators'); await page.getByRole('button', { name: 'Absent' }).click({ timeout: 2000 }); },
  async 'fails-hidden'(page) { await page.goto('/locators'); await page.getByTestId('row-3').click({ timeout: 2000 }); },
  async 'fails-disabled'(page) { await page.goto('/fields'); await page.locator('#off').fill('x', { timeout: 2000 }); },
  async 'fails-kind'(page) { await page.goto('/fields'); await page.locator('#one').fill('x', { timeout: 2000 }); },
  async 'fails-option'(page) { await page.goto('/fields'); await page.locator('#one').selectOption('zzz', { timeout: 2000 }); },
  async 'fails-expect'(page) { await page.goto('/expect'); await expect(page.locator('#p')).toHaveText('Bye', { timeout: 2000 }); },
  async 'fails-navigation'(page) { await page.goto('/expect'); await page.goto('http://localhost:1/nothing'); },
  async 'fails-script'(page) { await page.goto('/expect'); await page.evaluate(() => { throw new Error('thrown'); }); },
  async 'fails-selector'(page) { await page.goto('/expect'); await page.locator('div >> >> x[').click({ timeout: 2000 }); },
  async 'fails-function'(page) { await page.goto('/expect'); await page.waitForFunction(() => false, undefined, { timeout: 2000 }); },
};

const options = { touch: { hasTouch: true, isMobile: true, viewport: { width: 500, height: 700 }, deviceScaleFactor: 2 } };

if (process.argv[1] === import.meta.filename) {
  const [out, ...only] = process.argv.slice(2), site = await startSite();
  fs.mkdirSync(out, { recursive: true });
  process.env.A_FILE = path.resolve(out, 'upload.txt');
  fs.writeFileSync(process.env.A_FILE, 'from disk');
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
  for (const [name, part] of Object.entries({ ...parts, ...failing })) {
    if (only.length && !only.includes(name)) continue;
    const context = await browser.newContext({ baseURL: site.main, viewport: { width: 900, height: 700 }, ...options[name] });
    context.setDefaultTimeout(5000);
    await context.tracing.start({ snapshots: true, screenshots: false, title: name });
    let why;
    try { await part(await context.newPage(), context, site); } catch (e) { why = e; }
    await context.tracing.stop({ path: path.join(out, name + '.zip') });
    await context.close();
    if (!!why !== name in failing) { console.error(`${name}: ${why ? why.message : 'did not fail'}`); process.exitCode = 1; }
  }
  await browser.close();
  site.close();
}
