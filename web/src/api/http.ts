// The only place that calls fetch(). Every call goes through `http`, which adds the session's token, retries while
// the server is unavailable, and turns refusals into ApiError.
import createClient from 'openapi-fetch';
import type { ErrorCode } from './error-code.ts';
import { eventLogResetCount } from './event-log-reset.ts';
import { withRetry } from './retry.ts';
import type { components, paths } from './schema.ts';

type Schemas = components['schemas'];
type Refused = Schemas['Refused'] &
  Partial<Pick<Schemas['Unconfirmed'], 'doubts'> & Pick<Schemas['RefreshRefused'], 'cause'>>;

/** Where the bearer token comes from. `renew` answers null when the session is over. */
export interface TokenSource {
  token(): Promise<string | null>;
  renew(): Promise<string | null>;
  /** Whose the tokens are now; null: nobody's, or it is not known yet. */
  uid(): string | null;
}

let tokens: TokenSource = { token: async () => null, renew: async () => null, uid: () => null };

/** The session registers itself as the token source, so that this file need not import it. */
export function setTokenSource(source: TokenSource): void {
  tokens = source;
}

/** A refusal of the server, or (status 0, code 'network') no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly refused: Refused | null;
  /** By which the server's log names the request, where it is the server that failed. */
  readonly requestId: string | null;

  constructor(
    status: number,
    code: ErrorCode,
    sentence: string,
    refused: Refused | null = null,
    requestId: string | null = null,
  ) {
    super(sentence);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.refused = refused;
    this.requestId = requestId;
  }
}

/** An attempt without an answer within this time counts as a network failure; phones get longer. */
const ANSWER_TIMEOUT_MS = { desktop: 30_000, mobile: 60_000 };

function defaultTimeout(): number {
  return matchMedia('(pointer: coarse)').matches ? ANSWER_TIMEOUT_MS.mobile : ANSWER_TIMEOUT_MS.desktop;
}

function send(request: Request, within = defaultTimeout()): Promise<Response> {
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(within)]) });
}

/** Tells the server that attempts are one request: a change whose answer was lost is not made twice. */
export function idempotencyKey(): string {
  // Not randomUUID, which plain HTTP in a shop's network does not have.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Sends the request once, with the session's token, without retries. `within`: how long to wait for the answer (ms).
 */
export async function sendAuthorised(request: Request, within?: number): Promise<Response> {
  const sendWith = (token: string | null) => {
    const attempt = request.clone();
    if (token !== null) attempt.headers.set('Authorization', `Bearer ${token}`);
    return send(attempt, within);
  };
  const token = await tokens.token();
  const caller = tokens.uid();
  const response = await sendWith(token);
  // Without a token nobody was signed in; a renewal would send the call as somebody else.
  if (response.status !== 401 || token === null) return response;
  // The token may have expired just now: it is renewed and the call sent once more.
  const renewed = await tokens.renew();
  return renewed === null || tokens.uid() !== caller ? response : sendWith(renewed);
}

/** The number of event log resets at the time an answer was requested. */
const resetCountAtRequest = new WeakMap<Response, number>();
/** The error code of an answer that was requested before an event log reset: its subject may be gone. */
export const EVENT_LOG_RESET = 'started-over';

/** Of an answer to a request that was sent several times: the first attempt's at which the server failed. */
const firstFailedRequest = new WeakMap<Response, string>();

async function sendWithTimeout(request: Request): Promise<Response> {
  // A caller that sends the same once more names its own.
  const needsKey = request.method !== 'GET' && !request.headers.has('Idempotency-Key');
  if (needsKey) request.headers.set('Idempotency-Key', idempotencyKey());
  const caller = tokens.uid();
  let failedRequest: string | null = null;
  return withRetry(async () => {
    const uid = tokens.uid();
    // What one user did is not sent again as another, who has signed in since.
    if (caller !== null && uid !== null && uid !== caller)
      throw new DOMException('Another user has signed in.', 'AbortError');
    const startOvers = eventLogResetCount();
    const response = await sendAuthorised(request);
    resetCountAtRequest.set(response, startOvers);
    // A failure that repeats is in the log once, with the first request that met it.
    if (response.status >= 500) failedRequest ??= requestIdOf(response);
    if (failedRequest !== null) firstFailedRequest.set(response, failedRequest);
    return response;
  });
}

/** Calls that need a signed-in user. */
export const http = createClient<paths>({ baseUrl: location.origin, fetch: sendWithTimeout });

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

/** The text of a file that belongs to the page. */
export function pageFile(path: string, signal?: AbortSignal): Promise<string> {
  const request = new Request(new URL(path, location.origin), { signal: signal ?? null });
  const answer = send(request).then(async (response) =>
    response.ok ? { data: await response.text(), response } : { error: null, response },
  );
  return unwrapAnswer(answer);
}

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
  throw toApiError(response, error);
}

/** The error in an unsuccessful answer. */
export function toApiError(response: Response, body: unknown): ApiError {
  const { status } = response;
  const requestId = firstFailedRequest.get(response) ?? requestIdOf(response);
  // A refusal says itself what is to be done.
  if (isRefused(body))
    return new ApiError(status, body.code, body.error, body, status >= 500 ? requestId : null);
  const sentence = `The server answered ${status}.`;
  return new ApiError(status, 'unexpected-answer', sentence, null, requestId);
}

const REQUEST_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Null: the answer is not this server's. */
function requestIdOf({ headers }: Response): string | null {
  const id = headers.get('X-Request-Id');
  return id !== null && REQUEST_ID.test(id) ? id : null;
}

function isRefused(body: unknown): body is Refused {
  return typeof body === 'object' && body !== null && 'code' in body && 'error' in body;
}
