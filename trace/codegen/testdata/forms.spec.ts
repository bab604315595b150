// forms
//
// Made by tracedeck from forms.zip, recorded 2026-11-21T03:33:54Z by playwright 1.65.1.
// Needs TD_PASSWORD in the environment: what is typed into locator('#pw').

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';
const TD_PASSWORD = process.env.TD_PASSWORD ?? '';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test.beforeAll(() => {
  for (const name of ['TD_PASSWORD']) {
    if (!process.env[name])
      throw new Error(`${name} is not set: the recording does not hold it, see the head of this file`);
  }
});

test('forms', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/forms');
  await expect(page.getByRole('heading', { name: 'Forms', exact: true })).toBeVisible();
  await page.locator('#t').fill('some text');
  await page.locator('#pw').fill(TD_PASSWORD);
  await page.locator('#num').fill('42');
  await page.locator('#range').fill('7');
  await page.locator('#date').fill('2024-02-29');
  await page.locator('#color').fill('#00ff88');
  await page.locator('#ta').fill('line one\nline two');
  await page.locator('#c1').check();
  await page.locator('#c2').uncheck();
  await page.locator('#ra').check();
  await page.locator('#s').selectOption('z');
  await page.locator('#m').selectOption(['m1', 'm3']);
  await page.locator('#ce').pressSequentially(' more');
  await page.locator('summary').click();
  await expect(page.getByText('more', { exact: true })).toBeVisible();
  await page.locator('#openDialog').click();
  await expect(page.getByText('close', { exact: true })).toBeVisible();
  await expect(page.getByText('dialog body', { exact: true })).toBeVisible();
  await page.locator('#closeDialog').click();
  await page.locator('#pop').click();
  // Not carried over: Evaluate
  await page.locator('#foot').scrollIntoViewIfNeeded();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
