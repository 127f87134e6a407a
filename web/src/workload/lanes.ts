// The cars of each technician in the order in which they are worked: the one that the clock runs on, then by urgency,
// then those on which nothing is left to do. Pure.
import type { Workload } from '../api/technicians.ts';
import type { DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { byUrgency } from '../repair-order/working-order.ts';
import { dueness } from '../rules/dueness.ts';

export interface Car {
  shown: OpenOrder;
  /** `now`: the technician's clock runs on it. `done`: all its jobs are finished. */
  place: 'now' | 'next' | 'done' | null;
  /** Only the dealer system assigns it to the technician, so that the desk cannot take it away. */
  isEtl: boolean;
  /** Those that nobody has finished. */
  jobsLeft: readonly DisplayedJob[];
}

/** Of every technician, for the desk or for the dealer system; grouped once for all rows. */
export function ordersByTechnician(open: Iterable<OpenOrder>): Map<number, OpenOrder[]> {
  const lanes = new Map<number, OpenOrder[]>();
  for (const shown of [...open].sort((a, b) => byUrgency(a.order, b.order))) {
    const { technicians, etlIds } = shown.order;
    for (const technician of new Set([...technicians.map(({ id }) => id), ...etlIds])) {
      const lane = lanes.get(technician);
      if (lane === undefined) lanes.set(technician, [shown]);
      else lane.push(shown);
    }
  }
  return lanes;
}

type LaneOwner = Pick<Workload, 'technicianId' | 'clock' | 'finishedJobs'>;

/** `orders` of the technician, as they are to be worked. */
export function carsOf(
  { technicianId, clock, finishedJobs }: LaneOwner,
  orders: readonly OpenOrder[],
): Car[] {
  const all = orders.map((shown): Car => {
    const { order } = shown;
    const left = jobsLeft(order, finishedJobs);
    const isRunning = order.key === clock.roNumber;
    const isDone = order.jobs.length > 0 && left.length === 0;
    return {
      shown,
      place: isRunning ? 'now' : isDone ? 'done' : null,
      isEtl: !order.technicians.some(({ id }) => id === technicianId),
      jobsLeft: left,
    };
  });
  const at = (place: Car['place']) => all.filter((car) => car.place === place);
  const [next, ...later] = at(null);
  return [
    ...at('now'),
    ...(next === undefined ? [] : [{ ...next, place: 'next' as const }]),
    ...later,
    ...at('done'),
  ];
}

export function jobsLeft(order: RepairOrder, finished: Workload['finishedJobs']): readonly DisplayedJob[] {
  const done = new Set(finished.filter(({ roNumber }) => roNumber === order.key).map((job) => job.jobNumber));
  return order.jobs.filter(({ jobNumber }) => !done.has(jobNumber));
}

export interface LaneFacts {
  /** Promised, and past, with work left. An order without a promise is never late. */
  late: number;
  /** The nearest promise that can still be kept (ms); null: there is none. */
  nextPromise: number | null;
}

export function factsOf(cars: readonly Car[], now: number): LaneFacts {
  const promises = cars.flatMap(({ shown, place }) => (place === 'done' ? [] : (shown.order.promised ?? [])));
  const kept = promises.filter((at) => dueness(at, now).kind !== 'overdue');
  return {
    late: promises.length - kept.length,
    nextPromise: kept.length === 0 ? null : Math.min(...kept),
  };
}

/** Without the model year, which a chip has no room for. */
export function shortVehicle(vehicle: string): string {
  return vehicle.replace(/^(?:19|20)\d\d\s+(?=\S)/, '');
}
