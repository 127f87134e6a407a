// The query of every technician's workload, kept current by the live stream: the counts reload when orders,
// technicians, staff or clocks change. A clock message sets its clock at once.
import { type QueryClient, queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { RunningClock } from '../api/clock.ts';
import { onSocketMessage, onStaffChange, type SocketMessages } from '../api/socket.ts';
import { fetchWorkload, type Workload } from '../api/technicians.ts';
import { createBatchedLoad } from './batched-load.ts';

export const workload = queryOptions({
  queryKey: ['technician-assignments'],
  queryFn: ({ signal }) => fetchWorkload(signal),
  // Time passes, too: of the hours that are left today some have gone.
  refetchInterval: 60_000,
});

export function useLiveWorkload(): void {
  const client = useQueryClient();
  useEffect(() => keepLive(client), [client]);
}

function keepLive(client: QueryClient): () => void {
  const { queryKey } = workload;
  const loads = createBatchedLoad(async () => {
    // The very first load is not restarted but awaited: it may have missed the change.
    const isFirst = client.getQueryData(queryKey) === undefined;
    await client.invalidateQueries({ queryKey, exact: true });
    if (isFirst && client.getQueryData(queryKey) !== undefined) loads.ask();
  });
  const endings = [
    // Each also at a new connection, since changes during an outage may not be replayed.
    onSocketMessage('RO_MODIFIED', loads.ask),
    onSocketMessage('TECHNICIANS_CHANGED', loads.ask),
    onStaffChange(loads.ask),
    onSocketMessage('CLOCK_CHANGED', (message) => {
      if (message === null) return;
      client.setQueryData(queryKey, (all) => all?.map((one) => withClock(one, message)));
      // It may be about a job that is finished now, which the message does not say.
      loads.ask();
    }),
  ];
  return () => {
    for (const end of endings) end();
    loads.stop();
  };
}

function withClock(
  technician: Workload,
  { technicianId, running }: SocketMessages['CLOCK_CHANGED'],
): Workload {
  return technician.technicianId === technicianId ? { ...technician, clock: clockOf(running) } : technician;
}

function clockOf(running: RunningClock | null): Workload['clock'] {
  if (running === null)
    return { state: 'off', since: null, roNumber: null, jobNumber: null, forgotten: false };
  const { since, roNumber, jobNumber, forgotten } = running;
  return { state: roNumber === null ? 'idle' : 'on-job', since, roNumber, jobNumber, forgotten };
}
