import { defineConfig } from '@playwright/test';
import { launchOptions } from './e2e/browser.ts';

// Against the real binary, which each test starts for itself, and the system's Chromium.
export default defineConfig({
  testDir: 'e2e',
  // No test measures the machine's speed: timeouts allow for a busy one.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // A test waits for its page half of its time: four fill two cores.
  workers: 4,
  forbidOnly: true,
  // A machine may stand still for longer than any patience. What fails once and holds then is reported as flaky, to be
  // looked into; what fails twice fails.
  retries: 1,
  reporter: [['list']],
  projects: [
    // Each test has a server of its own: those of a long file need not wait for each other.
    { name: 'e2e', testMatch: '*.e2e.ts', fullyParallel: true },
    { name: 'screenshot', testMatch: '*.screenshot.ts' },
    { name: 'bench', testDir: 'bench', testMatch: '*.bench.ts' },
  ],
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    // A trace of every test costs a third of the time; what failed leaves its page's state, and is run again with `--trace on`.
    trace: 'off',
    launchOptions,
  },
});
