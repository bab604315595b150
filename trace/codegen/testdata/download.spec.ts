// download
//
// Made by tracedeck from download.zip, recorded 2026-11-21T03:34:10Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('download', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/download');
  await expect(page.getByRole('heading', { name: 'Download', exact: true })).toBeVisible();
  const download2 = page.waitForEvent('download');
  await page.locator('#dl').click();
  expect((await download2).suggestedFilename()).toBe('report.csv');
  const download3 = page.waitForEvent('download');
  await page.locator('#pdf').click();
  expect((await download3).suggestedFilename()).toBe('✓ file.bin');
  const download4 = page.waitForEvent('download');
  await page.locator('#blob').click();
  expect((await download4).suggestedFilename()).toBe('made-in-page.txt');

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
