import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { database } from './database.ts';
import { deleteLocalDataOnSignOut, markLocalData } from './local-data.ts';

const session = vi.hoisted(() => ({
  state: { status: 'signed-in', user: { uid: 'u1' } } as object,
  listeners: new Set<() => void>(),
}));
vi.mock('../api/session.ts', () => ({
  sessionState: () => session.state,
  onSessionChange: (listener: () => void) => {
    session.listeners.add(listener);
    return () => session.listeners.delete(listener);
  },
}));

function ends(): void {
  session.state = { status: 'signed-out' };
  for (const listener of session.listeners) listener();
}

const row = { uid: 'u1', name: 'list', value: 'hers', at: 1 };

beforeEach(async () => {
  session.listeners.clear();
  deleteLocalDataOnSignOut();
  await (await database()).put('saved', row);
});

test('local data is deleted when the session ends, however it ended', async () => {
  markLocalData();
  ends();
  await vi.waitFor(async () => expect(await (await database()).count('saved')).toBe(0), { timeout: 5_000 });
  expect(localStorage.getItem('dispatch.offline')).toBeNull();
});

test('a deletion that a closed page interrupted is finished at the next page load', async () => {
  localStorage.setItem('dispatch.offline', 'left-over');
  deleteLocalDataOnSignOut();
  await vi.waitFor(async () => expect(await (await database()).count('saved')).toBe(0), { timeout: 5_000 });
  expect(localStorage.getItem('dispatch.offline')).toBeNull();
});

test('a page load deletes nothing while the session may still be valid', async () => {
  markLocalData();
  deleteLocalDataOnSignOut();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await (await database()).count('saved')).toBe(1);
});

test('a sign-out is recorded before anything is deleted', () => {
  markLocalData();
  ends();
  expect(localStorage.getItem('dispatch.offline')).toBe('left-over');
});

test('a sign-out opens no database where nothing was kept', async () => {
  ends();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await (await database()).count('saved')).toBe(1);
});

test('unsent drafts are deleted at sign-out even when no portal is open', () => {
  localStorage.setItem('dispatch.draft.104217.1', '{"cause":{"text":"hers","base":""}}');
  localStorage.setItem('dispatch.language', 'de');
  ends();
  expect(Object.keys(localStorage)).toEqual(['dispatch.language']);
});
