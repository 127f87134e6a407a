// Loading the page again, when it is said to, when the server has another build, and when what is shown is wrong.
import { isPageThere } from './http.ts';

const TRY_AGAIN_MS = 5_000;
/** Boards do not all come at once. */
const STAGGER_MS = 45_000;
/** If the page is still the old one after loading it, something on the way keeps it: no use in hurrying. */
const PATIENCE_MS = 600_000;
const LOADED_FOR = 'loaded-for';
const FOUND_WRONG = 'found-wrong';

let reloading = false;

export function reloadPage(): void {
  if (reloading) return;
  reloading = true;
  void whenThere();
}

async function whenThere(): Promise<void> {
  if (await isPageThere()) location.reload();
  else setTimeout(() => void whenThere(), TRY_AGAIN_MS);
}

/** What is shown is wrong: loads the page again, unless that was done for the same reason a moment ago. */
export function reloadToCorrect(): boolean {
  const ago = Date.now() - Number(readStored(FOUND_WRONG) ?? 0);
  // It was in the future: the TV's clock was put back.
  if (ago >= 0 && ago < PATIENCE_MS) return false;
  keep(FOUND_WRONG, String(Date.now()));
  reloadPage();
  return true;
}

/** The build that this page belongs to: the server wrote it in. In development that of the first server it heard. */
let own: string | null = saidBuild();

function saidBuild(): string | null {
  const facts = document.querySelector('meta[name="dispatch-board"]')?.getAttribute('content') ?? '';
  try {
    const { version } = JSON.parse(facts);
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

export function ownBuild(): string {
  return own ?? 'unknown';
}

let planned = false;

export function noteBuild(server: string | undefined): void {
  if (server === undefined) return;
  if (own === null) own = server;
  if (server === own || planned) return;
  planned = true;
  const wait = readStored(LOADED_FOR) === server ? PATIENCE_MS : STAGGER_MS * Math.random();
  setTimeout(() => {
    keep(LOADED_FOR, server);
    reloadPage();
  }, wait);
}

// The window's name outlives a reload also where storage is refused, and no other window reads it.
function readStored(at: string): string | null {
  return new URLSearchParams(window.name).get(at);
}

function keep(at: string, what: string): void {
  const all = new URLSearchParams(window.name);
  all.set(at, what);
  window.name = all.toString();
}
