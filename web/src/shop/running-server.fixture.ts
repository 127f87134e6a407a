import type { MachineStatus } from '../api/machine-status.ts';

/** A server that is well. */
export const RUNNING_SERVER: MachineStatus['server'] = {
  startedAt: '2026-03-02T16:20:00Z',
  database: { kind: 'sqlite', bytes: 159_400_000, checkedAt: '2026-03-02T16:21:00Z', damage: null },
  screens: { desks: 3, technicians: 12, boards: 2 },
};
