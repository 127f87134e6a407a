// The figures of the summary cards: loaded when the desk opens, each minute, and soon after something was closed or
// reopened. What is known stays on screen meanwhile, and when a load fails.
import { hashKey, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Figures, fetchFigures } from '../api/repair-orders.ts';
import { openOrders } from '../repair-order/live-orders.ts';

const LOAD_INTERVAL_MS = 60_000;
/** The server counts no oftener than this, so an answer may be as old. */
export const MIN_INTERVAL_MS = 5_000;

const figures = queryOptions({
  queryKey: ['figures'],
  queryFn: ({ signal }) => fetchFigures(signal),
  refetchInterval: LOAD_INTERVAL_MS,
});

/** Null until they are known. */
export function useFigures(): Figures | null {
  const client = useQueryClient();
  const { data } = useQuery(figures);
  useEffect(() => followClosings(client), [client]);
  return data ?? null;
}

/** Loads again when orders leave the picture or come into it, until it is told to stop. */
function followClosings(client: QueryClient): () => void {
  const hash = hashKey(openOrders.queryKey);
  const load = createPacedLoader(
    () => void client.refetchQueries({ queryKey: figures.queryKey, exact: true }),
  );
  let seen = listIdentity(client);
  const unsubscribe = client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.query.queryHash !== hash) return;
    const before = seen;
    seen = listIdentity(client);
    // The first list is no news.
    if (before !== null && seen !== before) load.forNews();
  });
  return () => {
    unsubscribe();
    load.stop();
  };
}

/** What changes when an order is closed or reopened; when a list was loaded again anything may have been. */
function listIdentity(client: QueryClient): string | null {
  const cache = client.getQueryData(openOrders.queryKey);
  return cache === undefined || cache.listSeq < 0 ? null : `${cache.open.size} ${cache.listSeq}`;
}

/** At once or when it may again, and then once more: the first answer may have been counted before the news. */
function createPacedLoader(load: () => void): { forNews(): void; stop(): void } {
  let owed = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const next = () => {
    pause = undefined;
    if (owed === 0) return;
    owed--;
    pause = setTimeout(next, MIN_INTERVAL_MS);
    load();
  };
  return {
    forNews: () => {
      owed = 2;
      if (pause === undefined) next();
    },
    stop: () => clearTimeout(pause),
  };
}
