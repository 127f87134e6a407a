// What a technician does goes through here: each deed once, in the order it was done.
import { useSyncExternalStore } from 'react';
import { ApiError, answered, sendAuthorised } from '../api/http.ts';
import { withRetry } from '../api/retry.ts';

export interface Deed {
  /** The Idempotency-Key. */
  key: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body: object;
  about: {
    kind: 'status' | 'clock' | 'notes' | 'receipt' | 'hand-back';
    roNumber?: number;
    jobNumber?: number;
    detail?: string;
  };
}

export interface Refusal {
  deed: Deed;
  sentence: string;
  code: string;
}

export interface Outbox {
  waiting: readonly Deed[];
  refused: readonly Refusal[];
}

/** The answer of a deed that waits for the connection. */
export const QUEUED = Symbol('queued');

let outbox: Outbox = { waiting: [], refused: [] };
const listeners = new Set<() => void>();
/** The last deed on its way; the next one follows it. */
let last: Promise<unknown> = Promise.resolve();

/** Resolves with the server's answer (its body), or with QUEUED; rejects with ApiError when it was refused. */
export function submit(deed: Deed): Promise<unknown> {
  set({ ...outbox, waiting: [...outbox.waiting, deed] });
  const sent = last
    .then(() => send(deed))
    .finally(() => set({ ...outbox, waiting: outbox.waiting.filter(({ key }) => key !== deed.key) }));
  last = sent.catch(() => undefined);
  return sent;
}

export function useOutbox(): Outbox {
  return useSyncExternalStore(subscribe, currentOutbox);
}

export function currentOutbox(): Outbox {
  return outbox;
}

/** A refused deed has been seen. */
export function dismiss(key: string): void {
  set({ ...outbox, refused: outbox.refused.filter(({ deed }) => deed.key !== key) });
}

function send({ key, method, path, body }: Deed): Promise<unknown> {
  const request = new Request(new URL(path, location.origin), {
    method,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  });
  return answered(readAnswer(withRetry(() => sendAuthorised(request))));
}

async function readAnswer(sent: Promise<Response>) {
  const response = await sent;
  const body: unknown = await response.json().catch(() => {
    throw new ApiError(response.status, 'unexpected-answer', `The server answered ${response.status}.`);
  });
  return response.ok ? { data: body, response } : { error: body, response };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: Outbox): void {
  outbox = next;
  for (const listener of listeners) listener();
}
