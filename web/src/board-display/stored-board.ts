// Stores which board a screen is, across reboots. A TV without storage is paired again, or by its link. Storage goes
// before the history state: a remote's Back key leads to an entry of an earlier board.
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
  // Survives a reload, even without storage.
  history.replaceState(paired, '', location.pathname);
  try {
    // Removed first: where there is no room for this board, the former one must not come back.
    localStorage.removeItem(STORAGE_KEY);
    if (paired !== null) localStorage.setItem(STORAGE_KEY, JSON.stringify(paired));
  } catch {
    // Storage is full or forbidden: the screen is this board until the next reboot.
  }
}

const LINK_STORAGE_KEY = 'dispatch.board-link';

/** The secret with which this screen redeems a link: the same after a reload, another for each link. */
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
    // Lasts until a reload.
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
