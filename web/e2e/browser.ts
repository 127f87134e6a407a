import { existsSync } from 'node:fs';

/** The system's browsers: none is downloaded. */
const WHOLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** Chromium without the parts that draw a window: the same engine in less than half of the time. */
const SHELL = '/usr/bin/chromium-headless-shell';

// Under `make test-clocks` Chromium's steady clock is shifted, too: it crawls where only the other one is.
const { FAKETIME_DONT_FAKE_MONOTONIC: _, ...env } = process.env;

const firstOf = (candidates: string[]) => candidates.find((path) => existsSync(path)) ?? 'chromium';

function launchOptionsFor(executablePath: string) {
  return {
    env,
    executablePath,
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
}

/** For what only a browser with windows does, such as notices, and for measuring. */
export const wholeBrowser = launchOptionsFor(process.env.CHROMIUM ?? firstOf(WHOLE));

export const launchOptions = launchOptionsFor(process.env.CHROMIUM ?? firstOf([SHELL, ...WHOLE]));
