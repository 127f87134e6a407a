import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { database, type Mutation } from './database.ts';
import { deleteQueuedMutations, MutationQueue } from './mutation-queue.ts';

/** When the browser's database opens; null: it is open. */
const storage = vi.hoisted(() => ({ opening: null as Promise<void> | null }));
vi.mock('./database.ts', async (original) => {
  const actual = await original<typeof import('./database.ts')>();
  return { ...actual, database: () => storage.opening?.then(actual.database) ?? actual.database() };
});

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refused = (status: number, code: string) => json(status, { ok: false, error: `No: ${code}`, code });

/** What reached the server, in order: `path key body`. */
let arrived: string[] = [];
/** What it answers to one that arrived; throwing is a network without an answer. */
let server: (request: Request) => Promise<Response>;
let away = false;
let signedIn = 'u1';
const tabs: MutationQueue[] = [];

const mutation = (key: string, path = `/api/${key}`): Mutation => ({
  key,
  method: 'POST',
  path,
  body: { said: key },
  about: { kind: 'status', roNumber: 7 },
});

/** What was executed after its caller had stopped waiting. */
let late: string[] = [];

function tab(uid = 'u1', changed = () => {}): MutationQueue {
  const queue = new MutationQueue(uid, {
    isServerUnresponsive: () => away,
    isSignedIn: () => signedIn === uid,
    onChange: changed,
    onLateAnswer: ({ key }, answer) => late.push(`${key} ${JSON.stringify(answer)}`),
  });
  tabs.push(queue);
  return queue;
}

const keysOf = (queue: MutationQueue) => queue.contents().waiting.map(({ key }) => key);
const nothing = { waiting: [], underWay: 0, refused: [] };
const refusedOf = (queue: MutationQueue) =>
  queue.contents().refused.map(({ mutation: { key }, code }) => `${key} ${code}`);
const unreachable = async (): Promise<Response> => {
  throw new TypeError('Failed to fetch');
};
const answering = async (request: Request) => json(200, { ok: true, result: new URL(request.url).pathname });

/** Web Locks, which jsdom lacks: one after another. */
function locksOfTest() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request: (_: string, work: () => Promise<unknown>) => {
      const mine = last.then(work, work);
      last = mine.catch(() => undefined);
      return mine;
    },
  };
}

