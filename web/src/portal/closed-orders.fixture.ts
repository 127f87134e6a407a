// A technician's closed orders for tests, as the server sends them.
import type { ClosedOrder } from '../api/technicians.ts';

export function closedOrder(repairOrderNumber: number, changes: Partial<ClosedOrder> = {}): ClosedOrder {
  return {
    repairOrderNumber,
    closedDateTime: '2026-03-02T14:00:00.000Z',
    vehicle: '2021 Honda Accord EX',
    vehicleVIN: '1HGCM82633A004352',
    customer: 'SMITH,JO',
    jobs: [],
    ...changes,
  };
}

export function closedJob(
  jobNumber: number,
  changes: Partial<ClosedOrder['jobs'][number]> = {},
): ClosedOrder['jobs'][number] {
  return { jobNumber, opcode: 'LOF', concern: '', workedOn: true, hasStory: true, ...changes };
}
