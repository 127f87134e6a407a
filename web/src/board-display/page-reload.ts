// Reloads the page: on request, when the server has another build, and when the display is wrong.
import { isPageReachable } from './http.ts';

const RETRY_INTERVAL_MS = 5_000;
/** Spreads the reloads of many boards. */
const STAGGER_MS = 45_000;
/**
 * If the page is still the old one after a reload, a cache in between serves it: another reload would not help.
 */
const REPEATED_RELOAD_MS = 600_000;
const LOADED_FOR_KEY = 'loaded-for';
const FOUND_WRONG_KEY = 'found-wrong';

let reloading = false;

export function reloadPage(): void {
  if (reloading) return;
  reloading = true;
  void reloadWhenReachable();
}

async function reloadWhenReachable(): Promise<void> {
  if (await isPageReachable()) location.reload();
  else setTimeout(() => void reloadWhenReachable(), RETRY_INTERVAL_MS);
}

/** Reloads the page because the display is wrong, unless that was done for the same reason a moment ago. */
export function reloadToCorrect(): boolean {
  const ago = Date.now() - Number(readStored(FOUND_WRONG_KEY) ?? 0);
  // A time in the future: the TV's clock was put back.
  if (ago >= 0 && ago < REPEATED_RELOAD_MS) return false;
  writeStored(FOUND_WRONG_KEY, String(Date.now()));
  reloadPage();
  return true;
}

/**
 * The build of this page, which the server wrote into it. In development, the build of the first server it hears.
 */
let ownVersion: string | null = writtenVersion();

function writtenVersion(): string | null {
  const facts = document.querySelector('meta[name="dispatch-board"]')?.getAttribute('content') ?? '';
  try {
    const { version } = JSON.parse(facts);
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

export function ownBuild(): string {
  return ownVersion ?? 'unknown';
}

let reloadPlanned = false;

export function noteBuild(server: string | undefined): void {
  if (server === undefined) return;
  if (ownVersion === null) ownVersion = server;
  if (server === ownVersion || reloadPlanned) return;
  reloadPlanned = true;
  const wait = readStored(LOADED_FOR_KEY) === server ? REPEATED_RELOAD_MS : STAGGER_MS * Math.random();
  setTimeout(() => {
    writeStored(LOADED_FOR_KEY, server);
    reloadPage();
  }, wait);
}

// The window's name survives a reload even where storage is refused, and no other window reads it.
function readStored(key: string): string | null {
  return new URLSearchParams(window.name).get(key);
}

function writeStored(key: string, value: string): void {
  const all = new URLSearchParams(window.name);
  all.set(key, value);
  window.name = all.toString();
}