beforeEach(async () => {
  arrived = [];
  late = [];
  server = answering;
  away = false;
  signedIn = 'u1';
  vi.stubGlobal('fetch', async (request: Request) => {
    arrived.push(
      `${new URL(request.url).pathname} ${request.headers.get('Idempotency-Key')} ${await request.clone().text()}`,
    );
    return server(request);
  });
  vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: locksOfTest() } }));
  await (await database()).clear('outbox');
});
afterEach(() => {
  for (const one of tabs.splice(0)) one.close();
  storage.opening = null;
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const keysArrived = () => arrived.map((one) => one.split(' ')[1]);

describe('with a connection', () => {
  test('a mutation is sent at once and its answer returned', async () => {
    const queue = tab();
    expect(await queue.submit(mutation('a'))).toEqual({
      kind: 'answered',
      answer: { ok: true, result: '/api/a' },
    });
    expect(arrived).toEqual(['/api/a a {"said":"a"}']);
    expect(queue.contents()).toEqual(nothing);
    await vi.waitFor(async () => expect(await (await database()).count('outbox')).toBe(0));
  });

  test('it is sent before it is written to the database', async () => {
    const queue = tab();
    await queue.send();
    const order: string[] = [];
    server = async (request) => {
      order.push('sent');
      return answering(request);
    };
    const db = await database();
    const put = db.put.bind(db);
    vi.spyOn(db, 'put').mockImplementation(async (...args: Parameters<typeof put>) => {
      const written = await put(...args);
      order.push('written');
      return written;
    });
    await queue.submit(mutation('a'));
    await vi.waitFor(() => expect(order).toEqual(['sent', 'written']));
  });

  test('a mutation being sent is not shown as waiting', async () => {
    const shown: number[] = [];
    const queue = tab('u1', () => shown.push(queue.contents().waiting.length));
    await queue.submit(mutation('a'));
    expect(Math.max(0, ...shown)).toBe(0);
  });

  test('a mutation whose caller waits is under way, and one that waits for the connection is not', async () => {
    const shown: [waiting: number, underWay: number][] = [];
    const queue = tab('u1', () => {
      const { waiting, underWay } = queue.contents();
      shown.push([waiting.length, underWay]);
    });
    await queue.submit(mutation('a'));
    expect(shown).toEqual([
      [0, 1],
      [0, 0],
    ]);
    server = unreachable;
    await queue.submit(mutation('b'));
    expect(shown.slice(2)).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  test('several mutations arrive one after another in the order they were made', async () => {
    let open = 0;
    let most = 0;
    server = async (request) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open--;
      return answering(request);
    };
    const queue = tab();
    await Promise.all(['a', 'b', 'c', 'd'].map((key) => queue.submit(mutation(key))));
    expect(keysArrived()).toEqual(['a', 'b', 'c', 'd']);
    expect(most).toBe(1);
  });

  test('a refusal rejects its caller, and the next mutation is sent', async () => {
    server = async (request) => (request.url.endsWith('/a') ? refused(409, 'closed') : answering(request));
    const queue = tab();
    const first = queue.submit(mutation('a'));
    const second = queue.submit(mutation('b'));
    await expect(first).rejects.toMatchObject({ status: 409, code: 'closed', message: 'No: closed' });
    expect(await second).toMatchObject({ kind: 'answered' });
    expect(queue.contents()).toEqual(nothing);
  });

  test('a caller waits four seconds at most, and sending continues in the background', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer: (response: Response) => void = () => undefined;
    server = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const queue = tab();
    await queue.send();
    const outcome = queue.submit(mutation('a'));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(keysOf(queue)).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toEqual({ kind: 'queued' });
    expect(keysOf(queue)).toEqual(['a']);
    answer(json(200, { ok: true }));
    vi.useRealTimers();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(keysArrived()).toEqual(['a']);
  });
});

describe('without a connection', () => {
  test('mutations wait in order and are sent unchanged when the connection is back', async () => {
    server = unreachable;
    const queue = tab();
    for (const key of ['a', 'b', 'c']) expect(await queue.submit(mutation(key))).toEqual({ kind: 'queued' });
    expect(keysOf(queue)).toEqual(['a', 'b', 'c']);
    const before = arrived[0];
    arrived = [];
    server = answering;
    await queue.send();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(keysArrived()).toEqual(['a', 'b', 'c']);
    expect(arrived[0]).toBe(before);
  });

  test('a caller does not wait for an attempt while the server is known to be unavailable', async () => {
    away = true;
    server = () => new Promise(() => undefined);
    expect(await tab().submit(mutation('a'))).toEqual({ kind: 'queued' });
  });

  test('a later mutation is queued behind those that wait', async () => {
    server = unreachable;
    const queue = tab();
    await queue.submit(mutation('a'));
    arrived = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    server = async (request) => {
      await gate;
      return answering(request);
    };
    void queue.send();
    expect(await queue.submit(mutation('b'))).toEqual({ kind: 'queued' });
    release();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(keysArrived()).toEqual(['a', 'b']);
  });

  test.each([401, 408, 429, 500, 502, 503])('an answer of %i keeps the mutation', async (status) => {
    server = async () => refused(status, 'busy');
    const queue = tab();
    expect(await queue.submit(mutation('a'))).toEqual({ kind: 'queued' });
    expect(keysOf(queue)).toEqual(['a']);
    server = answering;
    await queue.send();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
  });

  test.each([
    ['the page of a network that wants a sign-in', 200, '<html>Welcome</html>'],
    ['an empty answer', 200, ''],
    ['JSON of something else', 200, '[]'],
    ['a proxy that knows no such page', 404, '<h1>Not found</h1>'],
    ['a proxy that lets nobody through', 403, '{"message":"Forbidden"}'],
  ])('%s is no verdict', async (_, status, text) => {
    server = async () => new Response(text, { status });
    const queue = tab();
    expect(await queue.submit(mutation('a'))).toEqual({ kind: 'queued' });
    // However often: it is not about the mutation.
    for (let attempt = 0; attempt < 6; attempt++) await queue.send();
    expect(keysOf(queue)).toEqual(['a']);
    expect(late).toEqual([]);
    server = answering;
    await queue.send();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(late).toEqual(['a {"ok":true,"result":"/api/a"}']);
  });

  test('it is tried again after 2, 4, 8, 16 s, then every 30 s', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    server = unreachable;
    const queue = tab();
    await queue.submit(mutation('a'));
    let attempts = 1;
    for (const wait of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), { interval: 0 });
      expect(arrived).toHaveLength(attempts);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(arrived, `before ${wait}`).toHaveLength(attempts);
      await vi.advanceTimersByTimeAsync(1);
      attempts++;
      await vi.waitFor(() => expect(arrived).toHaveLength(attempts), { interval: 0 });
    }
  });

  test('a mutation refused later is kept until the user has read it, and the rest is sent', async () => {
    server = unreachable;
    const queue = tab();
    for (const key of ['a', 'b', 'c']) await queue.submit(mutation(key));
    server = async (request) =>
      request.url.endsWith('/b') ? refused(409, 'clock-overlaps') : answering(request);
    await queue.send();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(queue.contents().refused).toEqual([
      { mutation: mutation('b'), sentence: 'No: clock-overlaps', code: 'clock-overlaps' },
    ]);
    expect(keysArrived().slice(-3)).toEqual(['a', 'b', 'c']);

    const afterReload = tab();
    await afterReload.send();
    expect(refusedOf(afterReload)).toEqual(['b clock-overlaps']);
    await afterReload.dismiss('b');
    expect(refusedOf(afterReload)).toEqual([]);
    await vi.waitFor(() => expect(refusedOf(queue)).toEqual([]));
    expect(await (await database()).count('outbox')).toBe(0);
  });

  test('a mutation that always fails on the server does not block the rest for ever', async () => {
    server = unreachable;
    const queue = tab();
    for (const key of ['a', 'b']) await queue.submit(mutation(key));
    server = async (request) => (request.url.endsWith('/a') ? refused(500, 'internal') : answering(request));
    arrived = [];
    await vi.waitFor(async () => {
      await queue.send();
      expect(keysOf(queue)).toEqual([]);
    });
    expect(refusedOf(queue)).toEqual(['a internal']);
    expect(keysArrived()).toEqual(['a', 'a', 'a', 'a', 'a', 'b']);
  });

  test('a mutation is not sent after a day, when the server has forgotten its key', async () => {
    server = unreachable;
    const queue = tab();
    await queue.submit(mutation('a'));
    arrived = [];
    server = answering;
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 24 * 3_600_000);
    await queue.send();
    await vi.waitFor(() => expect(refusedOf(queue)).toEqual(['a too-late']));
    expect(arrived).toEqual([]);
  });

  test('a mutation survives the page, and the next page sends it', async () => {
    server = unreachable;
    const before = tab();
    for (const key of ['a', 'b', 'c']) await before.submit(mutation(key));
    before.close();
    arrived = [];
    const after = tab();
    await after.send();
    expect(keysOf(after)).toEqual(['a', 'b', 'c']);
    server = answering;
    await after.send();
    await vi.waitFor(() => expect(keysOf(after)).toEqual([]));
    expect(keysArrived().slice(-3)).toEqual(['a', 'b', 'c']);
  });

  test('a page closed before the answer leaves the mutation to the next page', async () => {
    server = () => new Promise(() => undefined);
    const before = tab();
    void before.submit(mutation('a'));
    await vi.waitFor(async () => expect(await (await database()).count('outbox')).toBe(1));
    before.close();
    vi.stubGlobal('navigator', Object.create(navigator, { locks: { value: locksOfTest() } }));
    server = answering;
    const after = tab();
    await after.send();
    await vi.waitFor(() => expect(keysOf(after)).toEqual([]));
    expect(keysArrived()).toEqual(['a', 'a']);
  });

  test('another user neither sees nor sends the mutation', async () => {
    server = unreachable;
    const theirs = tab('u1');
    await theirs.submit(mutation('a'));
    theirs.close();
    arrived = [];
    server = answering;
    signedIn = 'u2';
    const ours = tab('u2');
    await ours.send();
    await ours.submit(mutation('b'));
    expect(keysArrived()).toEqual(['b']);
    await vi.waitFor(async () => expect(await (await database()).getAllKeys('outbox')).toEqual(['a']));
  });

  test('nothing is sent for a user who has signed out', async () => {
    server = unreachable;
    const queue = tab();
    await queue.submit(mutation('a'));
    arrived = [];
    signedIn = 'u2';
    await queue.send();
    expect(arrived).toEqual([]);
  });

  test('signing out deletes the mutations of that user alone', async () => {
    server = unreachable;
    const theirs = tab('u1');
    for (const key of ['a', 'b']) await theirs.submit(mutation(key));
    signedIn = 'u2';
    const ours = tab('u2');
    await ours.submit(mutation('c'));
    await deleteQueuedMutations('u1');
    expect(await (await database()).getAllKeys('outbox')).toEqual(['c']);
  });

  test('an answer after the sign-out leaves nothing behind', async () => {
    let answer: (response: Response) => void = () => undefined;
    server = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const queue = tab();
    const outcome = queue.submit(mutation('a'));
    await vi.waitFor(() => expect(arrived).toHaveLength(1));
    queue.close();
    await deleteQueuedMutations('u1');
    answer(refused(409, 'closed'));
    expect(await outcome).toEqual({ kind: 'queued' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await (await database()).count('outbox')).toBe(0);
  });

  test('what an earlier build queued, under another name, still goes out', async () => {
    const db = await database();
    await db.put('outbox', { key: 'a', uid: 'u1', place: 1, doneAt: Date.now(), deed: mutation('a') });
    const queue = tab();
    await queue.send();
    expect(arrived).toEqual(['/api/a a {"said":"a"}']);
    await vi.waitFor(async () => expect(await db.count('outbox')).toBe(0));
  });

  test('a mutation that is answered later is reported with its answer, one that is awaited is not', async () => {
    server = unreachable;
    const queue = tab();
    expect(await queue.submit(mutation('a'))).toEqual({ kind: 'queued' });
    server = answering;
    await queue.send();
    const answered = ['a {"ok":true,"result":"/api/a"}'];
    await vi.waitFor(() => expect(late).toEqual(answered));
    expect(await queue.submit(mutation('b'))).toMatchObject({ kind: 'answered' });
    expect(late).toEqual(answered);
  });

  test('mutations of a user who stays away for a week are deleted', async () => {
    const db = await database();
    const doneAt = Date.now() - 8 * 86_400_000;
    await db.put('outbox', { key: 'a', uid: 'gone', place: 1, doneAt, mutation: mutation('a') });
    await tab().send();
    expect(await db.count('outbox')).toBe(0);
  });
});

