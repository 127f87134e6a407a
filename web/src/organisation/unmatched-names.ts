// The queries of what files name and nobody here is called.
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { fetchNameMatches, fetchUnmatchedNames } from '../api/unmatched-names.ts';

export const unmatchedNames = queryOptions({
  queryKey: ['unmatched-names'],
  queryFn: ({ signal }) => fetchUnmatchedNames(signal),
});

export const nameMatches = queryOptions({
  queryKey: ['name-matches'],
  queryFn: ({ signal }) => fetchNameMatches(signal),
});

export async function reloadNames(client: QueryClient): Promise<void> {
  await Promise.all([client.invalidateQueries(unmatchedNames), client.invalidateQueries(nameMatches)]);
}
