import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { noteServerTime } from '../api/server-time.ts';
import { orLastKnown } from './last-known.ts';
import { deleteSavedScreens, loadScreen, saveScreen } from './saved-screens.ts';

const session = vi.hoisted(() => ({ uid: 'u1' }));
vi.mock('../api/session.ts', () => ({
  sessionState: () => ({ status: 'signed-in', user: { uid: session.uid, technicianId: 5 } }),
  onSessionChange: () => () => undefined,
}));

const away = new ApiError(0, 'network', 'Away.');
const hear = () => noteServerTime(new Date().toISOString());

beforeEach(async () => {
  session.uid = 'u1';
  hear();
  await deleteSavedScreens();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('an answer is the server’s, and the last known value from then on', async () => {
  expect(await orLastKnown('week', async () => 'now')).toEqual({ value: 'now', savedAt: null });
  const later = await orLastKnown('week', () => Promise.reject(away));
  expect(later).toEqual({ value: 'now', savedAt: expect.any(Number) });
});

test.each([
  ['cannot be reached', away],
  ['has failed', new ApiError(500, 'unexpected-answer', 'Failed.')],
  ['is busy', new ApiError(429, 'too-many-requests', 'Busy.')],
])('the last known value stands in for a server that %s', async (_, failure) => {
  saveScreen('week', 'before');
  expect((await orLastKnown('week', () => Promise.reject(failure))).value).toBe('before');
});

test('what was never saved needs the network, and says so', async () => {
  await expect(orLastKnown('week', () => Promise.reject(away))).rejects.toMatchObject({ code: 'not-kept' });
});

test('what the server refuses is not shown from this device, which deletes it', async () => {
  saveScreen('week', 'not theirs any more');
  saveScreen('other', 'theirs');
  const refused = new ApiError(404, 'unknown-repair-order', 'Gone.');
  await expect(orLastKnown('week', () => Promise.reject(refused))).rejects.toBe(refused);
  await vi.waitFor(async () => expect(await loadScreen('week')).toBeUndefined());
  expect(await loadScreen('other')).toBe('theirs');
});

test.each([403, 404, 410])('a %i of a proxy, whose server is away, deletes nothing', async (status) => {
  saveScreen('week', 'before');
  const failure = new ApiError(status, 'unexpected-answer', 'Not the server’s.');
  expect((await orLastKnown('week', () => Promise.reject(failure))).value).toBe('before');
  await expect(orLastKnown('other', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await loadScreen('week')).toBe('before');
});

test('where the server has been silent, what is saved is not waited for', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  hear();
  saveScreen('week', 'before');
  const fetchValue = vi.fn(async () => 'now');
  vi.setSystemTime(Date.now() + 12_001);
  expect(await orLastKnown('week', fetchValue)).toEqual({ value: 'before', savedAt: expect.any(Number) });
  expect(fetchValue).not.toHaveBeenCalled();
  hear();
  expect(await orLastKnown('week', fetchValue)).toEqual({ value: 'now', savedAt: null });
});

test('where the browser has no network, what is saved is not waited for', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  saveScreen('week', 'before');
  const fetchValue = vi.fn(async () => 'now');
  expect((await orLastKnown('week', fetchValue)).value).toBe('before');
  expect(fetchValue).not.toHaveBeenCalled();
  // The browser may be wrong about it.
  expect((await orLastKnown('other', fetchValue)).value).toBe('now');
});

test('an answer that comes when somebody else is signed in is not kept as theirs', async () => {
  await orLastKnown('week', async () => {
    session.uid = 'u2';
    return 'of the first';
  });
  expect(await loadScreen('week')).toBeUndefined();
});
