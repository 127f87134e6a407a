// Whether promises will be kept: asked for anew when orders or clocks change, and each minute. The list of orders never
// waits for it; what could not be loaded is not shown.
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchPromises, type OrderPromise } from '../api/promises.ts';
import { onSocketMessage } from '../api/socket.ts';
import { useQueryData } from '../ui/query-data.ts';

/** Changes that come together are one reason to ask; so often (ms) at most. */
const MIN_INTERVAL_MS = 10_000;
/** Time passes, too (ms). */
const MAX_AGE_MS = 60_000;

const promises = queryOptions({
  queryKey: ['promises'],
  queryFn: async ({ signal }) => {
    const all = await fetchPromises(signal);
    return new Map(all.map((one) => [one.roNumber, one]));
  },
  structuralSharing: false,
});

type Promises = ReadonlyMap<number, OrderPromise>;

/** Null: nothing is known of it, or nothing was promised. Loaded by `useLivePromises`. */
export function usePromise(roNumber: number): OrderPromise | null {
  return useQueryData(promises.queryKey, (all: Promises) => all.get(roNumber)) ?? null;
}

/** Keeps them current for as long as a screen shows them. */
export function useLivePromises(isShown: boolean): void {
  const client = useQueryClient();
  const isMissing = useQueryData(promises.queryKey, isThere) === undefined;
  useEffect(() => (isShown ? followChanges(client) : undefined), [client, isShown]);
  useEffect(() => {
    // Also where they were dropped, as after a restore of the shop's data.
    if (isShown && isMissing) void client.prefetchQuery(promises);
  }, [client, isShown, isMissing]);
}

const isThere = () => true;

function followChanges(client: QueryClient): () => void {
  const load = () => {
    // An answer under way may be from before the change.
    void client.cancelQueries({ queryKey: promises.queryKey });
    void client.prefetchQuery({ ...promises, staleTime: 0 });
  };
  const grownOld = setInterval(load, MAX_AGE_MS);
  let timer: ReturnType<typeof setTimeout> | null = null;
  const ask = () => {
    timer ??= setTimeout(() => {
      timer = null;
      load();
    }, MIN_INTERVAL_MS);
  };
  const stops = [onSocketMessage('RO_MODIFIED', ask), onSocketMessage('CLOCK_CHANGED', ask)];
  return () => {
    for (const stop of stops) stop();
    clearInterval(grownOld);
    if (timer !== null) clearTimeout(timer);
  };
}