describe('the undo of a mutation', () => {
  const undo: Mutation = { ...mutation('undo'), undoes: 'tap' };
  const refusingTap = async (request: Request) =>
    request.url.endsWith('/tap') ? refused(409, 'closed') : answering(request);

  test('is sent after it', async () => {
    const queue = tab();
    await Promise.all([mutation('tap'), undo].map((one) => queue.submit(one)));
    expect(keysArrived()).toEqual(['tap', 'undo']);
  });

  test('that waits behind it goes with it when the server refuses it', async () => {
    server = unreachable;
    const queue = tab();
    for (const one of [mutation('before'), mutation('tap'), undo, mutation('after')]) await queue.submit(one);
    arrived = [];
    server = refusingTap;
    await queue.send();
    await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
    expect(keysArrived()).toEqual(['before', 'tap', 'after']);
    expect(refusedOf(queue)).toEqual(['tap closed']);
    await vi.waitFor(async () => expect(await (await database()).getAllKeys('outbox')).toEqual(['tap']));
  });

  test('is not sent when the server refuses it, though its own caller waits', async () => {
    server = refusingTap;
    const shown: number[] = [];
    const queue = tab('u1', () => shown.push(queue.contents().waiting.length));
    const tapped = queue.submit(mutation('tap'));
    const undone = queue.submit(undo);
    await expect(tapped).rejects.toMatchObject({ code: 'closed' });
    expect(await undone).toEqual({ kind: 'answered', answer: null });
    expect(keysArrived()).toEqual(['tap']);
    expect(queue.contents()).toEqual(nothing);
    expect(Math.max(...shown)).toBe(0);
    await vi.waitFor(async () => expect(await (await database()).count('outbox')).toBe(0));
  });

  test('that another tab dropped is not waited for', async () => {
    server = () => new Promise(() => undefined);
    const queue = tab();
    const undone = queue.submit(undo);
    await vi.waitFor(() => expect(queue.contents().underWay).toBe(1));
    const other = new BroadcastChannel('dispatch-mutations-u1');
    other.postMessage({ kind: 'gone', key: 'undo' });
    expect(await undone).toEqual({ kind: 'answered', answer: null });
    expect(queue.contents()).toEqual(nothing);
    other.close();
  });
});

