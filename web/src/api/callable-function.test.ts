import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { callFunction } from './callable-function.ts';
import { setTokenSource } from './http.ts';
import { inviteUser } from './users.ts';

const fetched = vi.fn<(request: Request) => Promise<Response>>();
const answers = (status: number, body: unknown) =>
  fetched.mockResolvedValueOnce(
    new Response(typeof body === 'string' ? body : JSON.stringify(body), {
      status,
      headers: { 'content-type': 'application/json' },
    }),
  );
const requestAt = (call: number) => {
  const request = fetched.mock.calls[call]?.[0];
  if (request === undefined) throw new Error(`there was no call ${call}`);
  return request;
};
const call = () => callFunction('inviteUser', { email: 'ana@example.com' });

beforeEach(() => {
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  setTokenSource({ token: async () => 'one', renew: async () => null, uid: () => null });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  setTokenSource({ token: async () => null, renew: async () => null, uid: () => null });
});

describe('a callable function', () => {
  test('gets its data by POST with the bearer token, and returns data', async () => {
    answers(200, { data: { success: true } });
    expect(await call()).toEqual({ success: true });
    const request = requestAt(0);
    expect(request.method).toBe('POST');
    expect(new URL(request.url).pathname).toBe('/inviteUser');
    expect(request.headers.get('authorization')).toBe('Bearer one');
    expect(request.headers.get('content-type')).toBe('application/json');
    expect(await request.json()).toEqual({ data: { email: 'ana@example.com' } });
  });

  test('may answer with a result in place of data', async () => {
    answers(200, { result: { success: true } });
    expect(await call()).toEqual({ success: true });
  });

  test('may return null', async () => {
    answers(200, { data: null, result: 7 });
    expect(await call()).toBeNull();
  });

  test.each([
    [400, 'invalid-argument'],
    [401, 'unauthenticated'],
    [403, 'permission-denied'],
    [404, 'not-found'],
    [409, 'aborted'],
    [429, 'resource-exhausted'],
    [499, 'cancelled'],
    [500, 'internal'],
    [501, 'unimplemented'],
    [503, 'unavailable'],
    [504, 'deadline-exceeded'],
    [418, 'unknown'],
    [502, 'unknown'],
    [304, 'unknown'],
  ])('that answers %i fails with %s, and is not retried', async (status, code) => {
    fetched.mockResolvedValueOnce(new Response(null, { status }));
    await expect(call()).rejects.toMatchObject({ code, message: code, isSentence: false });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test('that cannot be reached fails with internal', async () => {
    fetched.mockRejectedValueOnce(new TypeError('failed to fetch'));
    await expect(call()).rejects.toMatchObject({ code: 'internal' });
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test('may send an error code and a message, which override the status', async () => {
    answers(400, { error: { status: 'PERMISSION_DENIED', message: 'Managing users needs the role Owner' } });
    await expect(call()).rejects.toMatchObject({
      code: 'permission-denied',
      message: 'Managing users needs the role Owner',
      isSentence: true,
    });
    answers(200, { error: { status: 'ALREADY_EXISTS', message: 'There is one.' } });
    await expect(call()).rejects.toMatchObject({ code: 'already-exists', message: 'There is one.' });
    answers(429, { error: { message: 'Not so fast.' } });
    await expect(call()).rejects.toMatchObject({ code: 'resource-exhausted', message: 'Not so fast.' });
    answers(400, { error: { status: 'NO_SUCH_CODE', message: 'What?' } });
    await expect(call()).rejects.toMatchObject({ code: 'internal', message: 'internal' });
  });

  test.each(['', 'well', '7', '[1]', 'null'])('must answer with an object, not with %j', async (body) => {
    answers(200, body);
    await expect(call()).rejects.toMatchObject({
      code: 'internal',
      message: 'Response is not valid JSON object.',
    });
  });

  test('must answer with data', async () => {
    answers(200, { success: true });
    await expect(call()).rejects.toMatchObject({
      code: 'internal',
      message: 'Response is missing data field.',
    });
  });

  test('has a timeout of 70 seconds, including the wait for a token', async () => {
    vi.useFakeTimers();
    for (const silent of ['token', 'answer']) {
      if (silent === 'token')
        setTokenSource({ token: () => new Promise(() => {}), renew: async () => null, uid: () => null });
      else setTokenSource({ token: async () => 'one', renew: async () => null, uid: () => null });
      fetched.mockImplementation(() => new Promise(() => {}));
      const failed = vi.fn();
      const settled = call().catch(failed);
      await vi.advanceTimersByTimeAsync(69_999);
      expect(failed, silent).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await settled;
      expect(failed, silent).toHaveBeenCalledWith(expect.objectContaining({ code: 'deadline-exceeded' }));
    }
  });

  test('is retried with a new token when the old one had expired', async () => {
    setTokenSource({ token: async () => 'old', renew: async () => 'new', uid: () => null });
    answers(401, { error: { status: 'UNAUTHENTICATED', message: 'Sign in first.' } });
    answers(200, { data: 1 });
    expect(await call()).toBe(1);
    expect(requestAt(1).headers.get('authorization')).toBe('Bearer new');
  });
});

describe('an invitation', () => {
  const ana = { email: 'ana@example.com', userData: { name: 'Ana', roles: ['Admin'] as const } };
  const logged = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

  test('is sent with the fields of the person', async () => {
    answers(200, { data: { success: true } });
    await inviteUser({ ...ana, userData: { ...ana.userData, technicianId: 7, skill: 'Master' } });
    expect(await requestAt(0).json()).toEqual({
      data: {
        email: 'ana@example.com',
        userData: { name: 'Ana', roles: ['Admin'], technicianId: 7, skill: 'Master' },
      },
    });
  });

  test.each([
    [{ data: { success: false, error: 'That email is in use.' } }, 'That email is in use.'],
    [{ result: { success: false, error: 'That email is in use.' } }, 'That email is in use.'],
    [{ data: { success: false } }, 'Failed to invite user'],
    [{ data: { success: false, error: '' } }, 'Failed to invite user'],
    [{ data: { success: 'yes' } }, 'Failed to invite user'],
    [{ data: null }, 'Failed to invite user'],
    [{ data: 'well' }, 'Failed to invite user'],
    [{}, 'Response is missing data field.'],
    [{ error: { status: 'INVALID_ARGUMENT', message: 'The name is missing.' } }, 'The name is missing.'],
    [{ error: { status: 'INTERNAL' } }, 'Failed to invite user'],
  ])('that is answered %j fails, is logged, and shows: %s', async (body, message) => {
    const error = logged();
    answers(200, body);
    await expect(inviteUser(ana)).rejects.toThrow(message);
    expect(error).toHaveBeenCalledTimes(1);
  });

  test.each([0, 500, 503])(
    'shows the general failure when the server gives no reason (%i)',
    async (status) => {
      const error = logged();
      if (status === 0) fetched.mockRejectedValueOnce(new TypeError('failed to fetch'));
      else fetched.mockResolvedValueOnce(new Response(null, { status }));
      await expect(inviteUser(ana)).rejects.toThrow('Failed to invite user');
      expect(error).toHaveBeenCalledTimes(1);
    },
  );
});
