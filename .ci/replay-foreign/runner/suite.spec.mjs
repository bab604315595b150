// Tests of Playwright's runner, some of which fail in the ways in which tests
// do. Its traces are replayed.
import { test as base, expect } from '@playwright/test';

const test = base.extend({
  home: async ({ page }, use) => { await page.goto('/'); await use({ page, inc: page.getByTestId('inc') }); await page.locator('h1').click(); },
  seeded: [async ({ context }, use) => { await context.addInitScript(() => { window.seed = 7; }); await use(7); }, { auto: true }],
});

test.afterEach(async ({ page }, info) => {
  if (!page.isClosed()) await info.attach('end', { body: await page.screenshot().catch(() => Buffer.alloc(0)), contentType: 'image/png' });
});

test('fixtures', async ({ home }) => {
  await home.inc.click();
  await expect(home.page.locator('#count')).toHaveText('1');
  await test.step('inner', async () => { await home.page.getByLabel('Name').fill('x'); await home.page.getByRole('button', { name: 'Save' }).click(); });
  await expect(home.page.getByRole('listitem')).toHaveText(['x']);
});

test('two contexts and a request', async ({ page, browser, request }) => {
  const other = await browser.newContext({ baseURL: process.env.SITE }), second = await other.newPage();
  await page.goto('/');
  await second.goto('/second');
  await page.locator('#inc').click();
  await second.locator('h1').click();
  expect((await request.get('/json?via=request')).ok()).toBeTruthy();
  await other.close();
});

test('compared pictures', async ({ page }) => {
  await page.goto('/second');
  await expect(page).toHaveScreenshot('second.png');
  await expect(page.locator('h1')).toHaveScreenshot({ animations: 'disabled' });
  await page.locator('#back').click();
});

test('a picture that differs', async ({ page }, info) => {
  await page.goto('/second');
  if (info.retry) await page.evaluate(() => { document.body.style.background = 'red'; });
  await expect(page).toHaveScreenshot('other.png', { timeout: 2000 });
  if (!info.retry) throw new Error('so that it is tried again');
});

test('roles', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('body')).toMatchAriaSnapshot('- heading "Home" [level=1]\n- paragraph: ready\n- button "Increment"');
  await page.locator('#inc').click();
});

test('roles that are not there', async ({ page }) => {
  await page.goto('/');
  await expect(page.locator('body')).toMatchAriaSnapshot('- button "None"', { timeout: 800 });
});

test('soft assertions', async ({ page }) => {
  await page.goto('/');
  await expect.soft(page.locator('#count')).toHaveText('5', { timeout: 400 });
  await page.locator('#inc').click();
  await expect.soft(page).toHaveTitle('Nope', { timeout: 300 });
  await page.locator('#inc').click();
  await expect(page.locator('#count')).toHaveText('2');
});

test('polling', async ({ page }) => {
  await page.goto('/clock');
  await expect.poll(async () => page.locator('#lb').count(), { intervals: [100] }).toBe(1);
  await expect(async () => { await page.locator('#lb').click({ timeout: 500 }); }).toPass();
});

test('an error of its own', async ({ page }) => {
  await page.goto('/');
  await page.locator('#inc').click();
  throw new Error('plain error', { cause: new TypeError('the cause') });
});

test('its time runs out', async ({ page }) => { test.setTimeout(2500); await page.goto('/'); await page.waitForTimeout(60_000); });
test('its time runs out in an assertion', async ({ page }) => { test.setTimeout(3000); await page.goto('/'); await expect(page.locator('#count')).toHaveText('8', { timeout: 20_000 }); });
test('its time runs out in a navigation', async ({ page }) => { test.setTimeout(2500); await page.goto('/hang'); });
test('its time runs out in an action', async ({ page }) => { test.setTimeout(2500); await page.goto('/'); await page.locator('#absent').click(); });
test('expected to fail', async ({ page }) => { test.fail(); await page.goto('/'); await page.locator('#none').click({ timeout: 500 }); });
test('ambiguous', async ({ page }) => { await page.goto('/fail'); await page.getByRole('button').click(); });

test('flaky', async ({ page }, info) => {
  await page.goto('/');
  await page.locator('#inc').click();
  await expect(page.locator('#count')).toHaveText(info.retry ? '1' : '2', { timeout: 500 });
});

test('an error that is caught', async ({ page }) => {
  await page.goto('/');
  await page.locator('#none').click({ timeout: 500 }).catch(() => {});
  await page.locator('#inc').click();
  if (await page.locator('#none').isVisible()) await page.locator('#none').click();
  await expect(page.locator('#count')).toHaveText('1');
});

test('the page is closed', async ({ page }) => {
  await page.goto('/');
  await Promise.all([page.locator('#none').click(), page.waitForTimeout(400).then(() => page.close())]);
});

test.describe('with storage', () => {
  test.use({ storageState: { cookies: [], origins: [{ origin: process.env.SITE, localStorage: [{ name: 'k', value: 'kept' }] }] }, locale: 'fr-FR', colorScheme: 'dark', timezoneId: 'Europe/Paris', extraHTTPHeaders: { 'x-a': 'b' } });
  test('storage', async ({ page }) => {
    await page.goto('/');
    await page.evaluate(() => { document.getElementById('status').textContent = localStorage.k + navigator.language; });
    await expect(page.locator('#status')).toContainText('fr-FR');
    await page.locator('#inc').click();
  });
});

test.describe('a phone', () => {
  test.use({ viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 });
  test('touched', async ({ page }) => {
    await page.goto('/forms');
    await page.locator('#c1').tap();
    await expect(page.locator('#c1')).toBeChecked();
    await page.locator('#foot').scrollIntoViewIfNeeded();
    await page.locator('#ce').tap();
    await page.keyboard.type('z');
    await page.locator('#s').selectOption({ label: 'Z' });
  });
});

test('steps of many kinds', async ({ page }) => {
  test.info().annotations.push({ type: 'a', description: 'b' });
  await test.step('box', async () => { await page.goto('/'); }, { box: true });
  await test.step('deep', async () => { await test.step('deeper', async () => { await page.locator('#inc').click(); }); });
  await test.info().attach('file', { path: import.meta.filename });
});
