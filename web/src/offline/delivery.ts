// One attempt to bring a deed to the server, and what it says of it. Knows nothing of what waits behind.

import { startOverCount } from '../api/event-log-reset.ts';
import { type ApiError, refusal, sendAuthorised } from '../api/http.ts';
import type { Deed } from './database.ts';

export type Verdict =
  | { kind: 'done'; answer: unknown }
  | { kind: 'refused'; error: ApiError }
  /** It may have arrived or not. `error`: the server's own failure, which the same deed may meet again. */
  | { kind: 'unknown'; error?: ApiError };

/** For one attempt, the wait for a token included: in a bay without a network much longer is for nothing. */
const ANSWER_WITHIN_MS = 20_000;
/** The session wants a new token, or the server, or what stands before it, is away or busy: not about what was sent. */
const PASSING = [401, 408, 425, 429, 502, 503, 504];

export async function deliver({ key, method, path, body }: Deed): Promise<Verdict> {
  const startOvers = startOverCount();
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), ANSWER_WITHIN_MS);
  const noAnswer = new Promise<never>((_, fail) => {
    patience.signal.addEventListener('abort', () => fail(patience.signal.reason));
  });
  try {
    const request = new Request(new URL(path, location.origin), {
      method,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
      signal: patience.signal,
    });
    const answer = await Promise.race([sendAuthorised(request), noAnswer]);
    const verdict = await Promise.race([verdictOf(answer), noAnswer]);
    // The answer is about data that is gone: it may be there no more.
    return startOverCount() === startOvers ? verdict : { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

async function verdictOf(response: Response): Promise<Verdict> {
  const { status } = response;
  if (PASSING.includes(status)) return { kind: 'unknown' };
  const answer = await read(response);
  if (response.ok) return { kind: 'done', answer };
  const error = refusal(status, answer);
  return status >= 500 ? { kind: 'unknown', error } : { kind: 'refused', error };
}

/** An answer that breaks off half-way throws; one that is no JSON says nothing. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
