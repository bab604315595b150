// Records a session in the shop with Playwright's tracing.
import { chromium } from '@playwright/test';
const browser = await chromium.launch({ executablePath: process.env.BROWSER_PATH, args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
await context.tracing.start({ screenshots: true, snapshots: true });
const page = await context.newPage();
page.setDefaultTimeout(15000);
try {
  await page.goto(process.env.BASE_URL + '/');
  await page.getByLabel('E-mail').fill('ada@shop.example');
  await page.getByLabel('Password').fill('s3cret-pw');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Teapot').waitFor();
  await page.getByLabel('Item').fill('Kettle');
  await page.getByLabel('Size').selectOption('l');
  await page.getByLabel('Gift').check();
  await page.getByRole('button', { name: 'Add item' }).click();
  await page.waitForTimeout(900);
  await page.getByRole('button', { name: 'Count' }).click();
  await page.waitForTimeout(500);
  await page.getByRole('link', { name: 'About' }).click();
  await page.waitForTimeout(300);
} finally {
  await context.tracing.stop({ path: process.argv[2] });
  await browser.close();
}
