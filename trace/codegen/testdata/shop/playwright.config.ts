import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: './tests',
  workers: 1,
  timeout: 180_000,
  reporter: 'line',
  expect: { timeout: 4000 },
  use: { actionTimeout: 5000, launchOptions: { executablePath: process.env.BROWSER_PATH, args: ['--no-sandbox', '--disable-gpu'] } },
});
