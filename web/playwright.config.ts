import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/browser.ts';

// Against the real binary, which each test starts for itself, and the system's Chromium.
export default defineConfig({
  testDir: 'e2e',
  timeout: 90_000,
  // A debug build hashes passwords slowly, and a client that lost its server comes back after 5 s.
  expect: { timeout: 20_000 },
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
  projects: [
    { name: 'e2e', testMatch: '*.e2e.ts' },
    { name: 'screenshot', testMatch: '*.screenshot.ts' },
    // A figure takes as long as it takes, and nothing is recorded beside it.
    { name: 'bench', testDir: 'bench', testMatch: '*.bench.ts', timeout: 300_000, use: { trace: 'off' } },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    trace: 'retain-on-failure',
    launchOptions,
  },
});
