import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

const user = {
  uid: 'u1',
  email: 'a@example.com',
  name: 'Ana',
  roles: ['Advisor'],
  technicianId: null as number | null,
  permissions: [],
};
const fetched = vi.fn<(request: Request) => Promise<Response>>();
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const other = { ...user, uid: 'u2', email: 'b@example.com', name: 'Bo' };
const signedIn = (idToken: string, account = user) =>
  json(200, { ok: true, result: { idToken, expiresIn: 3_600, user: account } });
const noSession = () => json(401, { ok: false, error: 'No session.', code: 'no-session' });
const paths = () => fetched.mock.calls.map(([request]) => new URL(request.url).pathname);

/** An answer that comes when the test says so. */
function later(): (response: Response) => void {
  let answer: (response: Response) => void = () => undefined;
  fetched.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  return (response) => answer(response);
}

/** The tabs of the tests before would hear this one's messages, and answer. */
const channels: BroadcastChannel[] = [];
class Channel extends BroadcastChannel {
  constructor(name: string) {
    super(name);
    channels.push(this);
  }
}

/** The module holds one tab's session, so each test loads its own. */
let session: typeof import('./session.ts');

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  fetched.mockReset();
  vi.stubGlobal('fetch', fetched);
  vi.stubGlobal('BroadcastChannel', Channel);
  vi.resetModules();
  session = await import('./session.ts');
});
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
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

  test('without a session the user is signed out', async () => {
    fetched.mockResolvedValueOnce(noSession());
    await session.restoreSession();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('nobody is signed out by a proxy’s 401, and the server is asked again', async () => {
    fetched.mockResolvedValueOnce(new Response('<h1>Sign in to this network</h1>', { status: 401 }));
    fetched.mockResolvedValueOnce(signedIn('one'));
    const restored = session.restoreSession();
    await vi.advanceTimersByTimeAsync(1_000);
    const failure = { status: 401, code: 'unexpected-answer' };
    expect(session.sessionState()).toMatchObject({ status: 'loading', failure });
    await vi.advanceTimersByTimeAsync(10_000);
    await restored;
    expect(session.sessionState()).toEqual({ status: 'signed-in', user });
  });

  test('an unavailable server is asked again, and nobody is redirected to the login screen', async () => {
    fetched.mockRejectedValueOnce(new TypeError('down'));
    fetched.mockResolvedValueOnce(json(503, { ok: false, error: 'Busy.', code: 'busy' }));
    fetched.mockResolvedValueOnce(signedIn('one'));
    const restored = session.restoreSession();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(session.sessionState()).toMatchObject({ status: 'loading', failure: { code: 'network' } });
    await vi.advanceTimersByTimeAsync(10_000);
    await restored;
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
  });
});

describe('while the server cannot restore the session', () => {
  const requestId = (first: string) => `${first}2a9c1e-1111-4222-8333-444455556666`;
  const broken = (first: string) =>
    new Response(JSON.stringify({ ok: false, error: 'The disk is full.', code: 'unavailable' }), {
      status: 503,
      headers: { 'content-type': 'application/json', 'X-Request-Id': requestId(first) },
    });

  test('a failure that repeats keeps the request that the log has it with', async () => {
    fetched.mockResolvedValueOnce(broken('3f'));
    fetched.mockResolvedValueOnce(broken('4f'));
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(9_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    const failure = { message: 'The disk is full.', requestId: requestId('3f') };
    expect(session.sessionState()).toMatchObject({ status: 'loading', failure });
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.sessionState()).toMatchObject({ status: 'loading', failure: { code: 'network' } });
  });

  test('somebody who does not want to wait for the next try need not', async () => {
    fetched.mockResolvedValueOnce(broken('3f'));
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(1_000);
    const answer = later();
    session.retryRestore();
    expect(session.sessionState()).toMatchObject({ status: 'loading', isRetrying: true });
    await vi.advanceTimersByTimeAsync(0);
    answer(broken('4f'));
    await vi.advanceTimersByTimeAsync(0);
    expect(session.sessionState()).not.toHaveProperty('isRetrying');
    fetched.mockResolvedValueOnce(signedIn('one'));
    session.retryRestore();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(fetched).toHaveBeenCalledTimes(3);
  });
});

