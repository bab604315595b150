// Records the same short session with older releases of Playwright, each
// installed from npm into a folder of its own.
//
//   node versions.mjs OUT VERSION…
import fs from 'node:fs';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { startSite } from './corpus-site.mjs';

// One or two of every format of traces, and of what came and went between.
export const releases = ['1.22.2', '1.30.0', '1.33.0', '1.36.2', '1.39.0', '1.42.1', '1.45.3', '1.49.1', '1.53.2', '1.57.0', '1.61.0', '1.63.0'];

function release(dir, version) {
  const at = path.join(dir, version);
  if (!fs.existsSync(path.join(at, 'node_modules/playwright-core'))) {
    fs.mkdirSync(at, { recursive: true });
    execFileSync('npm', ['i', '--no-audit', '--no-fund', '--silent', '--prefix', at, 'playwright-core@' + version], { stdio: 'inherit', env: { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' } });
  }
  return createRequire(path.join(at, 'node_modules') + '/')('playwright-core');
}

async function session(page, context) {
  page.on('dialog', d => d.accept('x').catch(() => {}));
  await page.goto('/');
  await page.click('#inc');
  await page.dblclick('text=Increment');
  await page.fill('#name', 'Ada');
  await page.press('#name', 'Enter');
  await page.hover('h1');
  await page.goto('/console');
  for (const id of ['go', 'boom', 'al', 'pr']) await page.click('#' + id);
  await page.goto('/frames');
  await page.frame({ name: 'same' }).fill('#q', 'typed');
  await page.frameLocator('#same').locator('#b').click();
  await page.goto('/shadow');
  await page.click('x-counter button');
  await page.goto('/forms');
  await page.check('#c1');
  await page.selectOption('#s', 'z');
  await page.type('#ta', ' typed');
  await page.locator('#foot').scrollIntoViewIfNeeded();
  await page.evaluate(n => { document.querySelector('#t').value = 'v' + n; }, 5);
  await context.request.get('/json?via=request');
  await page.goto('/opener');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#blank')]);
  await popup.click('#p');
  await popup.close();
  await page.click('#never', { timeout: 500 }).catch(() => {});
  await page.click('h1');
}

const [out, ...versions] = process.argv.slice(2);
if (process.argv[1] === import.meta.filename) {
  const site = await startSite();
  for (const version of versions.length ? versions : releases) {
    const { chromium } = release(path.join(out, 'releases'), version);
    const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
    const context = await browser.newContext({ baseURL: site.main, viewport: { width: 800, height: 600 } });
    context.setDefaultTimeout(15_000);
    await context.tracing.start({ snapshots: true, screenshots: true });
    try { await session(await context.newPage(), context); } catch (e) { console.error(`Playwright ${version}: ${e.message}`); process.exitCode = 1; }
    await context.tracing.stop({ path: path.join(out, `pw-${version}.zip`) });
    await browser.close();
  }
  site.close();
}
