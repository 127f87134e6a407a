// The differences of an order between two moments, in display texts.
import type { TFunction } from 'i18next';
import type { RepairOrder } from './order.ts';

const comparedFields = [
  'status',
  'priority',
  'technicians',
  'advisor',
  'customer',
  'vehicle',
  'promised',
  'jobs',
] as const;
type ComparedField = (typeof comparedFields)[number];

export interface Difference {
  field: ComparedField;
  from: string;
  to: string;
}

/** `time`: formats a time for the screen. */
export function differences(
  before: RepairOrder,
  after: RepairOrder,
  t: TFunction,
  time: (at: number) => string,
): Difference[] {
  const formatters: Record<ComparedField, (order: RepairOrder) => string> = {
    status: (order) => t(`status.${order.status}`),
    priority: (order) => t(`priority.${order.priority}`),
    technicians: (order) => order.allRegularTechs || t('order.unassigned'),
    advisor: (order) => order.advisor,
    customer: (order) => order.customer,
    vehicle: (order) => order.vehicle,
    promised: (order) => (order.promised === null ? '–' : time(order.promised)),
    jobs: (order) =>
      order.jobs.map((job) => job.opcode || t('order.noOpcode')).join(', ') || t('order.noJobs'),
  };
  return comparedFields
    .map((field) => ({ field, from: formatters[field](before), to: formatters[field](after) }))
    .filter(({ from, to }) => from !== to);
}
