// The clock corrections that technicians propose, for those who decide.
import { useQuery } from '@tanstack/react-query';
import { fetchProposedEntries, type ProposedEntry } from '../api/clock.ts';
import { useReloadAfter } from './reload-after.ts';

const KEY = ['clock-proposals'];
const none: readonly ProposedEntry[] = [];

/** Empty until they are loaded. */
export function useProposedEntries(): readonly ProposedEntry[] {
  const { data = none } = useQuery({ queryKey: KEY, queryFn: ({ signal }) => fetchProposedEntries(signal) });
  useReloadAfter('CLOCK_CHANGED', KEY, () => true);
  return data;
}
