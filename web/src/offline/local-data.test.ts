import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { database } from './database.ts';
import { deleteLocalDataOnSignOut, markLocalData } from './local-data.ts';
import { deleteLocalData } from './local-data-deletion.ts';
import { endPush } from './push-subscription.ts';
import { deleteSavedScreens } from './saved-screens.ts';

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

vi.mock('./push-subscription.ts', () => ({ endPush: vi.fn() }));
vi.mock('./saved-screens.ts', async (original) => {
  const screens = await original<typeof import('./saved-screens.ts')>();
  return { ...screens, deleteSavedScreens: vi.fn(screens.deleteSavedScreens) };
});

function begins(uid: string): void {
  session.state = { status: 'signed-in', user: { uid } };
  for (const listener of session.listeners) listener();
}

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

test('what the next user saves is marked, though the deletion of what was left ends after it', async () => {
  let unsubscribed: () => void = () => undefined;
  vi.mocked(endPush).mockReturnValueOnce(
    new Promise((resolve) => {
      unsubscribed = resolve;
    }),
  );
  markLocalData();
  ends();
  await vi.waitFor(() => expect(endPush).toHaveBeenCalled(), { timeout: 5_000 });
  begins('u2');
  markLocalData();
  unsubscribed();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(localStorage.getItem('dispatch.offline')).toBe('yes');
  await (await database()).put('saved', { ...row, uid: 'u2' });
  ends();
  await vi.waitFor(async () => expect(await (await database()).count('saved')).toBe(0), { timeout: 5_000 });
  await vi.waitFor(() => expect(localStorage.getItem('dispatch.offline')).toBeNull());
});

test.each(['that fails', 'that another tab blocks'])(
  'a database %s leaves no push behind, and the rest is deleted at the next page load',
  async (how) => {
    localStorage.setItem('dispatch.offline', 'left-over');
    const deletion =
      how === 'that fails' ? Promise.reject(new Error('No database')) : new Promise<void>(() => 0);
    vi.mocked(deleteSavedScreens).mockReturnValueOnce(deletion);
    vi.mocked(endPush).mockClear();
    const outcome = Promise.race([
      deleteLocalData(),
      new Promise((_, fail) => setTimeout(() => fail(new Error('It waits')), 50)),
    ]);
    await expect(outcome).rejects.toThrow(how === 'that fails' ? 'No database' : 'It waits');
    expect(endPush).toHaveBeenCalledTimes(1);
    expect(localStorage.getItem('dispatch.offline')).toBe('left-over');
  },
);

test('unsent drafts are deleted at sign-out even when no portal is open', () => {
  localStorage.setItem('dispatch.draft.104217.1', '{"cause":{"text":"hers","base":""}}');
  localStorage.setItem('dispatch.language', 'de');
  ends();
  expect(Object.keys(localStorage)).toEqual(['dispatch.language']);
});
