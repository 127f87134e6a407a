// The only place of the board that calls fetch().
import type { components } from '../api/schema.ts';
import { noteServerDate } from './server-clock.ts';

type Schemas = components['schemas'];
export type Pairing = Schemas['Pairing'];
export type PairingState = Schemas['PairingState'];
export type PairedBoard = Schemas['Paired'];

const ANSWER_TIMEOUT_MS = 20_000;

/** The server said no; status 0: it said nothing. */
export class BoardApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

export const screenSize = () => ({ width: innerWidth || 1, height: innerHeight || 1 });

export function beginPairing(version: string): Promise<Pairing> {
  return call('POST', '/api/boards/pairings', null, { version, screen: screenSize() });
}

export function pairingState(id: string): Promise<PairingState> {
  // The secret is never in a URL, which servers and proxies log.
  return call('POST', '/api/boards/pairings/state', null, { pairingId: id });
}

/**
 * `secret`: this screen's own secret, which lets it repeat a request whose answer was lost, and nobody else.
 */
export function redeemLink(link: string, secret: string, version: string): Promise<PairedBoard> {
  return call('POST', '/api/boards/links/redeem', null, { link, secret, version, screen: screenSize() });
}

export function fetchPicture(token: string): Promise<Schemas['BoardPicture']> {
  return call('GET', '/api/board', token);
}

export function fetchVerdict(token: string, says: Schemas['BoardSays']): Promise<Schemas['BoardVerdict']> {
  return call('POST', '/api/board/check', token, says);
}

/**
 * Whether the page can be loaded: a TV that reloads while the server is away shows the browser's error page for good.
 */
export async function isPageReachable(): Promise<boolean> {
  try {
    const page = await withTimeout((signal) => fetch(location.pathname, { cache: 'no-store', signal }));
    return page.ok;
  } catch {
    return false;
  }
}

async function call<T>(method: string, path: string, token: string | null, body?: object): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token !== null) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let answer: { ok: boolean; status: number; payload: { result?: T; code?: string } };
  try {
    answer = await withTimeout(async (signal) => {
      const response = await fetch(path, {
        method,
        headers,
        body: body === undefined ? null : JSON.stringify(body),
        cache: 'no-store',
        signal,
      });
      noteServerDate(response.headers.get('Date'));
      return { ok: response.ok, status: response.status, payload: await response.json() };
    });
  } catch {
    throw new BoardApiError(0, 'network');
  }
  const { ok, status, payload } = answer;
  if (!ok || payload.result === undefined)
    throw new BoardApiError(status, payload.code ?? 'unexpected-answer');
  return payload.result;
}

async function withTimeout<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS);
  try {
    return await work(abort.signal);
  } finally {
    clearTimeout(timer);
  }
}
