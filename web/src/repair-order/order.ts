// A repair order as it is displayed: the server's rows (one per technician) merged into one, by the display rules.
import type { Priority, Row } from '../api/repair-orders.ts';
import type { Hold } from '../api/stages.ts';
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
  /** The id of the stage it is in; null in a shop without stages. */
  stage: string | null;
  /** Since when it is in that stage; null where that is not known. */
  stageSince: number | null;
  /** What it waits for. */
  holds: readonly Hold[];
}

const NO_HOLDS: readonly Hold[] = [];

/** The rows of one order, merged. There is at least one. A page opens with thousands of orders, nearly all of one row. */
export function toRepairOrder(rows: readonly [Row, ...Row[]]): RepairOrder {
  const [row] = rows;
  const regular = new Map<string, string>();
  const etl = new Map<string, string>();
  const technicians = new Map<number, string>();
  const etlIds = new Set<number>();
  for (const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName } of rows) {
    addName(regular, regularIdTechnician, regularTechFullName);
    addName(etl, ETLIdTechnician, ETLTechFullName);
    if (regularIdTechnician != null)
      technicians.set(regularIdTechnician, regularTechFullName?.trim() || `#${regularIdTechnician}`);
    if (ETLIdTechnician != null) etlIds.add(ETLIdTechnician);
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
    allRegularTechs: [...regular.values()].join(', '),
    technicians: Array.from(technicians, ([id, name]) => ({ id, name })),
    etlIds: [...etlIds],
    hasEtlTech: etl.size > 0,
    etlTechnician: firstAndMore(etl),
    allEtlTechs: [...etl.values()].join(', '),
    advisor: row.advisor,
    openTime,
    eta: openTime + ETA_AFTER_MS,
    promised: row.promisedDateTime == null ? null : Date.parse(row.promisedDateTime),
    priority: row.priorityName,
    jobs: row.jobs.map(toDisplayedJob).sort((a, b) => a.jobNumber - b.jobNumber),
    stage: row.stage ?? null,
    stageSince: row.stageSince == null ? null : Date.parse(row.stageSince),
    holds: row.holds ?? NO_HOLDS,
  };
}

export function toDisplayedJob({ jobNumber, concern, operations }: Row['jobs'][number]): DisplayedJob {
  const [first] = operations;
  const trimmed = concern.trim();
  return {
    jobNumber,
    opcode: first?.operationCode?.trim() ?? '',
    description: first?.operationDesciption?.trim() || trimmed,
    concern: trimmed,
    soldHours: soldHours(operations),
  };
}

type Names = Map<string, string>;

/** The last name of each technician counts. */
function addName(to: Names, id: number | null | undefined, name: string | null | undefined): void {
  const shown = name?.trim() ?? '';
  // A technician without a name still counts as assigned.
  if (id != null) to.set(String(id), shown || `#${id}`);
  else if (shown !== '') to.set(shown, shown);
}

/** 'Bo Li' and '(+1)' of 'Bo Li (+1)'. */
export function firstAndCount(technicians: string): { first: string; more: string } {
  const [, first = technicians, more = ''] = /^(.*) (\(\+\d+\))$/.exec(technicians) ?? [];
  return { first, more };
}

function firstAndMore(names: Names): string {
  const [first] = names.values();
  if (first === undefined) return '';
  return names.size === 1 ? first : `${first} (+${names.size - 1})`;
}
