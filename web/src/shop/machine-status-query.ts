import { queryOptions } from '@tanstack/react-query';
import { fetchMachineStatus, type MachineStatus } from '../api/machine-status.ts';

/** The server measures once a minute; while something is wrong the page refetches as often. */
const WRONG_REFETCH_INTERVAL_MS = 60_000;
/** What the configuration lacks shows with time, as requests come. */
const REFETCH_INTERVAL_MS = 15 * 60_000;

/** One call for all banners about the machine. */
export const machineStatus = queryOptions({
  queryKey: ['machine-status'],
  queryFn: ({ signal }) => fetchMachineStatus(signal),
  refetchInterval: ({ state }) =>
    state.data !== undefined && isWrong(state.data) ? WRONG_REFETCH_INTERVAL_MS : REFETCH_INTERVAL_MS,
});

function isWrong({ server, disk, backups }: MachineStatus): boolean {
  const { damage = null, lostFile = null } = server.database;
  const isDatabaseWrong = damage !== null || lostFile !== null;
  return isDatabaseWrong || disk.some(({ low }) => low) || (backups?.failure ?? null) !== null;
}
