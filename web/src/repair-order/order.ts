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

/** The rows of one order, merged. There is at least one. */
export function toRepairOrder(rows: readonly [Row, ...Row[]]): RepairOrder {
  return new MergedRows(rows);
}

/** All that there is of an order, as what is stored needs it: a copy has nothing that is read when it is asked for. */
export function plainOrder(order: RepairOrder): RepairOrder {
  const { key, roNumber, vin, tagNumber, vehicle, customer, advisor, status, priority, jobs } = order;
  const { technician, allRegularTechs, technicians, etlIds, hasEtlTech, etlTechnician, allEtlTechs } = order;
  const { openTime, eta, promised, stage, stageSince, holds } = order;
  return {
    ...{ key, roNumber, vin, tagNumber, vehicle, customer, advisor, status, priority, jobs },
    ...{ technician, allRegularTechs, technicians, etlIds, hasEtlTech, etlTechnician, allEtlTechs },
    ...{ openTime, eta, promised, stage, stageSince, holds },
  };
}

/** The same order, but for these fields. A copy would lack what is read when it is asked for. */
export function withFields(order: RepairOrder, fields: Partial<RepairOrder>): RepairOrder {
  return Object.create(order, Object.getOwnPropertyDescriptors(fields));
}

/**
 * A page opens with thousands of orders and shows a screenful of them. What no list is sorted or counted by is read when
 * it is first asked for.
 */
class MergedRows implements RepairOrder {
  readonly key: number;
  readonly roNumber: string;
  readonly vin: string;
  readonly tagNumber: string;
  readonly vehicle: string;
  readonly status: DisplayedStatus;
  readonly technicians: readonly AssignedTechnician[];
  readonly technician: string;
  readonly etlIds: readonly number[];
  readonly hasEtlTech: boolean;
  readonly advisor: string;
  readonly openTime: number;
  readonly eta: number;
  readonly promised: number | null;
  readonly priority: Priority;
  readonly stage: string | null;
  readonly stageSince: number | null;
  readonly holds: readonly Hold[];
  private readonly regular: readonly Name[];
  private readonly etl: readonly Name[];
  private readonly rowCustomer: string;
  /** Until they are asked for. */
  private rowJobs: Row['jobs'];
  private shownCustomer: string | null = null;
  private shownJobs: DisplayedJob[] | null = null;

  constructor(rows: readonly [Row, ...Row[]]) {
    const [row] = rows;
    const regular: Name[] = [];
    const etl: Name[] = [];
    for (const { regularIdTechnician, regularTechFullName, ETLIdTechnician, ETLTechFullName } of rows) {
      addName(regular, regularIdTechnician, regularTechFullName);
      addName(etl, ETLIdTechnician, ETLTechFullName);
    }
    this.key = row.repairOrderNumber;
    this.roNumber = row.displayNumber ?? String(row.repairOrderNumber);
    this.vin = row.vehicleVIN;
    this.tagNumber = row.tagNumber ?? '';
    this.vehicle = row.vehicle;
    this.status = displayedStatus(row);
    this.technicians = regular.filter(hasId);
    this.technician = firstAndMore(regular);
    this.etlIds = etl.filter(hasId).map(({ id }) => id);
    this.hasEtlTech = etl.length > 0;
    this.advisor = row.advisor;
    this.openTime = Date.parse(row.createDateTime);
    this.eta = this.openTime + ETA_AFTER_MS;
    this.promised = row.promisedDateTime == null ? null : Date.parse(row.promisedDateTime);
    this.priority = row.priorityName;
    this.stage = row.stage ?? null;
    this.stageSince = row.stageSince == null ? null : Date.parse(row.stageSince);
    this.holds = row.holds ?? NO_HOLDS;
    this.regular = regular;
    this.etl = etl;
    this.rowCustomer = row.customer;
    this.rowJobs = row.jobs;
  }

  get customer(): string {
    this.shownCustomer ??= toNameCase(this.rowCustomer);
    return this.shownCustomer;
  }

  get jobs(): DisplayedJob[] {
    if (this.shownJobs === null) {
      this.shownJobs = inOrder(this.rowJobs.map(toDisplayedJob));
      this.rowJobs = [];
    }
    return this.shownJobs;
  }

  get allRegularTechs(): string {
    return allOf(this.regular);
  }

  get etlTechnician(): string {
    return firstAndMore(this.etl);
  }

  get allEtlTechs(): string {
    return allOf(this.etl);
  }
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
