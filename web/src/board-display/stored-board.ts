// What a screen keeps over its reboots: which board it is. A TV that keeps nothing is paired anew, or by its link. What
// is in storage goes before what is in the history: a remote's Back key leads to an entry of an earlier board.
import type { PairedBoard } from './http.ts';

const STORAGE_KEY = 'dispatch.board';

export function storedBoard(): PairedBoard | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null');
    if (isPaired(stored)) return stored;
  } catch {
    // As if it had none.
  }
  return isPaired(history.state) ? history.state : null;
}

export function storeBoard(paired: PairedBoard | null): void {
  // Outlives a reload, also where there is no storage.
  history.replaceState(paired, '', location.pathname);
  try {
    // First: where there is no room for this board, the former one must not come back.
    localStorage.removeItem(STORAGE_KEY);
    if (paired !== null) localStorage.setItem(STORAGE_KEY, JSON.stringify(paired));
  } catch {
    // Storage is full or forbidden: it is a board until the next reboot.
  }
}

const LINK_STORAGE_KEY = 'dispatch.board-link';

/** What this screen redeems a link with: the same after a reload, and another for each link. */
export function linkSecret(link: string): string {
  try {
    const [storedLink, secret] = localStorage.getItem(LINK_STORAGE_KEY)?.split('.') ?? [];
    if (storedLink === link && secret !== undefined) return secret;
  } catch {
    // As if it had kept none.
  }
  const secret = newSecret();
  try {
    localStorage.setItem(LINK_STORAGE_KEY, `${link}.${secret}`);
  } catch {
    // Good until a reload.
  }
  return secret;
}

/** 43 letters, digits, - and _. */
function newSecret(): string {
  const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)));
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

function isPaired(stored: unknown): stored is PairedBoard {
  return (
    typeof stored === 'object' &&
    stored !== null &&
    'token' in stored &&
    'boardId' in stored &&
    'name' in stored
  );
}
