// One attempt to send a mutation, and how the server answered. Knows nothing of the queue behind it.

import { eventLogResetCount } from '../api/event-log-reset.ts';
import { type ApiError, sendAuthorised, toApiError } from '../api/http.ts';
import type { Mutation } from './database.ts';

export type DeliveryResult =
  | { kind: 'done'; answer: unknown }
  | { kind: 'refused'; error: ApiError }
  /** It may have arrived or not. `error`: the server failed, and may fail at the same mutation again. */
  | { kind: 'unknown'; error?: ApiError };

/** For one attempt, the wait for a token included. In a bay without a network a longer wait gains nothing. */
const ANSWER_TIMEOUT_MS = 20_000;
/** Answers that are not about the mutation: the token has expired, or the server or its proxy is away or busy. */
const TRANSIENT_STATUSES = [401, 408, 425, 429, 502, 503, 504];

export async function sendMutation({ key, method, path, body }: Mutation): Promise<DeliveryResult> {
  const startOvers = eventLogResetCount();
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), ANSWER_TIMEOUT_MS);
  const noAnswer = new Promise<never>((_, fail) => {
    timeout.signal.addEventListener('abort', () => fail(timeout.signal.reason));
  });
  try {
    const request = new Request(new URL(path, location.origin), {
      method,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
      signal: timeout.signal,
    });
    const answer = await Promise.race([sendAuthorised(request), noAnswer]);
    const verdict = await Promise.race([toDeliveryResult(answer), noAnswer]);
    // The answer is about data from before a restore: the change may be gone.
    return eventLogResetCount() === startOvers ? verdict : { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

async function toDeliveryResult(response: Response): Promise<DeliveryResult> {
  const { status } = response;
  if (TRANSIENT_STATUSES.includes(status)) return { kind: 'unknown' };
  const answer = await read(response);
  // A page of the network's own, or of a proxy whose server is away.
  if (!isServersAnswer(answer)) return { kind: 'unknown' };
  if (response.ok) return { kind: 'done', answer };
  const error = toApiError(response, answer);
  return status >= 500 ? { kind: 'unknown', error } : { kind: 'refused', error };
}

/** Each answer of the server says whether it is one of success. */
function isServersAnswer(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'ok' in answer;
}

/** Throws when the answer breaks off; null for an answer that is not JSON. */
async function read(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
