// What is read of a query's data, for data that is large and often replaced. Not by `useQuery`: its observer keeps the state
// that the query had when the observer was made, for as long as it lives.
import { hashKey, notifyManager, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';

/** Undefined while there is no data. Renders again when `read` returns another value; it is called often. */
export function useQueryData<Data, Value>(
  queryKey: QueryKey,
  read: (data: Data) => Value,
): Value | undefined {
  const client = useQueryClient();
  const hash = hashKey(queryKey);
  const subscribe = useCallback(
    (changed: () => void) => {
      const later = notifyManager.batchCalls(changed);
      return client.getQueryCache().subscribe(({ query }) => {
        if (query.queryHash === hash) later();
      });
    },
    [client, hash],
  );
  return useSyncExternalStore(subscribe, () => {
    const data = client.getQueryCache().get<Data>(hash)?.state.data;
    return data === undefined ? undefined : read(data);
  });
}
