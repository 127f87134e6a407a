// The queries of what files name and nobody here is called.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { fetchNameMatches, fetchUnmatchedNames } from '../api/unmatched-names.ts';

/** An import brings names, and others match them, without a message to the screens. */
const RELOAD_INTERVAL_MS = 30_000;

export const unmatchedNames = queryOptions({
  queryKey: ['unmatched-names'],
  queryFn: ({ signal }) => fetchUnmatchedNames(signal),
  refetchInterval: RELOAD_INTERVAL_MS,
});

export const nameMatches = queryOptions({
  queryKey: ['name-matches'],
  queryFn: ({ signal }) => fetchNameMatches(signal),
  refetchInterval: RELOAD_INTERVAL_MS,
});

export async function reloadNames(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries(unmatchedNames), client.invalidateQueries(nameMatches)]);
}
