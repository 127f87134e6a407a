// The orders in the cache, for components.
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useQueryData } from '../ui/query-data.ts';
import { openOrders } from './live-orders.ts';
import type { OrderCache } from './order-cache.ts';

/** Undefined until something of the server's is known. Asks for the list where it is missing. */
export function useOrders(): OrderCache | undefined {
  return useOrdersSelector(all);
}

function all(cache: OrderCache): OrderCache {
  return cache;
}

/** What is read of the orders, as `useOrders`. Renders again when it is another value; `read` is called often. */
export function useOrdersSelector<Value>(read: (cache: OrderCache) => Value): Value | undefined {
  const client = useQueryClient();
  useEffect(() => void client.prefetchQuery(openOrders), [client]);
  return useQueryData(openOrders.queryKey, read);
}

/** Whether the list is being loaded, and what loads it again. A failure is known to `useListFailure`. */
export function useListLoading(): { isLoading: boolean; load(): void } {
  const client = useQueryClient();
  const isLoading = useIsFetching({ queryKey: openOrders.queryKey }) > 0;
  return { isLoading, load: () => void client.prefetchQuery({ ...openOrders, staleTime: 0 }) };
}