describe('where the browser’s database does not open', () => {
  /** Until the returned function is called. */
  function closeDatabase(): () => void {
    let open: () => void = () => undefined;
    storage.opening = new Promise((resolve) => {
      open = resolve;
    });
    return () => open();
  }

  /** Lets the time pass, in steps in which what is sent is answered. */
  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) await vi.advanceTimersByTimeAsync(100);
  }

  /** A queue of which these wait for the connection: two seconds have passed. */
  async function waiting(...keys: string[]): Promise<MutationQueue> {
    server = unreachable;
    const queue = tab();
    const outcomes = Promise.all(keys.map((key) => queue.submit(mutation(key))));
    await pass(2_000);
    expect((await outcomes).map(({ kind }) => kind)).toEqual(keys.map(() => 'queued'));
    arrived = [];
    server = answering;
    return queue;
  }

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });

  test('a mutation is sent after two seconds, and holds up the next one for two at most', async () => {
    closeDatabase();
    const queue = tab();
    const first = queue.submit(mutation('a'));
    await pass(1_900);
    expect(arrived).toEqual([]);
    await pass(100);
    expect(await first).toMatchObject({ kind: 'answered' });
    const second = queue.submit(mutation('b'));
    await pass(2_000);
    expect(await second).toMatchObject({ kind: 'answered' });
    expect(keysArrived()).toEqual(['a', 'b']);
    expect(queue.contents()).toEqual(nothing);
  });

  test('what waits is sent by this page, and a refusal holds nothing up', async () => {
    closeDatabase();
    const queue = await waiting('a', 'b', 'c');
    server = async (request) => (request.url.endsWith('/b') ? refused(409, 'closed') : answering(request));
    await pass(20_000);
    expect(keysArrived()).toEqual(['a', 'b', 'c']);
    expect(keysOf(queue)).toEqual([]);
    expect(refusedOf(queue)).toEqual(['b closed']);
  });

  test('nothing is sent for a user who signs out while it is waited for', async () => {
    closeDatabase();
    await waiting('a');
    // The next attempt begins after two seconds, and asks it first.
    await pass(3_000);
    signedIn = 'u2';
    await pass(3_000);
    expect(arrived).toEqual([]);
  });

  test('what is in it is sent once it opens, and nothing is sent twice', async () => {
    const stored = { key: 'a', uid: 'u1', place: 1, doneAt: Date.now(), mutation: mutation('a') };
    await (await database()).put('outbox', stored);
    const open = closeDatabase();
    const queue = tab();
    const outcome = queue.submit(mutation('b'));
    await pass(2_000);
    expect(await outcome).toMatchObject({ kind: 'answered' });
    open();
    await vi.waitFor(async () => expect(await (await database()).count('outbox')).toBe(0), {
      timeout: 5_000,
    });
    await pass(5_000);
    expect(keysArrived()).toEqual(['b', 'a']);
    expect(queue.contents()).toEqual(nothing);
  });

  test('a sign-out deletes what is written only then', async () => {
    const open = closeDatabase();
    const queue = await waiting('a');
    signedIn = 'nobody';
    queue.close();
    const deleted = deleteQueuedMutations('u1');
    open();
    await deleted;
    await pass(5_000);
    expect(await (await database()).count('outbox')).toBe(0);
    expect(arrived).toEqual([]);
  });
});

