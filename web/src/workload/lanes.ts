// The cars of each technician in the order in which they are worked: the one that the clock runs on, then by urgency.
// Pure.
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { byUrgency } from '../repair-order/working-order.ts';
import { dueness } from '../rules/dueness.ts';

export interface Car {
  shown: OpenOrder;
  /** `now`: the technician's clock runs on it. */
  place: 'now' | 'next' | null;
  /** Only the dealer system assigns it to the technician, so that the desk cannot take it away. */
  isEtl: boolean;
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

/** `running`: the order that the technician's clock runs on. */
export function carsOf(technician: number, orders: readonly OpenOrder[], running: number | null): Car[] {
  const isRunning = ({ order }: OpenOrder) => order.key === running;
  const rest = orders.filter((one) => !isRunning(one));
  return [...orders.filter(isRunning), ...rest].map((shown) => ({
    shown,
    place: isRunning(shown) ? 'now' : shown === rest[0] ? 'next' : null,
    isEtl: !shown.order.technicians.some(({ id }) => id === technician),
  }));
}

export interface LaneFacts {
  /** Promised, and past. An order without a promise is never late. */
  late: number;
  /** The nearest promise that can still be kept (ms); null: there is none. */
  nextPromise: number | null;
}

export function factsOf(cars: readonly Car[], now: number): LaneFacts {
  const promises = cars.flatMap(({ shown: { order } }) => order.promised ?? []);
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