describe('on a page load without a connection', () => {
  const technician = { ...user, roles: ['Technician'], technicianId: 5 };
  const down = () => fetched.mockImplementation(() => Promise.reject(new TypeError('down')));

  /** The page is loaded again, on the same device. */
  async function reload(): Promise<void> {
    for (const channel of channels.splice(0)) channel.close();
    vi.clearAllTimers();
    fetched.mockReset();
    vi.resetModules();
    session = await import('./session.ts');
  }

  async function signedInAs(account: typeof user): Promise<void> {
    fetched.mockResolvedValueOnce(signedIn('one', account));
    await session.signIn('a@example.com', 'secret');
  }

  test('the technician who was signed in here is remembered, without a token', async () => {
    await signedInAs(technician);
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.sessionState()).toEqual({ status: 'signed-in', user: technician, remembered: true });
    await expect(session.freshToken()).rejects.toMatchObject({ code: 'network' });
    expect(JSON.stringify(localStorage)).not.toContain('one');
  });

  test('the page waits for the server for 3 s at most', async () => {
    await signedInAs(technician);
    await reload();
    fetched.mockReturnValue(new Promise(() => undefined));
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(session.sessionState()).toEqual({ status: 'loading' });
    await vi.advanceTimersByTimeAsync(1);
    expect(session.sessionState()).toMatchObject({ status: 'signed-in', remembered: true });
  });

  test('as soon as there is a connection the cookie decides', async () => {
    await signedInAs(technician);
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(7_000);
    expect(session.sessionState()).toMatchObject({ remembered: true });
    fetched.mockResolvedValueOnce(signedIn('two', technician));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.sessionState()).toEqual({ status: 'signed-in', user: technician });
    expect(await session.freshToken()).toBe('two');
  });

  test('an expired cookie signs the user out and forgets them for the next page load', async () => {
    await signedInAs(technician);
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(1_000);
    fetched.mockResolvedValueOnce(noSession());
    await vi.advanceTimersByTimeAsync(5_000);
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.sessionState()).toMatchObject({ status: 'loading' });
  });

  test('nobody is remembered after a sign-out, even one that has not reached the server', async () => {
    await signedInAs(technician);
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    down();
    await session.signOut();
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.sessionState()).toMatchObject({ status: 'loading' });
  });

  test('two hours of inactivity forget the remembered user, too', async () => {
    await signedInAs(technician);
    await reload();
    localStorage.setItem('dispatch.last-activity', String(Date.now() - 7_200_000));
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
    expect(localStorage.getItem('dispatch.remembered')).toBeNull();
  });

  test.each([
    ['an advisor', user],
    ['an owner with a technician number', { ...technician, roles: ['Owner'] }],
  ])('%s is not remembered', async (_, account) => {
    await signedInAs(account);
    await reload();
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.sessionState()).toMatchObject({ status: 'loading' });
  });

  test('an unreadable remembered user is forgotten', async () => {
    localStorage.setItem('dispatch.remembered', '{"uid":7}');
    down();
    void session.restoreSession();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(session.sessionState()).toMatchObject({ status: 'loading' });
    expect(localStorage.getItem('dispatch.remembered')).toBeNull();
  });
});

