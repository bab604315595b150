// console
//
// Made by tracedeck from console.zip, recorded 2026-11-21T03:33:57Z by playwright 1.65.1.
// What went wrong then: TypeError: boom happened
// The test accepts it; tracedeck gen test --expect fixed makes one that fails until it is mended.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('console', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/console');
  await expect(page.getByRole('heading', { name: 'Console', exact: true })).toBeVisible();
  await page.locator('#go').click();
  await page.locator('#boom').click();
  await page.locator('#rej').click();
  page.once('dialog', dialog => dialog.accept());
  await page.locator('#al').click();
  page.once('dialog', dialog => dialog.accept());
  await page.locator('#cf').click();
  await expect(page.locator('#ans')).toHaveText('confirm=true');
  page.once('dialog', dialog => dialog.accept('Grace'));
  await page.locator('#pr').click();
  await expect(page.locator('#ans')).toHaveText('prompt=Grace');
  await page.getByText('prompt=Grace').waitFor();

  // The page threw these when it was recorded. Take out what is mended.
  const known = [
    'boom happened',
    'rejected',
  ];
  expect(errors.filter(error => !known.includes(error)), 'new uncaught errors of the page').toEqual([]);
});
