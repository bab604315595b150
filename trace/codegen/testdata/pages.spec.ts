// pages
//
// Made by tracedeck from pages.zip, recorded 2026-11-21T03:33:58Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('pages', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/opener');
  await expect(page.getByRole('heading', { name: 'Opener', exact: true })).toBeVisible();
  const popupOpens = page.waitForEvent('popup');
  await page.locator('#blank').click();
  const popup = await popupOpens;
  await popup.locator('#p').click();
  await expect(popup.locator('#p')).toHaveText('pressed');
  const popup2Opens = page.waitForEvent('popup');
  await page.locator('#win').click();
  const popup2 = await popup2Opens;
  await popup2.locator('#p').click();
  await expect(popup2.locator('#p')).toHaveText('pressed');
  await page.locator('#ab').click();
  const page2 = await context.newPage();
  await page2.goto('/second');
  await expect(page2.getByRole('heading', { name: 'Second page', exact: true })).toBeVisible();
  await page2.bringToFront();
  await page.locator('#closeit').click();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