describe('a signed-in session', () => {
  beforeEach(async () => {
    fetched.mockResolvedValueOnce(signedIn('one'));
    await session.signIn('a@example.com', 'secret');
    fetched.mockClear();
  });

  test('is renewed once, however many callers need it', async () => {
    fetched.mockResolvedValueOnce(signedIn('two'));
    expect(await Promise.all([session.renewToken(), session.renewToken(), session.renewToken()])).toEqual([
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

  test('that cannot be renewed is tried again after 30 s, then after twice as long, up to 16 min', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockImplementation(async () => json(503, { ok: false, error: 'Busy.', code: 'busy' }));
    await vi.advanceTimersByTimeAsync(3_300_000);
    let calls = 1;
    expect(fetched).toHaveBeenCalledTimes(calls);
    for (const wait of [30, 60, 120, 240, 480, 960, 960]) {
      await vi.advanceTimersByTimeAsync(wait * 1_000 - 1);
      expect(fetched, `before ${wait} s`).toHaveBeenCalledTimes(calls);
      await vi.advanceTimersByTimeAsync(1);
      expect(fetched, `after ${wait} s`).toHaveBeenCalledTimes(++calls);
    }
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
  });

  test.each([
    ['by the network', () => Promise.reject(new TypeError('down'))],
    ['by a proxy', async () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ])(
    'whose renewal was lost %s is renewed while the previous cookie is still valid, then backs off',
    async (_, lose) => {
      vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const at: number[] = [];
      let first = 0;
      fetched.mockImplementation(() => {
        if (at.length === 0) first = Date.now();
        at.push((Date.now() - first) / 1_000);
        return lose();
      });
      await vi.advanceTimersByTimeAsync(3_300_000 + 120_000);
      expect(at).toEqual([0, 5, 10, 15, 20, 50, 110]);
    },
  );

  test('whose renewal has no answer asks again beside it after 7 s, and the first answer counts', async () => {
    const answers = [later(), later()];
    const renewed = session.renewToken();
    await vi.advanceTimersByTimeAsync(6_999);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(paths()).toEqual(['/api/auth/refresh', '/api/auth/refresh']);
    answers[1]?.(signedIn('two'));
    expect(await renewed).toBe('two');
    // The other one is given up: it would bring an older cookie.
    expect(fetched.mock.calls[0]?.[0].signal.aborted).toBe(true);
    answers[0]?.(signedIn('one, late'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    expect(await session.freshToken()).toBe('two');
  });

  test('takes the answer to the first renewal, too, when that comes before the one to the second', async () => {
    const answers = [later(), later()];
    const renewed = session.renewToken();
    await vi.advanceTimersByTimeAsync(10_000);
    answers[0]?.(signedIn('two'));
    expect(await renewed).toBe('two');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fetched).toHaveBeenCalledTimes(2);
  });

  test('waits for the first renewal while a second one cannot be sent', async () => {
    const answer = later();
    fetched.mockRejectedValueOnce(new TypeError('down'));
    const renewed = session.renewToken();
    await vi.advanceTimersByTimeAsync(8_000);
    answer(signedIn('two'));
    expect(await renewed).toBe('two');
  });

  test('asks for no renewal again once it has ended', async () => {
    later();
    void session.renewToken();
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOut();
    fetched.mockClear();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetched).not.toHaveBeenCalled();
  });

  test('none of whose renewals is answered backs off: the previous cookie is too old by then', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockImplementation(
      () => new Promise((_, lost) => setTimeout(() => lost(new TypeError('timed out')), 30_000)),
    );
    await vi.advanceTimersByTimeAsync(3_300_000 + 51_000);
    expect(fetched).toHaveBeenCalledTimes(4);
    fetched.mockImplementation(async () => signedIn('two'));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(fetched).toHaveBeenCalledTimes(4);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(5);
    expect(await session.freshToken()).toBe('two');
  });

  test.each([401, 403])('is not ended by a %i of a proxy, whose server is away', async (status) => {
    fetched.mockResolvedValueOnce(new Response('<h1>No</h1>', { status }));
    await expect(session.renewToken()).rejects.toMatchObject({ status, code: 'unexpected-answer' });
    expect(session.sessionState()).toEqual({ status: 'signed-in', user });
    fetched.mockResolvedValueOnce(signedIn('two'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await session.freshToken()).toBe('two');
  });

  test('is also renewed soon when a call started the lost renewal', async () => {
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await expect(session.renewToken()).rejects.toMatchObject({ code: 'network' });
    fetched.mockResolvedValueOnce(signedIn('two'));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fetched).toHaveBeenCalledTimes(2);
    // From then on as ever.
    fetched.mockResolvedValueOnce(signedIn('three'));
    await vi.advanceTimersByTimeAsync(3_299_999);
    expect(fetched).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(3);
  });

  test('does not wait longer because calls ask for a token, too', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockImplementation(async () => json(503, { ok: false, error: 'Busy.', code: 'busy' }));
    await vi.advanceTimersByTimeAsync(3_300_000);
    for (let call = 0; call < 5; call++) await session.renewToken().catch(() => undefined);
    const calls = fetched.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(fetched).toHaveBeenCalledTimes(calls + 1);
  });

  test('whose renewal is refused is over', async () => {
    fetched.mockResolvedValueOnce(noSession());
    expect(await session.renewToken()).toBeNull();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('that an owner ended says so', async () => {
    const refused = { ok: false, error: 'No.', code: 'unauthorized', cause: 'ended-by-owner' };
    fetched.mockResolvedValueOnce(json(401, refused));
    await session.renewToken();
    expect(session.sessionEnd()).toEqual({ reason: 'ended-by-owner', uid: 'u1' });
  });

  test.each([
    ['was ended elsewhere', 401, 'unauthorized', 'ended'],
    ['has no role any more', 403, 'no-role', 'no-role'],
    ['is refused for a reason of its own', 403, 'cross-site', null],
  ])('that %s says so', async (_, status, code, reason) => {
    expect(session.sessionEnd()).toBeNull();
    fetched.mockResolvedValueOnce(json(status, { ok: false, error: 'No.', code }));
    await session.renewToken();
    expect(session.sessionEnd()).toEqual({ reason, uid: 'u1' });
  });

  test.each(['user', 'inactivity'] as const)('that ends here says why (%s)', async (reason) => {
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOut(reason);
    expect(session.sessionEnd()).toEqual({ reason, uid: 'u1' });
  });

  test('that the user ends everywhere is not said to be ended elsewhere, whichever answer comes first', async () => {
    const answer = later();
    const leaving = session.signOutEverywhere();
    await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
    fetched.mockResolvedValueOnce(noSession());
    expect(await session.renewToken()).toBeNull();
    answer(json(200, { ok: true, result: null }));
    await leaving;
    expect(session.sessionEnd()).toEqual({ reason: 'user', uid: 'u1' });
  });

  test.each([
    ['signed-out', 'other-tab'],
    ['inactive', 'inactivity'],
  ])('that ends in another tab says so (%s)', async (message, reason) => {
    vi.useRealTimers();
    new BroadcastChannel('dispatch-session').postMessage(message);
    await vi.waitFor(() => expect(session.sessionEnd()).toEqual({ reason, uid: 'u1' }));
  });

  test('ends here at once, even when the server cannot be reached', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await session.signOut();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
    expect(await session.freshToken()).toBeNull();
    expect(paths()).toEqual(['/api/auth/sign-out']);
  });

  test('does not come back at the next page load, even when the sign-out has not reached the server', async () => {
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

  test('is not renewed after a sign-out', async () => {
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOut();
    fetched.mockClear();
    expect(await session.renewToken()).toBeNull();
    expect(fetched).not.toHaveBeenCalled();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test('stays signed out when a pending renewal is answered', async () => {
    const answer = later();
    const renewed = session.renewToken();
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOut();
    answer(signedIn('two'));
    expect(await renewed).toBeNull();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
  });

  test.each([
    ['answered', () => signedIn('two')],
    ['refused', noSession],
  ])('is not affected by a late renewal of the previous session that is %s', async (_, response) => {
    const answer = later();
    const renewed = session.renewToken();
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOut();
    fetched.mockResolvedValueOnce(signedIn('b', other));
    await session.signIn('b@example.com', 'secret');
    // A renewal of its own is not the old one, and stays the one under way when the old one is over.
    const answerOwn = later();
    const own = session.renewToken();
    answer(response());
    expect(await renewed).toBeNull();
    expect(session.sessionState()).toEqual({ status: 'signed-in', user: other });
    expect(await session.freshToken()).toBe('b');
    expect(session.renewToken()).toBe(own);
    answerOwn(signedIn('c', other));
    expect(await own).toBe('c');
  });

  test('ends before another user’s session takes over the cookie', async () => {
    const states: string[] = [];
    session.onSessionChange(() => {
      const now = session.sessionState();
      states.push(now.status === 'signed-in' ? now.user.uid : now.status);
    });
    fetched.mockResolvedValueOnce(signedIn('b', other));
    // The token is not for the one who asked.
    expect(await session.renewToken()).toBeNull();
    expect(states).toEqual(['signed-out', 'u2']);
    expect(await session.freshToken()).toBe('b');
  });

  test('ends when another user signs in in another tab', async () => {
    vi.useRealTimers();
    const states: string[] = [];
    session.onSessionChange(() => states.push(session.sessionState().status));
    fetched.mockResolvedValueOnce(signedIn('b', other));
    new BroadcastChannel('dispatch-session').postMessage({ signedIn: 'u2' });
    await vi.waitFor(() => expect(session.sessionState()).toEqual({ status: 'signed-in', user: other }));
    expect(states).toEqual(['signed-out', 'loading', 'signed-in']);
    expect(paths()).toEqual(['/api/auth/refresh']);
  });

  test('stays when the same user signs in in another tab', async () => {
    vi.useRealTimers();
    const changed = vi.fn();
    session.onSessionChange(changed);
    const tab = new BroadcastChannel('dispatch-session');
    tab.postMessage({ signedIn: 'u1' });
    // Messages keep their order: once this one is heard, the first one was.
    tab.postMessage('signed-out');
    await vi.waitFor(() => expect(session.sessionState()).toEqual({ status: 'signed-out' }));
    expect(changed).toHaveBeenCalledTimes(1);
    expect(fetched).not.toHaveBeenCalled();
  });

  test('announces its user to the other tabs, and counts as activity', async () => {
    vi.useRealTimers();
    const listener = vi.fn();
    new BroadcastChannel('dispatch-session').onmessage = ({ data }) => listener(data);
    localStorage.setItem('dispatch.last-activity', '0');
    fetched.mockResolvedValueOnce(signedIn('b', other));
    const before = Date.now();
    await session.signIn('b@example.com', 'secret');
    expect(Number(localStorage.getItem('dispatch.last-activity'))).toBeGreaterThanOrEqual(before);
    await vi.waitFor(() => expect(listener).toHaveBeenCalledExactlyOnceWith({ signedIn: 'u2' }));
  });

  describe('when staff records change', () => {
    const me = (changes: object) => json(200, { ok: true, result: { ...user, ...changes } });

    test('refreshes its user once within two seconds, and applies the new roles in place', async () => {
      vi.spyOn(Math, 'random').mockReturnValue(0.75);
      const states: string[] = [];
      session.onSessionChange(() => states.push(session.sessionState().status));
      fetched.mockResolvedValueOnce(me({ roles: ['Owner'], permissions: ['manage-users'], name: 'Ana B' }));
      session.refreshPermissions();
      session.refreshPermissions();
      await vi.advanceTimersByTimeAsync(1_499);
      expect(fetched).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      await vi.waitFor(() =>
        expect(session.sessionState()).toMatchObject({
          user: { uid: 'u1', roles: ['Owner'], permissions: ['manage-users'], name: 'Ana B' },
        }),
      );
      expect(paths()).toEqual(['/api/auth/me']);
      expect(fetched.mock.calls[0]?.[0].headers.get('Authorization')).toBe('Bearer one');
      expect(states).toEqual(['signed-in']);
    });

    test('requests nothing after it has ended', async () => {
      session.refreshPermissions();
      fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
      await session.signOut();
      fetched.mockClear();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(fetched).not.toHaveBeenCalled();
    });

    test('ignores an answer that comes after the next sign-in', async () => {
      const answer = later();
      session.refreshPermissions();
      await vi.advanceTimersByTimeAsync(2_000);
      fetched.mockResolvedValueOnce(signedIn('b', other));
      await session.signIn('b@example.com', 'secret');
      answer(me({ roles: ['Owner'] }));
      await vi.advanceTimersByTimeAsync(0);
      expect(session.sessionState()).toEqual({ status: 'signed-in', user: other });
    });
  });

  test('ends here when it is signed out everywhere, and stays when that fails', async () => {
    fetched.mockResolvedValueOnce(json(400, { ok: false, error: 'No.', code: 'no' }));
    await expect(session.signOutEverywhere()).rejects.toMatchObject({ code: 'no' });
    expect(session.sessionState()).toMatchObject({ status: 'signed-in' });
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.signOutEverywhere();
    expect(session.sessionState()).toEqual({ status: 'signed-out' });
    expect(paths()).toEqual(['/api/auth/sign-out-everywhere', '/api/auth/sign-out-everywhere']);
  });

  test('counts as active when it leaves for another provider, with no pending sign-out', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    localStorage.setItem('dispatch.last-activity', '0');
    expect(session.pendingSignOut()).toBeNull();
    expect(Number(localStorage.getItem('dispatch.last-activity'))).toBe(Date.now());
    fetched.mockRejectedValueOnce(new TypeError('down'));
    await session.signOut();
    fetched.mockResolvedValueOnce(json(200, { ok: true, result: null }));
    await session.pendingSignOut();
    expect(session.pendingSignOut()).toBeNull();
  });

  test('sends the code with the password when there is one', async () => {
    fetched.mockResolvedValueOnce(signedIn('b', other));
    await session.signIn('b@example.com', 'secret', '123456');
    expect(await fetched.mock.calls[0]?.[0].json()).toEqual({
      email: 'b@example.com',
      password: 'secret',
      code: '123456',
    });
  });
});
