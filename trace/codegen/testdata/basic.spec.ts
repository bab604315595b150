// basic
//
// Made by tracedeck from basic.zip, recorded 2026-11-21T03:33:50Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('basic', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect(page.locator('#count')).toHaveText('1');
  await page.locator('#inc').dblclick();
  await expect(page.locator('#count')).toHaveText('3');
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.locator('#status')).toHaveText('saved');
  await expect(page.locator('#list')).toHaveText('Ada Lovelace');
  await page.locator('#list li').first().waitFor();
  await page.getByRole('link', { name: 'Second page' }).click();
  await expect(page).toHaveURL('/second');
  await expect(page.getByRole('heading', { name: 'Second page', exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();
  await page.reload();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
