// What the server refused while somebody looked on. What it refused later, the outbox keeps.
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/http.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { sentence } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Deed, Refusal } from '../offline/outbox.ts';

let refusals: readonly Refusal[] = [];
const listeners = new Set<() => void>();

export function refusedNow(deed: Deed, failure: unknown): void {
  console.warn('A change was refused.', failure);
  const code = failure instanceof ApiError ? failure.code : 'unexpected-answer';
  set([...refusals, { deed, sentence: sentence(failure, i18n.t), code }]);
}

export function forgetRefusal(key: string): void {
  if (refusals.some(({ deed }) => deed.key === key)) set(refusals.filter(({ deed }) => deed.key !== key));
}

export function useRefusals(): readonly Refusal[] {
  return useSyncExternalStore(subscribe, () => refusals);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Refusal[]): void {
  refusals = next;
  for (const listener of listeners) listener();
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out' && refusals.length > 0) set([]);
});
