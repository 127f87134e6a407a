// What this device keeps for a time without a connection, each user's apart. The service worker reads it, too.

import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { ErrorCode } from '../api/error-code.ts';

/** Something done here, as it is sent. */
export interface Deed {
  /** Its Idempotency-Key: the server carries it out once, however often it is sent. */
  key: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body: object;
  /** What it is to whoever did it. */
  about: {
    kind: 'status' | 'clock' | 'notes' | 'receipt' | 'hand-back';
    roNumber?: number;
    jobNumber?: number;
    detail?: string;
  };
}

/** A deed on its way. */
export interface Entry {
  key: Deed['key'];
  uid: string;
  /** In the order of these they are sent. */
  place: number;
  /** When it was done (ms, this device's clock). */
  doneAt: number;
  deed: Deed;
  /** What the server said when it refused it. */
  refused?: { sentence: string; code: ErrorCode };
}

interface Saved {
  uid: string;
  name: string;
  value: unknown;
  /** When it was so (ms, this device's clock). */
  at: number;
  /** The server's log of events it was of; null where the server named none. */
  generation?: string | null;
}

/** The words of notifications in the reader's language, for the service worker, which has none of its own. */
export interface NoticeWords {
  language: string;
  /** With {{number}}. */
  assigned: string;
  /** With {{number}}: how many. */
  several: string;
  status: Readonly<Record<string, string>>;
  priority: Readonly<Record<string, string>>;
}

interface Schema extends DBSchema {
  outbox: { key: string; value: Entry; indexes: { uid: string } };
  saved: { key: [uid: string, name: string]; value: Saved };
  words: { key: 'notices'; value: NoticeWords };
}

const NAME = 'dispatch-offline';
const VERSION = 1;

let opening: Promise<IDBPDatabase<Schema>> | null = null;

/** Rejects where the browser keeps nothing for this page. */
export function database(): Promise<IDBPDatabase<Schema>> {
  opening ??= openDB<Schema>(NAME, VERSION, {
    upgrade: (created) => {
      created.createObjectStore('outbox', { keyPath: 'key' }).createIndex('uid', 'uid');
      created.createObjectStore('saved', { keyPath: ['uid', 'name'] });
      created.createObjectStore('words');
    },
    // A newer page in another tab waits for this one to let go.
    blocking: (_, __, event) => {
      opening = null;
      if (event.target instanceof IDBDatabase) event.target.close();
    },
    terminated: () => {
      opening = null;
    },
  }).catch((failure: unknown) => {
    opening = null;
    throw failure;
  });
  return opening;
}
