// The list as a file for a spreadsheet.
import type { TFunction } from 'i18next';
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { csvText } from '../ui/csv.ts';
import type { Tab } from './categories.ts';
import type { ColumnId } from './column-layout.ts';

type Field = keyof typeof fieldOf;
interface CsvContext {
  t: TFunction;
  timeZone: string;
  /** What a stage is called. */
  stageName(id: string): string;
}

const fieldOf = {
  roNumber: (order: RepairOrder) => order.roNumber,
  tagNumber: (order: RepairOrder) => order.tagNumber,
  customer: (order: RepairOrder) => order.customer,
  vehicle: (order: RepairOrder) => order.vehicle,
  vin: (order: RepairOrder) => order.vin,
  status: (order: RepairOrder, { t }: CsvContext) => t(`status.${order.status}`),
  priority: (order: RepairOrder, { t }: CsvContext) => t(`priority.${order.priority}`),
  stage: (order: RepairOrder, { stageName }: CsvContext) =>
    order.stage === null ? '' : stageName(order.stage),
  stageSince: (order: RepairOrder, { timeZone }: CsvContext) =>
    order.stageSince === null ? '' : isoTime(order.stageSince, timeZone),
  holds: (order: RepairOrder, { t }: CsvContext) =>
    order.holds.map(({ reason }) => t(`stages.reason.${reason}`)).join('; '),
  technicians: (order: RepairOrder) => order.allRegularTechs,
  etlTechnicians: (order: RepairOrder) => order.allEtlTechs,
  advisor: (order: RepairOrder) => order.advisor,
  jobs: (order: RepairOrder, { t }: CsvContext) =>
    order.jobs
      .map((job) => `${job.jobNumber}. ${job.opcode || t('order.noOpcode')} ${job.description}`.trim())
      .join('; '),
  opened: (order: RepairOrder, { timeZone }: CsvContext) => isoTime(order.openTime, timeZone),
  due: (order: RepairOrder, { timeZone }: CsvContext) => isoTime(dueAt(order), timeZone),
  promised: (order: RepairOrder, { timeZone }: CsvContext) =>
    order.promised === null ? '' : isoTime(order.promised, timeZone),
};

const fieldsOf: Record<ColumnId, readonly Field[]> = {
  details: ['roNumber', 'tagNumber', 'customer'],
  vehicle: ['vehicle', 'vin'],
  status: ['status'],
  priority: ['priority'],
  stage: ['stage', 'stageSince', 'holds'],
  assignment: ['technicians', 'etlTechnicians', 'advisor'],
  jobs: ['jobs'],
  timeline: ['opened', 'due', 'promised'],
};

export function toCsv(
  orders: readonly RepairOrder[],
  columns: readonly ColumnId[],
  t: TFunction,
  timeZone: string,
  stageName: CsvContext['stageName'] = (id) => id,
): string {
  const fields = columns.flatMap((column) => fieldsOf[column]);
  const lines = [
    fields.map((field) => t(`field.${field}`)),
    ...orders.map((order) => fields.map((field) => fieldOf[field](order, { t, timeZone, stageName }))),
  ];
  return csvText(lines);
}

/** The day is the shop's. */
export function fileName(tab: Tab, now: number, timeZone: string): string {
  return `repair-orders-${tab}-${isoTime(now, timeZone).slice(0, 10)}.csv`;
}

/** '2026-03-02T08:00:00-06:00': the shop's time, with its distance from UTC at that time of the year. */
export function isoTime(at: number, timeZone: string): string {
  const parts = formatter(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  const offset = part('timeZoneName').replace('GMT', '') || 'Z';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}${offset}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  let found = formatters.get(timeZone);
  if (found === undefined) {
    found = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'longOffset',
    });
    formatters.set(timeZone, found);
  }
  return found;
}
