// The figures of the summary cards: loaded when the desk opens, each minute, and soon after an order is closed or
// reopened. Known figures stay on screen meanwhile, and when a load fails.
import { hashKey, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Figures, fetchFigures } from '../api/repair-orders.ts';
import { openOrders } from '../repair-order/live-orders.ts';

const LOAD_INTERVAL_MS = 60_000;
/** The server counts at most this often, so an answer may be this old. */
export const MIN_INTERVAL_MS = 5_000;

const figures = queryOptions({
  queryKey: ['figures'],
  queryFn: ({ signal }) => fetchFigures(signal),
  refetchInterval: LOAD_INTERVAL_MS,
});

/** Null until they are loaded. */
export function useFigures(): Figures | null {
  const client = useQueryClient();
  const { data } = useQuery(figures);
  useEffect(() => followClosings(client), [client]);
  return data ?? null;
}

/** Loads again when orders leave or enter the cache. Returns a function that stops it. */
function followClosings(client: QueryClient): () => void {
  const hash = hashKey(openOrders.queryKey);
  const load = createPacedLoader(
    () => void client.refetchQueries({ queryKey: figures.queryKey, exact: true }),
  );
  let identity = listIdentity(client);
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryHash !== hash) return;
    const before = identity;
    identity = listIdentity(client);
    // The first list does not count as a change.
    if (before !== null && identity !== before) load.forNews();
  });
  return () => {
    unsubscribe();
    load.stop();
  };
}

/**
 * A value that changes when an order is closed or reopened, and at each list load, after which anything may have
 * changed.
 */
function listIdentity(client: QueryClient): string | null {
  const cache = client.getQueryData(openOrders.queryKey);
  return cache === undefined || cache.listSeq < 0 ? null : `${cache.open.size} ${cache.listSeq}`;
}

/**
 * Loads at once or when the interval allows, and then once more: the first answer may have been counted before the
 * change.
 */
function createPacedLoader(load: () => void): { forNews(): void; stop(): void } {
  let pendingLoads = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const next = () => {
    pause = undefined;
    if (pendingLoads === 0) return;
    pendingLoads--;
    pause = setTimeout(next, MIN_INTERVAL_MS);
    load();
  };
  return {
    forNews: () => {
      pendingLoads = 2;
      if (pause === undefined) next();
    },
    stop: () => clearTimeout(pause),
  };
}