describe('in two tabs', () => {
  test('only one tab sends, each mutation once and in order', async () => {
    server = unreachable;
    const [one, two] = [tab(), tab()];
    await one.submit(mutation('a'));
    await vi.waitFor(() => expect(keysOf(two)).toEqual(['a']));
    await two.submit(mutation('b'));
    await vi.waitFor(() => expect(keysOf(one)).toEqual(['a', 'b']));
    await one.submit(mutation('c'));
    await vi.waitFor(() => expect(keysOf(two)).toEqual(['a', 'b', 'c']));
    await Promise.all([one.send(), two.send()]);
    arrived = [];
    server = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 3));
      return answering(request);
    };
    await Promise.all([one.send(), two.send()]);
    await vi.waitFor(() => expect([...keysOf(one), ...keysOf(two)]).toEqual([]));
    expect(keysArrived()).toEqual(['a', 'b', 'c']);
  });

  test('a refused mutation can be dismissed in either tab', async () => {
    server = unreachable;
    const [one, two] = [tab(), tab()];
    await one.submit(mutation('a'));
    await vi.waitFor(() => expect(keysOf(two)).toEqual(['a']));
    server = async () => refused(404, 'unknown-job');
    await Promise.all([one.send(), two.send()]);
    await vi.waitFor(() =>
      expect([refusedOf(one), refusedOf(two)]).toEqual([['a unknown-job'], ['a unknown-job']]),
    );
    await two.dismiss('a');
    await vi.waitFor(() => expect(refusedOf(one)).toEqual([]));
  });
});

test('without IndexedDB a mutation is still sent, and waits as long as the page is open', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const db = await database();
  vi.spyOn(db, 'put').mockRejectedValue(new DOMException('Full', 'QuotaExceededError'));
  server = unreachable;
  const queue = tab();
  expect(await queue.submit(mutation('a'))).toEqual({ kind: 'queued' });
  server = answering;
  await queue.send();
  await vi.waitFor(() => expect(keysOf(queue)).toEqual([]));
  expect(keysArrived()).toEqual(['a', 'a']);
});

test('a mutation answered before a restore is sent once more', async () => {
  const queue = tab();
  server = async (request) => {
    if (arrived.length === 1) noteEventLogReset(true);
    return answering(request);
  };
  expect(await queue.submit(mutation('a'))).toEqual({ kind: 'queued' });
  await queue.send();
  await vi.waitFor(() => expect(queue.contents().waiting).toEqual([]));
  expect(arrived.map((line) => line.split(' ')[1])).toEqual(['a', 'a']);
});
