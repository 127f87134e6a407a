// This device's IndexedDB for offline work, with each user's data apart. The service worker reads it, too. The names
// of stores and fields are stored on devices and must not change.

import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { ErrorCode } from '../api/error-code.ts';

/** A change made on this device, as it is sent. */
export interface Mutation {
  /** Its Idempotency-Key: the server executes it once, however often it is sent. */
  key: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body: object;
  /** The key of the change that this one takes back. */
  undoes?: string;
  /** What the change is about, for the user. */
  about: {
    kind: 'status' | 'clock' | 'notes' | 'receipt' | 'hand-back' | 'hold' | 'hold-end' | 'stage';
    roNumber?: number;
    jobNumber?: number;
    detail?: string;
  };
}

/** A mutation in the queue. */
export interface QueuedMutation {
  key: Mutation['key'];
  uid: string;
  /** Mutations are sent in ascending order of this. */
  place: number;
  /** When the user made the change (ms, this device's clock). */
  doneAt: number;
  mutation: Mutation;
  /** Why the server refused it. */
  refused?: { sentence: string; code: ErrorCode };
}

/** As the page stores it; earlier builds called the mutation `deed`, and what they queued still goes out. */
type StoredMutation = QueuedMutation | (Omit<QueuedMutation, 'mutation'> & { deed: Mutation });

export function toQueuedMutation(stored: StoredMutation): QueuedMutation {
  if (!('deed' in stored)) return stored;
  const { deed, ...entry } = stored;
  return { ...entry, mutation: deed };
}

interface SavedScreen {
  uid: string;
  name: string;
  value: unknown;
  /** When the value was last known to be current (ms, this device's clock). */
  at: number;
  /** The generation of the server's event log; null where the server named none. */
  generation?: string | null;
}

/** The texts of notifications in the reader's language, for the service worker, which has none of its own. */
export interface NotificationTexts {
  language: string;
  /** With {{number}}. */
  assigned: string;
  /** With {{number}}: how many. */
  several: string;
  status: Readonly<Record<string, string>>;
  priority: Readonly<Record<string, string>>;
}

interface Schema extends DBSchema {
  outbox: { key: string; value: StoredMutation; indexes: { uid: string } };
  saved: { key: [uid: string, name: string]; value: SavedScreen };
  words: { key: 'notices'; value: NotificationTexts };
}

const NAME = 'dispatch-offline';
const VERSION = 1;

let databasePromise: Promise<IDBPDatabase<Schema>> | null = null;

/** Rejects where the browser offers this page no storage. */
export function database(): Promise<IDBPDatabase<Schema>> {
  databasePromise ??= openDB<Schema>(NAME, VERSION, {
    upgrade: (created) => {
      created.createObjectStore('outbox', { keyPath: 'key' }).createIndex('uid', 'uid');
      created.createObjectStore('saved', { keyPath: ['uid', 'name'] });
      created.createObjectStore('words');
    },
    // A newer page in another tab waits for this one to close the database.
    blocking: (_, __, event) => {
      databasePromise = null;
      if (event.target instanceof IDBDatabase) event.target.close();
    },
    terminated: () => {
      databasePromise = null;
    },
  }).catch((failure: unknown) => {
    databasePromise = null;
    throw failure;
  });
  return databasePromise;
}
