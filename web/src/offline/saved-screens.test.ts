import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerStatus } from '../api/server-status.ts';
import { noteServerTime } from '../api/server-time.ts';
import { database } from './database.ts';
import {
  confirmSavedScreen,
  deleteSavedScreens,
  loadScreen,
  pruneScreens,
  saveScreen,
  screenSavedAt,
} from './saved-screens.ts';

const session = vi.hoisted(() => ({ uid: 'u1' as string | null }));
vi.mock('../api/session.ts', () => ({
  sessionState: () =>
    session.uid === null
      ? { status: 'signed-out' }
      : { status: 'signed-in', user: { uid: session.uid, technicianId: 5 } },
  onSessionChange: () => () => undefined,
}));

/** The screens that are live. */
const confirmed: (() => void)[] = [];
const goLive = (name: string) => confirmed.push(confirmSavedScreen(name));

const hearAt = (time: number) => {
  vi.setSystemTime(time);
  noteServerTime(new Date().toISOString());
};

beforeEach(async () => {
  session.uid = 'u1';
  await deleteSavedScreens();
});
afterEach(() => {
  for (const stop of confirmed.splice(0)) stop();
  vi.useRealTimers();
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

test('what is saved of a live screen is dated by when the server was last heard from', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(1_000_000);
  saveScreen('list', 'a');
  goLive('list');
  expect(await screenSavedAt('list')).toBe(1_000_000);
  hearAt(1_060_000);
  vi.setSystemTime(9_000_000);
  expect(await screenSavedAt('list')).toBe(1_060_000);
  expect(await screenSavedAt('clock')).toBeUndefined();
});

test('what is saved of another screen keeps its date, and so does that of one that is left', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(1_000_000);
  saveScreen('list', 'a');
  saveScreen('list of another', 'b');
  const stop = confirmSavedScreen('list');
  hearAt(1_060_000);
  expect(await screenSavedAt('list of another')).toBe(1_000_000);
  stop();
  hearAt(1_120_000);
  expect(await screenSavedAt('list')).toBe(1_060_000);
});

test('the date of a live screen is written every 15 s at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(1_000_000);
  saveScreen('list', 'a');
  goLive('list');
  for (const time of [1_005_000, 1_010_000, 1_019_999]) hearAt(time);
  expect(await screenSavedAt('list')).toBe(1_005_000);
  hearAt(1_020_000);
  expect(await screenSavedAt('list')).toBe(1_020_000);
});

test('a sign-out deletes the dates, too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  hearAt(1_000_000);
  goLive('list');
  hearAt(1_060_000);
  const dates = () => Object.keys(localStorage).filter((key) => key.startsWith('dispatch.still-so'));
  expect(dates()).toHaveLength(1);
  await deleteSavedScreens();
  expect(dates()).toEqual([]);
});

test('a server that cannot read its database does not update the date', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(20_000_000);
  saveScreen('list', 'a');
  goLive('list');
  vi.setSystemTime(20_060_000);
  const now = new Date().toISOString();
  noteServerStatus({ seq: 1, now, notReadSince: now });
  noteServerTime(now);
  expect(await screenSavedAt('list')).toBe(20_000_000);
  noteServerStatus({ seq: 1, now });
  noteServerTime(now);
  expect(await screenSavedAt('list')).toBe(20_060_000);
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
