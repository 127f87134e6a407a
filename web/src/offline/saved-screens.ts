// What was last on screen, for a start without a connection. Each user's apart, and deleted with the sign-in.
import { useSyncExternalStore } from 'react';
import { onServerStatus, serverStatus } from '../api/server-status.ts';
import { onServerTime } from '../api/server-time.ts';
import { sessionState } from '../api/session.ts';
import { database } from './database.ts';
import { markLocalData } from './local-data.ts';

/** A list that moves all the time is written this often at most. */
const WRITE_AFTER_MS = 1_000;
/** While the server is heard from, what was saved is still so; this often that is noted. */
const NOTE_EVERY_MS = 15_000;
const STILL_SO_AT = 'dispatch.still-so';

interface Pending {
  uid: string;
  value: unknown;
  at: number;
  generation: string | null;
}

const pending = new Map<string, Pending>();
let timer: ReturnType<typeof setTimeout> | undefined;
let follows = false;

/** What `save` was last given by that name, by this user on this device. */
export async function loadScreen<T>(name: string): Promise<T | undefined> {
  // Whoever saved it knows what it is.
  return (await find(name))?.value as T | undefined;
}

/** When that was last known to be so (ms, this device's clock). */
export async function screenSavedAt(name: string): Promise<number | undefined> {
  const found = await find(name);
  return found && Math.max(found.at, Number(localStorage.getItem(STILL_SO_AT) ?? 0));
}

/** Keeps anything that can be cloned. It is written in a moment, the last of several. */
export function saveScreen(name: string, value: unknown): void {
  const uid = signedIn();
  if (uid === null) return;
  markLocalData();
  follow();
  pending.set(name, { uid, value, at: Date.now(), generation: savedGeneration() });
  timer ??= setTimeout(() => void write(), WRITE_AFTER_MS);
}

/** Nothing of anybody's is kept. */
export async function deleteSavedScreens(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  pending.clear();
  localStorage.removeItem(STILL_SO_AT);
  await (await database()).clear('saved');
}

/** What was saved is given out again while the server's log of events is this one. */
export function useSavedGeneration(): string | null {
  return useSyncExternalStore(onServerStatus, savedGeneration);
}

function savedGeneration(): string | null {
  return serverStatus().generation;
}

async function find(name: string): Promise<{ value: unknown; at: number } | undefined> {
  const uid = signedIn();
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

/** What was saved before the server named its log may be of any. */
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
      if (entry.uid === signedIn()) void store.put({ ...entry, name });
    }
    await done;
  } catch (failure) {
    console.warn('What is on screen could not be saved.', failure);
  }
}

function signedIn(): string | null {
  const session = sessionState();
  return session.status === 'signed-in' ? session.user.uid : null;
}

/** From the first thing that is saved. */
function follow(): void {
  if (follows) return;
  follows = true;
  let noted = 0;
  onServerTime(() => {
    const now = Date.now();
    if (now - noted < NOTE_EVERY_MS || serverStatus().notReadSince !== null) return;
    noted = now;
    localStorage.setItem(STILL_SO_AT, String(now));
  });
  // The page may not come back from this.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && pending.size > 0) void write();
  });
}
