import { existsSync } from 'node:fs';

/** The system's browser: none is downloaded. */
const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// Under `make test-clocks` Chromium's steady clock is shifted, too: it crawls where only the other one is.
const { FAKETIME_DONT_FAKE_MONOTONIC: _, ...env } = process.env;

export const launchOptions = {
  env,
  executablePath: process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path)) ?? 'chromium',
  // The sandbox needs rights a container often lacks; the rest keeps the browser from calling home.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
