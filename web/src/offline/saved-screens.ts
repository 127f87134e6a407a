// The last state of a screen, for a start without a connection. Kept per user, and deleted at sign-out.
import { useSyncExternalStore } from 'react';
import { onServerStatus, serverStatus } from '../api/server-status.ts';
import { onServerTime, serverNow } from '../api/server-time.ts';
import { sessionState } from '../api/session.ts';
import { database } from './database.ts';
import { markLocalData } from './local-data.ts';

/** A list that changes constantly is written at most this often. */
const WRITE_DELAY_MS = 1_000;
/** While a screen is live, what is saved of it is current; its date is updated this often. */
const CONFIRM_INTERVAL_MS = 15_000;
/** Before the screen's name. */
const CONFIRMED_AT_KEY = 'dispatch.still-so';

interface Pending {
  uid: string;
  value: unknown;
  at: number;
  generation: string | null;
}

const pending = new Map<string, Pending>();
/** Saved since the page was opened, before the server named its log: by name, the last. */
const ofUnnamedLog = new Map<string, Pending>();
let timer: ReturnType<typeof setTimeout> | undefined;
let isFollowing = false;

/** The value last saved under that name by this user on this device. */
export async function loadScreen<T>(name: string): Promise<T | undefined> {
  return (await loadSavedScreen<T>(name))?.value;
}

/** The same, and when it was saved (ms, the server's clock). */
export async function loadSavedScreen<T>(name: string): Promise<{ value: T; at: number } | undefined> {
  const found = await loadSaved(name);
  // The caller that saved it knows its type.
  return found && { value: found.value as T, at: found.at };
}

/** When the saved value was last known to be current (ms, this device's clock). */
export async function screenSavedAt(name: string): Promise<number | undefined> {
  const found = await loadSaved(name);
  return found && Math.max(found.at, Number(localStorage.getItem(confirmedAtKey(name)) ?? 0));
}

/** Until it is stopped, what is saved under that name is current whenever the server is heard: its screen is live. */
export function confirmSavedScreen(name: string): () => void {
  let confirmedAt = 0;
  return onServerTime(() => {
    const now = serverNow();
    if (now - confirmedAt < CONFIRM_INTERVAL_MS || serverStatus().notReadSince !== null) return;
    confirmedAt = now;
    localStorage.setItem(confirmedAtKey(name), String(now));
  });
}

function confirmedAtKey(name: string): string {
  return `${CONFIRMED_AT_KEY} ${name}`;
}

/** Saves any cloneable value. The write is delayed, and only the last of several is written. */
export function saveScreen(name: string, value: unknown): void {
  const uid = signedInUid();
  if (uid === null) return;
  markLocalData();
  followServerLog();
  const entry = { uid, value, at: serverNow(), generation: savedGeneration() };
  pending.set(name, entry);
  if (entry.generation === null) ofUnnamedLog.set(name, entry);
  timer ??= setTimeout(() => void write(), WRITE_DELAY_MS);
}

/** Deletes the saved screens of every user. */
export async function deleteSavedScreens(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  pending.clear();
  ofUnnamedLog.clear();
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(CONFIRMED_AT_KEY)) localStorage.removeItem(key);
  }
  await (await database()).clear('saved');
}

/** Of the signed-in user. */
export async function deleteSavedScreen(name: string): Promise<void> {
  await pruneScreens((one) => one !== name);
}

/** Deletes what the signed-in user has saved under other names. */
export async function pruneScreens(isKept: (name: string) => boolean): Promise<void> {
  const uid = signedInUid();
  if (uid === null) return;
  for (const name of pending.keys()) {
    if (!isKept(name)) pending.delete(name);
  }
  for (const name of ofUnnamedLog.keys()) {
    if (!isKept(name)) ofUnnamedLog.delete(name);
  }
  try {
    const { store, done } = (await database()).transaction('saved', 'readwrite');
    for (const [owner, name] of await store.getAllKeys()) {
      if (owner === uid && !isKept(name)) void store.delete([owner, name]);
    }
    await done;
  } catch (failure) {
    console.warn('What is not needed any more could not be deleted.', failure);
  }
}

/** The event log's generation: a saved screen is only used while the log is the same. */
export function useSavedGeneration(): string | null {
  return useSyncExternalStore(onServerStatus, savedGeneration);
}

function savedGeneration(): string | null {
  return serverStatus().generation;
}

async function loadSaved(name: string): Promise<{ value: unknown; at: number } | undefined> {
  const uid = signedInUid();
  if (uid === null) return undefined;
  const waiting = pending.get(name);
  if (waiting?.uid === uid) return isOfThisLog(waiting) ? waiting : undefined;
  try {
    const found = await (await database()).get('saved', [uid, name]);
    return found !== undefined && isOfThisLog(found) ? found : undefined;
  } catch (failure) {
    console.warn('What was saved cannot be read.', failure);
    return undefined;
  }
}

/** A value saved before the server named its log may belong to any log. */
function isOfThisLog({ generation = null }: { generation?: string | null }): boolean {
  return generation === savedGeneration();
}

async function write(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  const all = [...pending];
  pending.clear();
  try {
    const { store, done } = (await database()).transaction('saved', 'readwrite');
    for (const [name, entry] of all) {
      // Somebody may have signed out since.
      if (entry.uid === signedInUid()) void store.put({ ...entry, name });
    }
    await done;
  } catch (failure) {
    console.warn('What is on screen could not be saved.', failure);
  }
}

export function signedInUid(): string | null {
  const session = sessionState();
  return session.status === 'signed-in' ? session.user.uid : null;
}

/** Starts with the first saved value. */
function followServerLog(): void {
  if (isFollowing) return;
  isFollowing = true;
  // At the first start on a device the list may come before the stream names its log. It is of this log: a list of
  // another one is dropped, and loaded again.
  onServerStatus(({ generation }) => {
    if (generation !== null || savedGeneration() === null) return;
    for (const [name, { uid, value }] of ofUnnamedLog) {
      if (uid === signedInUid()) saveScreen(name, value);
    }
    ofUnnamedLog.clear();
  });
  // A page in the background may be closed without notice.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && pending.size > 0) void write();
  });
}
