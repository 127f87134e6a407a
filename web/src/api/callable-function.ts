// Callable functions, in the protocol of the hosted ones: {data} goes out by POST, {data} or {error} comes back. They
// are sent once, without retries: a function need not be idempotent.
import { sendAuthorised } from './http.ts';

const codes = [
  'cancelled',
  'unknown',
  'invalid-argument',
  'deadline-exceeded',
  'not-found',
  'already-exists',
  'permission-denied',
  'unauthenticated',
  'resource-exhausted',
  'failed-precondition',
  'aborted',
  'out-of-range',
  'unimplemented',
  'internal',
  'unavailable',
  'data-loss',
] as const;
type CallableCode = (typeof codes)[number];

/** The error code for a status when the answer names none. 0: there was no answer. */
const codeOfStatus: Readonly<Record<number, CallableCode>> = {
  0: 'internal',
  400: 'invalid-argument',
  401: 'unauthenticated',
  403: 'permission-denied',
  404: 'not-found',
  409: 'aborted',
  429: 'resource-exhausted',
  499: 'cancelled',
  500: 'internal',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline-exceeded',
};

export class CallableError extends Error {
  readonly code: CallableCode;
  /** Whether the message is a sentence, and not just the code for want of one. */
  readonly isSentence: boolean;

  constructor(code: CallableCode, sentence?: string, options?: ErrorOptions) {
    super(sentence ?? code, options);
    this.name = 'CallableError';
    this.code = code;
    this.isSentence = sentence !== undefined;
  }
}

/** For the whole call, including the wait for a token. */
const ANSWER_TIMEOUT_MS = 70_000;

/** What the function answers to `data`, or a CallableError. */
export async function callFunction(name: string, data: unknown): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new CallableError('deadline-exceeded')), ANSWER_TIMEOUT_MS);
  });
  try {
    return await Promise.race([call(name, data), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

async function call(name: string, data: unknown): Promise<unknown> {
  const request = new Request(new URL(`/${name}`, location.origin), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ data }),
  });
  let status = 0;
  let body: unknown = null;
  let cause: unknown;
  try {
    const response = await sendAuthorised(request, ANSWER_TIMEOUT_MS);
    status = response.status;
    body = await response.json();
  } catch (failure) {
    // Either there was no answer, which the status tells, or it was not JSON, and then its status may say enough.
    cause = failure;
  }
  const refusal = parseRefusal(status, body, cause);
  if (refusal !== null) throw refusal;
  if (!isObject(body)) throw new CallableError('internal', 'Response is not valid JSON object.', { cause });
  // Older functions answer with `result`.
  const answer = body.data === undefined ? body.result : body.data;
  if (answer === undefined) throw new CallableError('internal', 'Response is missing data field.');
  return answer;
}

/** The error's own code goes before that of the HTTP status, which goes before nothing at all. */
function parseRefusal(status: number, body: unknown, cause: unknown): CallableError | null {
  const error = isObject(body) && isObject(body.error) ? body.error : null;
  const sentence = typeof error?.message === 'string' && error.message !== '' ? error.message : undefined;
  if (typeof error?.status === 'string') {
    if (error.status === 'OK') return null;
    const named = codes.find((code) => code === String(error.status).toLowerCase().replaceAll('_', '-'));
    return named === undefined ? new CallableError('internal') : new CallableError(named, sentence);
  }
  if (status >= 200 && status < 300) return null;
  return new CallableError(codeOfStatus[status] ?? 'unknown', sentence, { cause });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
