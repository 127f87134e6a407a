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

/** The rows of one order, merged. There is at least one. A page opens with thousands of orders. */
export function toRepairOrder(rows: readonly [Row, ...Row[]]): RepairOrder {
  const [row] = rows;
  const regular: Name[] = [];
  const etl: Name[] = [];
  for (const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName } of rows) {
    addName(regular, regularIdTechnician, regularTechFullName);
    addName(etl, ETLIdTechnician, ETLTechFullName);
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
    allRegularTechs: allOf(regular),
    technicians: regular.filter(hasId),
    etlIds: etl.filter(hasId).map(({ id }) => id),
    hasEtlTech: etl.length > 0,
    etlTechnician: firstAndMore(etl),
    allEtlTechs: allOf(etl),
    advisor: row.advisor,
    openTime,
    eta: openTime + ETA_AFTER_MS,
    promised: row.promisedDateTime == null ? null : Date.parse(row.promisedDateTime),
    priority: row.priorityName,
    jobs: inOrder(row.jobs.map(toDisplayedJob)),
    stage: row.stage ?? null,
    stageSince: row.stageSince == null ? null : Date.parse(row.stageSince),
    holds: row.holds ?? NO_HOLDS,
  };
}

/** As they come, nearly always. */
function inOrder(jobs: DisplayedJob[]): DisplayedJob[] {
  const isInOrder = jobs.every(({ jobNumber }, at) => jobNumber >= (jobs[at - 1]?.jobNumber ?? 0));
  return isInOrder ? jobs : jobs.sort((a, b) => a.jobNumber - b.jobNumber);
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

interface Name {
  /** Null: the dealer system names somebody whom the shop does not have. */
  id: number | null;
  name: string;
}

function hasId(name: Name): name is AssignedTechnician {
  return name.id !== null;
}

/** The last name of each technician counts. */
function addName(to: Name[], id: number | null | undefined, name: string | null | undefined): void {
  const shown = name?.trim() ?? '';
  if (id == null) {
    if (shown !== '' && !to.some((one) => one.id === null && one.name === shown))
      to.push({ id: null, name: shown });
    return;
  }
  const before = to.find((one) => one.id === id);
  // A technician without a name still counts as assigned.
  if (before === undefined) to.push({ id, name: shown || `#${id}` });
  else before.name = shown || `#${id}`;
}

function allOf(names: readonly Name[]): string {
  return names.map(({ name }) => name).join(', ');
}

/** 'Bo Li' and '(+1)' of 'Bo Li (+1)'. */
export function firstAndCount(technicians: string): { first: string; more: string } {
  const [, first = technicians, more = ''] = /^(.*) (\(\+\d+\))$/.exec(technicians) ?? [];
  return { first, more };
}

function firstAndMore(names: readonly Name[]): string {
  const [first] = names;
  if (first === undefined) return '';
  return names.length === 1 ? first.name : `${first.name} (+${names.length - 1})`;
}
