// suite.spec.mjs:7 › passing with steps @smoke
//
// Made by tracedeck from runner-passing-with-steps-smoke.zip, recorded 2026-11-21T03:34:25Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('suite.spec.mjs:7 › passing with steps @smoke', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Home', exact: true })).toBeVisible();

  // increment
  await page.getByRole('button', { name: 'Increment' }).click();
  await expect(page.locator('#count')).toHaveText('1');

  // increment › nested check
  await expect(page.locator('#count')).toHaveText('1');
  // Not carried over: Expect "toBe" 2
  // Not carried over: Expect "soft toBe" Home
  await expect(page.getByRole('heading')).toBeVisible();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
