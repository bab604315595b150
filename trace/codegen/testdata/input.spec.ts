// input
//
// Made by tracedeck from input.zip, recorded 2026-11-21T03:34:13Z by playwright 1.65.1.

import { test, expect } from '@playwright/test';

const base = process.env.BASE_URL ?? 'http://localhost:8931';

test.use({ baseURL: base, viewport: { width: 800, height: 600 } });

test('input', async ({ page, context }) => {
  const errors: string[] = [];
  context.on('weberror', error => errors.push(error.error().message));

  await page.goto('/input');
  await expect(page.getByRole('heading', { name: 'Input', exact: true })).toBeVisible();
  await page.locator('#pad').click({ position: { x: 20, y: 30 } });
  await expect(page.locator('#ev')).toHaveText('mousedown mouseup click');
  await page.locator('#pad').click({ button: 'right', modifiers: ['Shift'] });
  await expect(page.locator('#ev')).toHaveText('mousedown mouseup click keydown mousedown contextmenu mouseup');
  await page.locator('#pad').dblclick();
  await page.locator('#pad').hover();
  await page.mouse.move(100, 120);
  await page.mouse.down();
  await page.mouse.move(180, 160, { steps: 3 });
  await page.mouse.up();
  await page.mouse.wheel(0, 40);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('hi');
  await page.locator('#src').dragTo(page.locator('#dst'));
  await expect(page.locator('#dst')).toHaveText('dropped');
  await page.getByText('dropped').waitFor();

  expect(errors, 'uncaught errors of the page').toEqual([]);
});
