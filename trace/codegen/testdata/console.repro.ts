// console
//
// Made by tracedeck from console.zip, recorded 2026-11-21T03:33:57Z by playwright 1.65.1.
// What went wrong then: TypeError: boom happened

// Run it with: npx tsx FILE (or node FILE, from version 22.18 on); npm i @playwright/test first.
// It exits with 1 if the failure shows, 0 if it does not, 125 if it did not get there: git bisect run understands that.
import { chromium, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

async function main(): Promise<number> {
  const browser = await chromium.launch({ headless: !process.env.HEADED, executablePath: process.env.BROWSER_PATH || undefined });
  const context = await browser.newContext({ baseURL: base, viewport: { width: 800, height: 600 } });
  const page = await context.newPage();
  let seen = '';
  const plain = (text: string) => text.replace(/\s+/g, ' ').replace(/\d+/g, '0').trim();
  context.on('weberror', error => {
    const text = error.error().message;
    if (plain('TypeError: boom happened').includes(plain(text)))
      seen = text;
  });
  let at = 0;
  try {
    at = 1; // Navigate localhost:8931/console
    await page.goto('/console');
    at = 2; // Click locator('#go')
    await page.locator('#go').click();
    at = 3; // Click locator('#boom')
    await page.locator('#boom').click();
    at = 4; // Click locator('#rej')
    await page.locator('#rej').click();
    at = 5; // Click locator('#al')
    page.once('dialog', dialog => dialog.accept());
    await page.locator('#al').click();
    at = 6; // Click locator('#cf')
    page.once('dialog', dialog => dialog.accept());
    await page.locator('#cf').click();
    at = 7; // Click locator('#pr')
    page.once('dialog', dialog => dialog.accept('Grace'));
    await page.locator('#pr').click();
    at = 8; // Wait for selector getByText('prompt=Grace')
    await page.getByText('prompt=Grace').waitFor();
    await expect.poll(() => seen, { timeout: 5000 }).not.toBe('').catch(() => {});
    if (seen) {
      console.log(`reproduced: ${seen}`);
      return 1;
    }
  } catch (error) {
    if (seen) {
      console.log(`reproduced: ${seen}`);
      return 1;
    }
    console.log(`step ${at} did not go through:\n${error}`);
    return 125;
  } finally {
    await browser.close();
  }
  console.log('not reproduced: all steps went through');
  return 0;
}

main().then(code => { process.exitCode = code; }, error => {
  console.error(error);
  process.exitCode = 125;
});
