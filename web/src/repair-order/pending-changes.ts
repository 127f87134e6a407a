// Which fields of which orders are being changed from this page.
import { type MutationCache, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import type { ChangedField } from './choice.ts';

export function changeKey(field: ChangedField, roNumber: number) {
  return ['change', field, roNumber] as const;
}

/** Whether a change of this field is pending, whichever part of this page began it. */
export function useIsChanging(field: ChangedField, roNumber: number): boolean {
  const cache = useQueryClient().getMutationCache();
  const pending = pendingChanges(cache);
  return useSyncExternalStore(pending.subscribe, () => pending.all().has(`${field} ${roNumber}`));
}

interface PendingChanges {
  all(): ReadonlySet<string>;
  subscribe(listener: () => void): () => void;
}

/** A table checks each of its cells, so the pending changes are collected once for all of them. */
const trackers = new WeakMap<MutationCache, PendingChanges>();

function pendingChanges(cache: MutationCache): PendingChanges {
  let found = trackers.get(cache);
  if (found === undefined) {
    found = trackChanges(cache);
    trackers.set(cache, found);
  }
  return found;
}

function trackChanges(cache: MutationCache): PendingChanges {
  const collect = () =>
    new Set(
      cache
        .findAll({ mutationKey: ['change'], status: 'pending' })
        .map(({ options }) => (options.mutationKey ?? []).slice(1).join(' ')),
    );
  let pending: ReadonlySet<string> = collect();
  const { subscribe } = createListeners((notify) => {
    pending = collect();
    return cache.subscribe(() => {
      pending = collect();
      notify();
    });
  });
  return { all: () => pending, subscribe };
}
