// The only place that calls fetch(). Every call of the product goes through `http`, which carries the
// session's token, is patient with a server that is away, and turns refusals into ApiError.
import createClient from 'openapi-fetch';
import type { ErrorCode } from './error-code.ts';
import { eventLogResetCount } from './event-log-reset.ts';
import { withRetry } from './retry.ts';
import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
type Refused = Schemas['Refused'] & Partial<Pick<Schemas['Unconfirmed'], 'doubts'>>;

/** Where the bearer token comes from. `renew` answers null when the session is over. */
export interface TokenSource {
  token(): Promise<string | null>;
  renew(): Promise<string | null>;
}

let tokens: TokenSource = { token: async () => null, renew: async () => null };

/** The session says once where tokens come from, so that this file need not know it. */
export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

/** A refusal of the server, or (status 0, code 'network') no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly refused: Refused | null;

  constructor(status: number, code: ErrorCode, sentence: string, refused: Refused | null = null) {
    super(sentence);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.refused = refused;
  }
}

/** An attempt without an answer by then counts as the network's failure; phones get longer. */
const ANSWER_WITHIN_MS = { desktop: 30_000, mobile: 60_000 };

function usualPatience(): number {
  return matchMedia('(pointer: coarse)').matches ? ANSWER_WITHIN_MS.mobile : ANSWER_WITHIN_MS.desktop;
}

function send(request: Request, within = usualPatience()): Promise<Response> {
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(within)]) });
}

/** Tells the server that attempts are one request: a change whose answer was lost is not made twice. */
export function idempotencyKey(): string {
  // Not randomUUID, which plain HTTP in a shop's network does not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Once, with the session's token: what fails, fails. `within`: ms for the answer. */
export async function sendAuthorised(request: Request, within?: number): Promise<Response> {
  const sendWith = (token: string | null) => {
    const attempt = request.clone();
    if (token !== null) attempt.headers.set('Authorization', `Bearer ${token}`);
    return send(attempt, within);
  };
  const token = await tokens.token();
  const response = await sendWith(token);
  // Without a token nobody was signed in, and a renewal would make the call somebody else's.
  if (response.status !== 401 || token === null) return response;
  // The token may have ended a moment before its time: one renewal, one more try.
  const renewed = await tokens.renew();
  return renewed === null ? response : sendWith(renewed);
}

/** How often everything had been loaded anew when an answer was asked for. */
const resetCountAtRequest = new WeakMap<Response, number>();
/** The code of an answer from before everything was loaded anew: what it is about may be gone. */
export const EVENT_LOG_RESET = 'started-over';

async function sendPatiently(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('Idempotency-Key', idempotencyKey());
  return withRetry(async () => {
    const startOvers = eventLogResetCount();
    const response = await sendAuthorised(request);
    resetCountAtRequest.set(response, startOvers);
    return response;
  });
}

/** Calls that need a signed-in user. */
export const http = createClient<paths>({ baseUrl: location.origin, fetch: sendPatiently });

/** Calls about the user's own account: sent once, since each wrong password or code counts against the user. */
export const accountHttp = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) => sendAuthorised(request),
});

/** Calls about the session itself: they carry the cookie instead of the token and are sent once. */
export const sessionHttp = createClient<paths>({
  baseUrl: location.origin,
  fetch: (request) => send(request),
  credentials: 'same-origin',
});

type Answer<T> = { data?: T; error?: unknown; response: Response };

/** The answer's body, or an ApiError that says why there is none. */
export async function unwrapAnswer<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (failure) {
    if (failure instanceof ApiError) throw failure;
    throw new ApiError(0, 'network', 'The server could not be reached.');
  }
  const { data, error, response } = answer;
  const startOvers = resetCountAtRequest.get(response);
  if (startOvers !== undefined && startOvers !== eventLogResetCount()) {
    throw new ApiError(0, EVENT_LOG_RESET, 'Everything was loaded anew before the answer came.');
  }
  if (data !== undefined) return data;
  throw toApiError(response.status, error);
}

/** What an answer that is no success says. */
export function toApiError(status: number, body: unknown): ApiError {
  if (isRefused(body)) return new ApiError(status, body.code, body.error, body);
  return new ApiError(status, 'unexpected-answer', `The server answered ${status}.`);
}

function isRefused(body: unknown): body is Refused {
  return typeof body === 'object' && body !== null && 'code' in body && 'error' in body;
}
