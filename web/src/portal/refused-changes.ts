// The changes that the server refused while the page waited. The outbox keeps those it refused later.
import { createAtom, useSelector } from '@tanstack/react-store';
import { ApiError } from '../api/http.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Mutation, RefusedMutation } from '../offline/outbox.ts';

const refusedChanges = createAtom<readonly RefusedMutation[]>([]);

export function addRefusedChange(mutation: Mutation, failure: unknown): void {
  console.warn('A change was refused.', failure);
  const code = failure instanceof ApiError ? failure.code : 'unexpected-answer';
  const refused = { mutation, sentence: errorMessage(failure, i18n.t), code };
  refusedChanges.set((before) => [...before, refused]);
}

export function removeRefusedChange(key: string): void {
  refusedChanges.set((before) => before.filter(({ mutation }) => mutation.key !== key));
}

export function useRefusedChanges(): readonly RefusedMutation[] {
  return useSelector(refusedChanges);
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out') refusedChanges.set([]);
});
