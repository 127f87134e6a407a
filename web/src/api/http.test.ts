import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteEventLogReset } from './event-log-reset.ts';
import { accountHttp, http, setTokenSource, unwrapAnswer } from './http.ts';
import { retryDelay, withRetry } from './retry.ts';

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const noWait = async () => undefined;

describe('the retry wrapper', () => {
  test.each([429, 500, 502, 503])('tries three times on %i and returns the last answer', async (status) => {
    const send = vi.fn(async () => json(status, {}));
    expect((await withRetry(send, noWait)).status).toBe(status);
    expect(send).toHaveBeenCalledTimes(3);
  });

  test('tries again when the network failed', async () => {
    const send = vi.fn(async () => json(200, {})).mockRejectedValueOnce(new TypeError('failed'));
    expect((await withRetry(send, noWait)).status).toBe(200);
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('gives up after three failures of the network', async () => {
    const send = vi.fn(() => Promise.reject(new TypeError('failed')));
    await expect(withRetry(send, noWait)).rejects.toThrow('failed');
    expect(send).toHaveBeenCalledTimes(3);
  });

  test.each([200, 400, 401, 403, 404, 409, 422])('does not retry status %i', async (status) => {
    const send = vi.fn(async () => json(status, {}));
    await withRetry(send, noWait);
    expect(send).toHaveBeenCalledTimes(1);
  });

  test('does not retry an aborted request', async () => {
    const send = vi.fn(() => Promise.reject(new DOMException('called off', 'AbortError')));
    await expect(withRetry(send, noWait)).rejects.toThrow('called off');
    expect(send).toHaveBeenCalledTimes(1);
  });

  test('waits one second, then half as long again each time, ten at most', async () => {
    const waits: number[] = [];
    await withRetry(
      async () => json(503, {}),
      async (ms) => {
        waits.push(ms);
      },
    );
    expect(waits).toEqual([1_000, 1_500]);
    expect(retryDelay(20)).toBe(10_000);
  });
});

describe('a call', () => {
  const fetched = vi.fn<(request: Request) => Promise<Response>>();
  const bearer = (call: number) => fetched.mock.calls[call]?.[0].headers.get('authorization');
  const list = () => unwrapAnswer(http.GET('/api/repair-orders'));

  beforeEach(() => {
    fetched.mockReset();
    vi.stubGlobal('fetch', fetched);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    setTokenSource({ token: async () => null, renew: async () => null, uid: () => null });
  });

  test('carries the token', async () => {
    setTokenSource({ token: async () => 'one', renew: async () => null, uid: () => null });
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: [], seq: 7 }));
    expect(await list()).toMatchObject({ seq: 7 });
    expect(bearer(0)).toBe('Bearer one');
  });

  test('that changes data has its own idempotency key, the same at every attempt', async () => {
    setTokenSource({ token: async () => 'old', renew: async () => 'new', uid: () => null });
    const key = (call: number) => fetched.mock.calls[call]?.[0].headers.get('idempotency-key');
    const change = () =>
      unwrapAnswer(
        http.POST('/api/repair-orders/{roNumber}/close', { params: { path: { roNumber: '7' } }, body: {} }),
      );
    fetched.mockResolvedValueOnce(json(401, { ok: false, error: 'Old.', code: 'unauthorized' }));
    fetched.mockImplementation(async () => json(200, { ok: true, result: {} }));
    await change();
    await change();
    expect(key(0)).toMatch(/^[0-9a-f]{32}$/);
    expect(key(1)).toBe(key(0));
    expect(key(2)).not.toBe(key(0));
    await list();
    expect(key(3)).toBeNull();
  });

  test('keeps the idempotency key that its caller names', async () => {
    fetched.mockImplementation(async () => json(200, { ok: true, result: {} }));
    const params = { path: { roNumber: '7' } };
    const headers = { 'Idempotency-Key': 'the-same-story' };
    const call = http.POST('/api/repair-orders/{roNumber}/close', { params, body: {}, headers });
    await unwrapAnswer(call);
    expect(fetched.mock.calls[0]?.[0].headers.get('idempotency-key')).toBe('the-same-story');
  });

  test('that gets 401 is sent once more with a renewed token', async () => {
    setTokenSource({ token: async () => 'old', renew: async () => 'new', uid: () => null });
    fetched.mockResolvedValueOnce(json(401, { ok: false, error: 'Old.', code: 'unauthorized' }));
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: [], seq: 7 }));
    await list();
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(bearer(1)).toBe('Bearer new');
  });

  test('that gets 401 twice is refused', async () => {
    setTokenSource({ token: async () => 'old', renew: async () => 'new', uid: () => null });
    fetched.mockImplementation(async () => json(401, { ok: false, error: 'No.', code: 'unauthorized' }));
    await expect(list()).rejects.toMatchObject({ status: 401, code: 'unauthorized' });
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('that went out without a token is not sent again with a renewed one', async () => {
    const renew = vi.fn(async () => 'new');
    setTokenSource({ token: async () => null, renew, uid: () => null });
    fetched.mockResolvedValueOnce(json(401, { ok: false, error: 'No.', code: 'unauthorized' }));
    await expect(list()).rejects.toMatchObject({ status: 401 });
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(renew).not.toHaveBeenCalled();
  });

  test('is not sent again as another user who has signed in meanwhile', async () => {
    vi.useFakeTimers();
    let uid = 'u1';
    setTokenSource({ token: async () => `of ${uid}`, renew: async () => `of ${uid}`, uid: () => uid });
    const change = () =>
      unwrapAnswer(
        http.POST('/api/repair-orders/{roNumber}/close', { params: { path: { roNumber: '7' } }, body: {} }),
      );
    fetched.mockImplementation(async () => json(200, { ok: true, result: {} }));
    // The first attempt is lost with the network.
    fetched.mockRejectedValueOnce(new TypeError('failed'));
    const lost = expect(change()).rejects.toMatchObject({ status: 0, code: 'network' });
    await vi.advanceTimersByTimeAsync(0);
    uid = 'u2';
    await vi.advanceTimersByTimeAsync(10_000);
    await lost;
    // The session has ended before the answer.
    fetched.mockImplementationOnce(async () => {
      uid = 'u3';
      return json(401, { ok: false, error: 'No.', code: 'unauthorized' });
    });
    await expect(change()).rejects.toMatchObject({ status: 401 });
    expect(fetched.mock.calls.map((_, call) => bearer(call))).toEqual(['Bearer of u1', 'Bearer of u2']);
    vi.useRealTimers();
  });

  test('about the user’s own account renews the token like others, but does not retry a busy server', async () => {
    setTokenSource({ token: async () => 'old', renew: async () => 'new', uid: () => null });
    fetched.mockResolvedValueOnce(json(401, { ok: false, error: 'Old.', code: 'unauthorized' }));
    fetched.mockResolvedValueOnce(json(429, { ok: false, error: 'Wait.', code: 'too-many-requests' }));
    const body = { currentPassword: 'a', newPassword: 'b' };
    await expect(unwrapAnswer(accountHttp.POST('/api/auth/password', { body }))).rejects.toMatchObject({
      code: 'too-many-requests',
    });
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(bearer(1)).toBe('Bearer new');
  });

  test('whose answer is from before a restore is treated as unanswered', async () => {
    let answer: (response: Response) => void = () => undefined;
    fetched.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const listed = list();
    await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
    noteEventLogReset(true);
    answer(json(200, { ok: true, result: [], seq: 7 }));
    await expect(listed).rejects.toMatchObject({ status: 0, code: 'started-over' });
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: [], seq: 3 }));
    expect(await list()).toMatchObject({ seq: 3 });
  });

  test('that is refused carries the server’s message', async () => {
    fetched.mockResolvedValueOnce(json(403, { ok: false, error: 'Not yours.', code: 'forbidden' }));
    await expect(list()).rejects.toMatchObject({ status: 403, code: 'forbidden', message: 'Not yours.' });
  });

  test('that reaches something other than this server is reported as such', async () => {
    fetched.mockResolvedValueOnce(new Response('<html>', { status: 404 }));
    await expect(list()).rejects.toMatchObject({ status: 404, code: 'unexpected-answer' });
  });
});

