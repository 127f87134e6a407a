// Rows for tests, as the server sends them.
import type { Row } from '../api/repair-orders.ts';

export function row(roNumber: number, changes: Partial<Row> = {}): Row {
  return {
    repairOrderNumber: roNumber,
    vehicleVIN: '1HGCM82633A004352',
    vehicle: '2021 Honda Accord EX',
    customer: 'SMITH,JO',
    advisor: 'Dana Whitfield',
    createDateTime: '2026-03-02T14:00:00Z',
    promisedDateTime: null,
    priorityName: 'Low',
    customerStatus: 'Drop',
    appCustomerStatus: null,
    jobs: [],
    regularIdTechnician: null,
    regularTechFullName: null,
    ETLIdTechnician: null,
    ETLTechFullName: null,
    source: 'Regular',
    version: 1,
    ...changes,
  };
}
