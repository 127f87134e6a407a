// The clock corrections that technicians propose, for those who decide.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchProposedEntries, type ProposedEntry } from '../api/clock.ts';
import { onSocketMessage } from '../api/socket.ts';

const KEY = ['clock-proposals'];
const none: readonly ProposedEntry[] = [];

/** Clocks change all the time in a busy shop: the list is loaded again this long (ms) after one did. */
const RELOAD_DELAY_MS = 2_000;

/** Empty until they are loaded. */
export function useProposedEntries(): readonly ProposedEntry[] {
  const client = useQueryClient();
  const { data = none } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchProposedEntries(signal),
    staleTime: RELOAD_DELAY_MS,
  });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const stop = onSocketMessage('CLOCK_CHANGED', () => {
      timer ??= setTimeout(() => {
        timer = null;
        void client.invalidateQueries({ queryKey: KEY });
      }, RELOAD_DELAY_MS);
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [client]);
  return data;
}
