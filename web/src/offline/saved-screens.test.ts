import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { noteServerStatus } from '../api/server-status.ts';
import { noteServerTime } from '../api/server-time.ts';
import { database } from './database.ts';
import { deleteSavedScreens, loadScreen, pruneScreens, saveScreen, screenSavedAt } from './saved-screens.ts';

const session = vi.hoisted(() => ({ uid: 'u1' as string | null }));
vi.mock('../api/session.ts', () => ({
  sessionState: () =>
    session.uid === null
      ? { status: 'signed-out' }
      : { status: 'signed-in', user: { uid: session.uid, technicianId: 5 } },
  onSessionChange: () => () => undefined,
}));

beforeEach(async () => {
  session.uid = 'u1';
  await deleteSavedScreens();
});

const written = () =>
  vi.waitFor(async () => expect(await (await database()).count('saved')).toBe(1), { timeout: 5_000 });

test('any cloneable value is loaded unchanged', async () => {
  const list = new Map([[7, { order: 'seven' }]]);
  saveScreen('list', list);
  expect(await loadScreen('list')).toEqual(list);
  await written();
  expect(await loadScreen('list')).toEqual(list);
  expect(await loadScreen('clock')).toBeUndefined();
});

test('of several saves only the last is written, after a delay', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  for (let n = 0; n < 20; n++) saveScreen('list', n);
  await vi.advanceTimersByTimeAsync(999);
  expect(put).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await written();
  expect(put).toHaveBeenCalledTimes(1);
  expect(await loadScreen('list')).toBe(19);
});

test('a page that goes to the background writes at once', async () => {
  saveScreen('list', 'last');
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await written();
});

test('the saved screen is dated by when the server was last heard from', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(1_000_000);
  saveScreen('list', 'a');
  expect(await screenSavedAt('list')).toBe(1_000_000);
  vi.setSystemTime(1_060_000);
  noteServerTime(new Date().toISOString());
  vi.setSystemTime(9_000_000);
  expect(await screenSavedAt('list')).toBe(1_060_000);
  expect(await screenSavedAt('clock')).toBeUndefined();
  vi.useRealTimers();
});

test('a server that cannot read its database does not update the date', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(20_000_000);
  saveScreen('list', 'a');
  vi.setSystemTime(20_060_000);
  const now = new Date().toISOString();
  noteServerStatus({ seq: 1, now, notReadSince: now });
  noteServerTime(now);
  expect(await screenSavedAt('list')).toBe(20_000_000);
  noteServerStatus({ seq: 1, now });
  noteServerTime(now);
  expect(await screenSavedAt('list')).toBe(20_060_000);
  vi.useRealTimers();
});

test('a screen saved before a restore is not loaded', async () => {
  const pulse = (generation: string) => ({ seq: 1, now: new Date().toISOString(), generation });
  noteServerStatus(pulse('g1'));
  saveScreen('list', 'of before');
  noteServerStatus(pulse('g2'));
  expect(await loadScreen('list')).toBeUndefined();
  await written();
  expect(await loadScreen('list')).toBeUndefined();
  expect(await screenSavedAt('list')).toBeUndefined();
  noteServerStatus(pulse('g1'));
  expect(await loadScreen('list')).toBe('of before');
});

test('a screen that came before the server named its log is of the log it names', async () => {
  const now = new Date().toISOString();
  noteServerStatus({ seq: 1, now });
  saveScreen('list', 'came first');
  await written();
  noteServerStatus({ seq: 1, now, generation: 'g3' });
  expect(await loadScreen('list')).toBe('came first');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  noteServerStatus({ seq: 1, now, generation: 'g4' });
  expect(await loadScreen('list')).toBeUndefined();
  noteServerStatus({ seq: 1, now, generation: 'g3' });
  expect(await loadScreen('list')).toBe('came first');
});

test('each user has their own saved screens', async () => {
  saveScreen('list', 'hers');
  await written();
  session.uid = 'u2';
  expect(await loadScreen('list')).toBeUndefined();
});

test('nothing is written for a user who has signed out since', async () => {
  saveScreen('list', 'hers');
  session.uid = null;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  expect(await (await database()).count('saved')).toBe(0);
});

test('what is not needed any more is deleted, written or not, and nothing of another user', async () => {
  saveScreen('list', 'hers');
  await written();
  session.uid = 'u2';
  saveScreen('old', 'his');
  saveScreen('clock', 'his');
  await pruneScreens((name) => name === 'clock');
  expect(await loadScreen('old')).toBeUndefined();
  expect(await loadScreen('clock')).toBe('his');
  session.uid = 'u1';
  expect(await loadScreen('list')).toBe('hers');
  await pruneScreens((name) => name === 'clock');
  expect(await loadScreen('list')).toBeUndefined();
});

test('a sign-out deletes the saved screens of every user', async () => {
  saveScreen('list', 'hers');
  await written();
  session.uid = 'u2';
  saveScreen('list', 'his');
  await deleteSavedScreens();
  expect(await (await database()).count('saved')).toBe(0);
  expect(await loadScreen('list')).toBeUndefined();
});
