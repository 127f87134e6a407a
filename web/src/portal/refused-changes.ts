// The changes that the server refused while the page waited. The outbox keeps those it refused later.
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/http.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Mutation, RefusedMutation } from '../offline/outbox.ts';

let refusedChanges: readonly RefusedMutation[] = [];
const listeners = new Set<() => void>();

export function addRefusedChange(mutation: Mutation, failure: unknown): void {
  console.warn('A change was refused.', failure);
  const code = failure instanceof ApiError ? failure.code : 'unexpected-answer';
  set([...refusedChanges, { mutation, sentence: errorMessage(failure, i18n.t), code }]);
}

export function removeRefusedChange(key: string): void {
  if (refusedChanges.some(({ mutation }) => mutation.key === key))
    set(refusedChanges.filter(({ mutation }) => mutation.key !== key));
}

export function useRefusedChanges(): readonly RefusedMutation[] {
  return useSyncExternalStore(subscribe, () => refusedChanges);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly RefusedMutation[]): void {
  refusedChanges = next;
  for (const listener of listeners) listener();
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out' && refusedChanges.length > 0) set([]);
});
