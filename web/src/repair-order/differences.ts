// The differences of an order between two moments, in display texts.
import type { TFunction } from 'i18next';
import { holdText } from './hold-text.ts';
import type { RepairOrder } from './order.ts';

const comparedFields = [
  'status',
  'priority',
  'technicians',
  'advisor',
  'customer',
  'vehicle',
  'promised',
  'stage',
  'holds',
  'jobs',
] as const;
export type ComparedField = (typeof comparedFields)[number];

export interface Difference {
  field: ComparedField;
  from: string;
  to: string;
}

/** How times and stages are written on the screen. */
interface DifferenceWords {
  /** The start of the present minute (ms). */
  now: number;
  short(at: number): string;
  stageName(id: string): string;
}

export function differences(
  before: RepairOrder,
  after: RepairOrder,
  t: TFunction,
  words: DifferenceWords,
  fields: readonly ComparedField[] = comparedFields,
): Difference[] {
  const formatters: Record<ComparedField, (order: RepairOrder) => string> = {
    status: (order) => t(`status.${order.status}`),
    priority: (order) => t(`priority.${order.priority}`),
    technicians: (order) => order.allRegularTechs || t('order.unassigned'),
    advisor: (order) => order.advisor,
    customer: (order) => order.customer,
    vehicle: (order) => order.vehicle,
    promised: (order) => (order.promised === null ? '–' : words.short(order.promised)),
    stage: ({ stage }) => (stage === null ? '–' : words.stageName(stage)),
    holds: ({ holds }) =>
      holds.map((hold) => [holdText(hold, t, words), hold.note].filter(Boolean).join(': ')).join('; ') || '–',
    jobs: (order) =>
      order.jobs.map((job) => job.opcode || t('order.noOpcode')).join(', ') || t('order.noJobs'),
  };
  return fields
    .map((field) => ({ field, from: formatters[field](before), to: formatters[field](after) }))
    .filter(({ from, to }) => from !== to);
}
