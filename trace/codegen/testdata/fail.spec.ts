// fail
//
// Made by tracedeck from fail.zip, recorded 2026-11-21T03:34:11Z by playwright 1.65.1.
// What went wrong then: Timeout 300ms exceeded.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('fail', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/fail');
  await expect(page.getByRole('heading', { name: 'Fail', exact: true })).toBeVisible();
  // Failed when it was recorded: Timeout 400ms exceeded.
  await page.locator('#hidden').click({ timeout: 400 }).catch(() => {});
  // Failed when it was recorded: Error: strict mode violation: locator('.dup') resolved to 2 elements: 1) <button class="dup">dup</button> aka getByRole…
  await page.locator('.dup').click({ timeout: 400 }).catch(() => {});
  // Failed when it was recorded: Timeout 400ms exceeded.
  await page.locator('#covered').click({ timeout: 400 }).catch(() => {});
  // Failed when it was recorded: Timeout 400ms exceeded.
  await page.locator('#dis').click({ timeout: 400 }).catch(() => {});
  // Failed when it was recorded: Unexpected token "" while parsing css selector "div[[". Did you mean to CSS.escape it?
  await page.locator('div[[').click({ timeout: 400 }).catch(() => {});
  // Failed when it was recorded: net::ERR_UNSAFE_PORT at http://localhost:1/
  await page.goto('http://localhost:1/', { timeout: 2000 }).catch(() => page.waitForURL(/^chrome-error:/, { timeout: 5000 }).catch(() => {}));
  await page.goto('/fail');
  await expect(page.getByRole('heading', { name: 'Fail', exact: true })).toBeVisible();
  // Failed when it was recorded: Error: from page at eval (eval at evaluate (:370:30), <anonymous>:1:15) at UtilityScript.evaluate (<anonymous>:372:16)…
  await page.evaluate('(() => { throw new Error(\'from page\'); })(undefined)').catch(() => {});
  await page.locator('#never').waitFor({ timeout: 300 });

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
