// What the portal lists: the technician's open orders, in the order in which they are worked.
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import type { DisplayedStatus } from '../repair-order/statuses.ts';
import { byUrgency } from '../repair-order/working-order.ts';
import type { ClockControls } from './job-lines.tsx';
import type { StageControls } from './stage-section.tsx';
import { noTaps, type UnansweredTap } from './stage-taps.ts';
import type { PickStatus } from './status-changes.ts';

export interface PortalOrder {
  order: RepairOrder;
  /** When a change of the order landed here (ms); 0: not since the page loaded. */
  changedAt: number;
  /** Only the dealer system assigns the order to this technician. */
  isEtl: boolean;
  /** A status picked here and not sent yet. */
  waitingStatus: DisplayedStatus | null;
  /** What was said here of where it stands and is not answered yet. */
  unansweredTaps: readonly UnansweredTap[];
}

export interface ListProps {
  orders: readonly PortalOrder[];
  clocked: ClockControls;
  /** Null when the reader may not change the status. */
  pick: PickStatus | null;
  /** Null in a shop without stages. */
  staged: StageControls | null;
}

type CachedOrder = Pick<OpenOrder, 'order' | 'changedAt'>;

export function ordersOfTechnician(
  technician: number,
  cached: readonly CachedOrder[],
  waiting: ReadonlyMap<number, DisplayedStatus>,
  taps: ReadonlyMap<number, readonly UnansweredTap[]>,
): PortalOrder[] {
  return cached
    .flatMap(({ order, changedAt }) => {
      const isRegular = order.technicians.some(({ id }) => id === technician);
      if (!isRegular && !order.etlIds.includes(technician)) return [];
      const waitingStatus = waiting.get(order.key) ?? null;
      const unansweredTaps = taps.get(order.key) ?? noTaps;
      return [reuseUnchanged({ order, changedAt, isEtl: !isRegular, waitingStatus, unansweredTaps })];
    })
    .toSorted((a, b) => byUrgency(a.order, b.order));
}

const portalOrders = new WeakMap<RepairOrder, PortalOrder>();

/** Returns the same object when nothing changed, so that its card or row does not render again. */
function reuseUnchanged(listed: PortalOrder): PortalOrder {
  const before = portalOrders.get(listed.order);
  const same =
    before?.changedAt === listed.changedAt &&
    before.isEtl === listed.isEtl &&
    before.waitingStatus === listed.waitingStatus &&
    before.unansweredTaps === listed.unansweredTaps;
  if (same) return before;
  portalOrders.set(listed.order, listed);
  return listed;
}
