// What the portal lists: the technician's open orders, in the order in which they are worked.
import type { DisplayedStatus, RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import type { ClockControls } from './job-lines.tsx';
import { byUrgency } from './sorting.ts';
import type { PickStatus } from './status-changes.ts';

export interface PortalOrder {
  order: RepairOrder;
  /** When a change of it landed here (ms); 0: not since the page is up. */
  changedAt: number;
  /** The dealer system alone says that it is theirs. */
  isEtl: boolean;
  /** Picked here, and not sent yet. */
  waitingStatus: DisplayedStatus | null;
}

export interface ListProps {
  orders: readonly PortalOrder[];
  clocked: ClockControls;
  /** Null for who may not change the status. */
  pick: PickStatus | null;
}

type Known = Pick<OpenOrder, 'order' | 'changedAt'>;

export function ordersOfTechnician(
  technician: number,
  cached: readonly Known[],
  waiting: ReadonlyMap<number, DisplayedStatus>,
): PortalOrder[] {
  return cached
    .flatMap(({ order, changedAt }) => {
      const isRegular = order.technicians.some(({ id }) => id === technician);
      if (!isRegular && !order.etlIds.includes(technician)) return [];
      const waitingStatus = waiting.get(order.key) ?? null;
      return [reuseUnchanged({ order, changedAt, isEtl: !isRegular, waitingStatus })];
    })
    .toSorted((a, b) => byUrgency(a.order, b.order));
}

const made = new WeakMap<RepairOrder, PortalOrder>();

/** The one that was made before where nothing changed, so that its card or row is not drawn again. */
function reuseUnchanged(listed: PortalOrder): PortalOrder {
  const before = made.get(listed.order);
  const same =
    before?.changedAt === listed.changedAt &&
    before.isEtl === listed.isEtl &&
    before.waitingStatus === listed.waitingStatus;
  if (same) return before;
  made.set(listed.order, listed);
  return listed;
}
