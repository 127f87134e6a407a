// A repair order as it is displayed: the server's rows (one per technician) merged into one, by the display rules.
import type { Priority, Row } from '../api/repair-orders.ts';
import { displayedStatus } from '../rules/displayed-status.ts';
import { toNameCase } from '../rules/name-case.ts';
import { soldHours } from './sold-hours.ts';
import type { DisplayedStatus } from './statuses.ts';

/** An order is expected to be done this long after it was opened. */
export const ETA_AFTER_MS = 10_800_000;

export interface AssignedTechnician {
  id: number;
  name: string;
}

export interface DisplayedJob {
  jobNumber: number;
  /** Empty: there is no opcode, and the screen says so. */
  opcode: string;
  description: string;
  concern: string;
  /** Null: not known. */
  soldHours: number | null;
}

export interface RepairOrder {
  /** The key, and what messages carry. */
  key: number;
  /** The displayed number: the dealer system's text where that differs. */
  roNumber: string;
  vin: string;
  /** The number of the hat or key tag, by which the car is found on the lot; empty where it has none. */
  tagNumber: string;
  vehicle: string;
  customer: string;
  status: DisplayedStatus;
  /** First technician's name plus '(+n)' for the others; empty when unassigned. */
  technician: string;
  allRegularTechs: string;
  /** The technicians assigned by the desk, in order of assignment; the desk can unassign them. */
  technicians: readonly AssignedTechnician[];
  /** The technicians assigned by the dealer system. */
  etlIds: readonly number[];
  hasEtlTech: boolean;
  /** As `technician`; the screen puts 'T_tech:' before it. */
  etlTechnician: string;
  allEtlTechs: string;
  advisor: string;
  openTime: number;
  eta: number;
  promised: number | null;
  priority: Priority;
  jobs: DisplayedJob[];
}

/** The rows of one order, merged. There is at least one. */
export function toRepairOrder(rows: readonly [Row, ...Row[]]): RepairOrder {
  const [row] = rows;
  const regular = names(rows.map((r) => [r.regularIdTechnician ?? null, r.regularTechFullName ?? '']));
  const etl = names(rows.map((r) => [r.ETLIdTechnician ?? null, r.ETLTechFullName ?? '']));
  const technicians = new Map<number, string>();
  for (const { regularIdTechnician: id, regularTechFullName: name } of rows) {
    if (id != null) technicians.set(id, name?.trim() || `#${id}`);
  }
  const openTime = Date.parse(row.createDateTime);
  return {
    key: row.repairOrderNumber,
    roNumber: row.displayNumber ?? String(row.repairOrderNumber),
    vin: row.vehicleVIN,
    tagNumber: row.tagNumber ?? '',
    vehicle: row.vehicle,
    customer: toNameCase(row.customer),
    status: displayedStatus(row),
    technician: firstAndMore(regular),
    allRegularTechs: regular.join(', '),
    technicians: [...technicians].map(([id, name]) => ({ id, name })),
    etlIds: [...new Set(rows.flatMap(({ ETLIdTechnician: id }) => (id == null ? [] : [id])))],
    hasEtlTech: etl.length > 0,
    etlTechnician: firstAndMore(etl),
    allEtlTechs: etl.join(', '),
    advisor: row.advisor,
    openTime,
    eta: openTime + ETA_AFTER_MS,
    promised: row.promisedDateTime == null ? null : Date.parse(row.promisedDateTime),
    priority: row.priorityName,
    jobs: row.jobs
      .map((job) => ({
        jobNumber: job.jobNumber,
        opcode: job.operations[0]?.operationCode?.trim() ?? '',
        description: job.operations[0]?.operationDesciption?.trim() || job.concern.trim(),
        concern: job.concern.trim(),
        soldHours: soldHours(job.operations),
      }))
      .sort((a, b) => a.jobNumber - b.jobNumber),
  };
}

function names(pairs: (readonly [number | null, string])[]): string[] {
  const byTechnician = new Map<string, string>();
  for (const [id, name] of pairs) {
    const shown = name.trim();
    // A technician without a name still counts as assigned.
    if (shown !== '' || id !== null) byTechnician.set(id === null ? shown : String(id), shown || `#${id}`);
  }
  return [...byTechnician.values()];
}

/** 'Bo Li' and '(+1)' of 'Bo Li (+1)'. */
export function firstAndCount(technicians: string): { first: string; more: string } {
  const [, first = technicians, more = ''] = /^(.*) (\(\+\d+\))$/.exec(technicians) ?? [];
  return { first, more };
}

function firstAndMore(all: string[]): string {
  const [first, ...more] = all;
  if (first === undefined) return '';
  return more.length === 0 ? first : `${first} (+${more.length})`;
}