describe('the id of a request', () => {
  const FIRST = '3f2a9c1e-6a55-4a3c-8d54-0b7f2f6b0c9e';
  const SECOND = '5f0c1d0e-6a55-4a3c-8d54-0b7f2f6b0c9e';
  const fetched = vi.fn<(request: Request) => Promise<Response>>();
  const list = () => unwrapAnswer(http.GET('/api/repair-orders'));
  const body = { currentPassword: 'a', newPassword: 'b' };
  /** A call that is sent once. */
  const sentOnce = () => unwrapAnswer(accountHttp.POST('/api/auth/password', { body }));
  const refusal = (code: string) => JSON.stringify({ ok: false, error: 'No.', code });
  const answer = (status: number, text: string, id: string) =>
    fetched.mockResolvedValueOnce(new Response(text, { status, headers: { 'X-Request-Id': id } }));

  beforeEach(() => {
    fetched.mockReset();
    vi.stubGlobal('fetch', fetched);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  test.each([
    [500, refusal('unavailable')],
    [503, refusal('unavailable')],
    [500, ''],
    [400, '<html>'],
  ])('at which the server failed with %i and %o is in the error', async (status, text) => {
    answer(status, text, FIRST);
    await expect(sentOnce()).rejects.toMatchObject({ status, requestId: FIRST });
  });

  test('that was refused is not', async () => {
    answer(403, refusal('forbidden'), FIRST);
    await expect(sentOnce()).rejects.toMatchObject({ status: 403, requestId: null });
  });

  test('that found no network is not, and has none', async () => {
    fetched.mockRejectedValueOnce(new TypeError('failed'));
    await expect(sentOnce()).rejects.toMatchObject({ code: 'network', requestId: null });
  });

  test.each(['', 'b1946ac92492d2347c6235b4d2611184', `${FIRST}<script>`])(
    'of something other than this server (%o) is not',
    async (id) => {
      answer(502, '<html>', id);
      await expect(sentOnce()).rejects.toMatchObject({ status: 502, requestId: null });
    },
  );

  test('is that of the first attempt at which the server failed: the log has that', async () => {
    vi.useFakeTimers();
    fetched.mockRejectedValueOnce(new TypeError('failed'));
    answer(503, refusal('unavailable'), FIRST);
    answer(503, refusal('unavailable'), SECOND);
    const failed = expect(list()).rejects.toMatchObject({ status: 503, requestId: FIRST });
    await vi.advanceTimersByTimeAsync(10_000);
    await failed;
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  test('of an attempt that failed before a refusal is not in the refusal', async () => {
    vi.useFakeTimers();
    answer(503, refusal('unavailable'), FIRST);
    answer(403, refusal('forbidden'), SECOND);
    const failed = expect(list()).rejects.toMatchObject({ status: 403, requestId: null });
    await vi.advanceTimersByTimeAsync(10_000);
    await failed;
  });
});
