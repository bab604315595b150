import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: '.',
  timeout: 15_000,
  retries: 1,
  workers: 1,
  updateSnapshots: 'missing',
  use: {
    baseURL: process.env.SITE,
    trace: 'on',
    testIdAttribute: 'id',
    viewport: { width: 800, height: 600 },
    launchOptions: { executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] },
  },
  projects: [{ name: 'chromium' }],
});
