// frames
//
// Made by tracedeck from frames.zip, recorded 2026-11-21T03:33:52Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('frames', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/frames');
  await expect(page.getByRole('heading', { name: 'Frames', exact: true })).toBeVisible();
  await page.locator('#same').contentFrame().locator('#q').fill('typed in frame');
  await page.locator('#same').contentFrame().locator('#b').click();
  await page.locator('#same').contentFrame().locator('#deep').contentFrame().locator('#d').click();
  await page.locator('#cross').contentFrame().getByRole('button').click();
  await page.locator('#srcdoc').contentFrame().getByRole('button').click();
  await page.locator('#add').click();
  await page.locator('#late').contentFrame().getByText('late frame').waitFor();
  await page.locator('#drop').click();
  await page.goto('/frameset');
  await page.frame({ url: url => url.pathname === '/frame-deep' })!.locator('#d').click();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
