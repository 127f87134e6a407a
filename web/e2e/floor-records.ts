// What needs a hand by the server's data, computed apart from the page.
import { dueness } from '../src/rules/dueness.ts';
import { HOUR_MS, MINUTE_MS } from './clock-records.ts';
import type { Api, ApiRow } from './server-api.ts';

interface FloorRow extends ApiRow {
  createDateTime: string;
  promisedDateTime: string | null;
}

interface FloorReceipt {
  roNumber: number;
  technicianId: number;
  portalEnabled: boolean;
  assignedAt: string;
  acceptedAt: string | null;
  handedBackAt: string | null;
}

export interface FloorTechnician {
  technicianId: number;
  fullName: string;
  clock: {
    state: 'off' | 'idle' | 'on-job';
    since: string | null;
    forgotten: boolean;
    roNumber: number | null;
  };
  counts: { total: number };
}

export function floorTechnicians(owner: Api): Promise<FloorTechnician[]> {
  return owner.get('/api/repair-orders/technician-assignments?rows=false');
}

/** The beginning of each line, in no order. */
export async function floorAttention(owner: Api): Promise<string[]> {
  const [rows, { receipts }, technicians] = await Promise.all([
    owner.get<FloorRow[]>('/api/repair-orders'),
    owner.get<{ receipts: FloorReceipt[] }>('/api/assignments'),
    floorTechnicians(owner),
  ]);
  const numbers = [...new Set(rows.map(({ repairOrderNumber }) => repairOrderNumber))];
  const ofOrders = numbers.flatMap((number) =>
    ofOneOrder(
      rows.filter(({ repairOrderNumber }) => repairOrderNumber === number),
      receipts,
    ),
  );
  const ofTechnicians = technicians.flatMap(({ fullName, clock: { state, since, forgotten } }) => {
    if (forgotten) return [`${fullName} may have forgotten the clock`];
    const isIdle = state === 'idle' && since !== null && Date.now() - Date.parse(since) >= 10 * MINUTE_MS;
    return isIdle ? [`${fullName} free since`] : [];
  });
  return [...ofOrders, ...ofTechnicians];
}

function ofOneOrder(rows: readonly FloorRow[], all: readonly FloorReceipt[]): string[] {
  const [row] = rows;
  if (row === undefined) return [];
  const number = row.displayNumber ?? String(row.repairOrderNumber);
  const receipts = all.filter(({ roNumber }) => roNumber === row.repairOrderNumber);
  const regular = rows.map(({ regularIdTechnician }) => regularIdTechnician).filter((id) => id !== null);
  if (regular.length === 0 && rows.every(({ ETLIdTechnician }) => ETLIdTechnician === null)) {
    if (receipts.some(({ handedBackAt }) => handedBackAt !== null)) return [`${number} handed back`];
    const promised = Date.parse(row.promisedDateTime ?? '');
    const { kind } = dueness(promised || Date.parse(row.createDateTime) + 3 * HOUR_MS, Date.now());
    if (kind === 'later') return [];
    const words = promised
      ? { soon: 'promised', overdue: 'overdue since' }
      : { soon: 'ETA', overdue: 'no promise' };
    return [`${number} No technician · ${words[kind]}`];
  }
  const isLate = ({ technicianId, portalEnabled, acceptedAt, handedBackAt, assignedAt }: FloorReceipt) =>
    portalEnabled &&
    regular.includes(technicianId) &&
    acceptedAt === null &&
    handedBackAt === null &&
    Date.now() - Date.parse(assignedAt) >= 3 * MINUTE_MS;
  return receipts.some(isLate) ? [`${number} not accepted`] : [];
}
