import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const user = {
  uid: 'u1',
  email: 'a@example.com',
  name: 'Ana',
  roles: ['Advisor'],
  technicianId: null,
  permissions: [],
};
const fetched = vi.fn<(request: Request) => Promise<Response>>();
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const signedIn = (idToken: string, expiresIn = 3_600) =>
  json(200, { ok: true, result: { idToken, expiresIn, user } });
const noSession = () => json(401, { ok: false, error: 'No session.', code: 'no-session' });
const paths = () => fetched.mock.calls.map(([request]) => new URL(request.url).pathname);

/** The module holds one tab's session, so each test loads its own. */
let session: typeof import('./session.ts');

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.resetModules();
  session = await import('./session.ts');
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('on page load', () => {
  test('the cookie restores the session', async () => {
    fetched.mockResolvedValueOnce(signedIn('one'));
    await session.restoreSession();
    expect(session.sessionState()).toEqual({ status: 'signed-in', user });
    expect(await session.freshToken()).toBe('one');
    expect(paths()).toEqual(['/api/auth/refresh']);
  });

  test('no session means signed out', async () => {
    fetched.mockResolvedValueOnce(noSession());
    await session.restoreSession();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('a server that is away is asked again, and nobody is sent to the login screen', async () => {
    fetched.mockRejectedValueOnce(new TypeError('down'));
    fetched.mockResolvedValueOnce(json(503, { ok: false, error: 'Busy.', code: 'busy' }));
    fetched.mockResolvedValueOnce(signedIn('one'));
    const restored = session.restoreSession();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(session.sessionState()).toEqual({ status: 'loading' });
    await vi.advanceTimersByTimeAsync(10_000);
    await restored;
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
  });
});

describe('a signed-in session', () => {
  beforeEach(async () => {
    fetched.mockResolvedValueOnce(signedIn('one'));
    await session.signIn('a@example.com', 'secret');
    fetched.mockClear();
  });

  test('is renewed once, however many ask', async () => {
    fetched.mockResolvedValueOnce(signedIn('two'));
    expect(await Promise.all([session.renew(), session.renew(), session.renew()])).toEqual([
      'two',
      'two',
      'two',
    ]);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  test('is renewed five minutes before the token ends', async () => {
    fetched.mockResolvedValueOnce(signedIn('two'));
    await vi.advanceTimersByTimeAsync(3_299_000);
    expect(fetched).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(paths()).toEqual(['/api/auth/refresh']);
    expect(await session.freshToken()).toBe('two');
  });

  test('that cannot be renewed is tried again after 30 s, then after twice as long', async () => {
    fetched.mockRejectedValue(new TypeError('down'));
    await vi.advanceTimersByTimeAsync(3_300_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetched).toHaveBeenCalledTimes(3);
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
  });

  test('whose renewal is refused is over', async () => {
    fetched.mockResolvedValueOnce(noSession());
    expect(await session.renew()).toBeNull();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('ends here at once, even when the server cannot be told', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await session.signOut();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
    expect(await session.freshToken()).toBeNull();
    expect(paths()).toEqual(['/api/auth/sign-out']);
  });

  test('that the server could not be told the end of does not come back at the next page load', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await session.signOut();
    fetched.mockClear();
    vi.resetModules();
    session = await import('./session.ts');
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    fetched.mockResolvedValueOnce(noSession());
    await session.restoreSession();
    expect(paths()).toEqual(['/api/auth/sign-out', '/api/auth/refresh']);
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('ends when another tab signs out', async () => {
    vi.useRealTimers();
    new BroadcastChannel('dispatch-session').postMessage('signed-out');
    await vi.waitFor(() => expect(session.sessionState()).toEqual({ status: 'signed-out' }));
    expect(fetched).not.toHaveBeenCalled();
  });
});
