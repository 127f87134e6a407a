import type { MachineStatus } from '../api/machine-status.ts';

/** A server that is well. */
export const RUNNING_SERVER: MachineStatus['server'] = {
  address: 'http://dispatch-1:8080',
  version: '0.1.0',
  startedAt: '2026-03-02T16:20:00Z',
  database: { kind: 'sqlite', bytes: 159_400_000, checkedAt: '2026-03-02T16:21:00Z', damage: null },
  screens: { desks: 3, technicians: 12, boards: 2 },
};
