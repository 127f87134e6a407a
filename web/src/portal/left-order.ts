// The order that the technician's clock still runs on although it is not in their list: it was given to somebody else,
// nobody has it, or the list is an older one.
import { useEffect, useMemo, useState } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { onSocketMessage } from '../api/socket.ts';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import type { PortalOrders } from './portal-orders.ts';
import type { ClockWithTaps } from './technician-clock.ts';

export interface LeftOrder {
  roNumber: number;
  /** The number as it is displayed. */
  number: string;
  jobNumber: number;
  /** As this page last had it; null: it never did. */
  order: RepairOrder | null;
  /** It is not the technician's any more; false: the list is older than the clock, or the other way round. */
  isCertain: boolean;
  /** Who has it instead; empty: nobody; null: not known, because it left before the page was opened. */
  holders: readonly string[] | null;
}

type ClockState = Pick<ClockWithTaps, 'clock' | 'isSaved' | 'isLoading'>;

/** Null: the clock runs on an order of the list, or on none. */
export function useLeftOrder(
  technician: number,
  { clock, isSaved: isClockSaved, isLoading: isClockLoading }: ClockState,
  list: PortalOrders,
): LeftOrder | null {
  const left = useLeftMessages(technician);
  const isLoading = isClockLoading || list.retrying;
  const { roNumber = null, jobNumber = null, displayNumber } = clock?.running ?? {};
  const { orders, savedAt, lastKnownOf } = list;
  return useMemo(() => {
    if (roNumber === null || jobNumber === null || orders === null) return null;
    if (orders.some(({ order }) => order.key === roNumber)) return null;
    const message = left.get(roNumber);
    // The server stops the clock of an order that it closed, and says so.
    if (message === null) return null;
    const order = message ?? lastKnownOf(roNumber) ?? null;
    return {
      roNumber,
      number: order?.roNumber ?? displayNumber ?? String(roNumber),
      jobNumber,
      order,
      isCertain: message !== undefined || (savedAt === null && !isClockSaved && !isLoading),
      holders: message?.technicians.map(({ name }) => name) ?? null,
    };
  }, [roNumber, jobNumber, displayNumber, orders, savedAt, lastKnownOf, left, isClockSaved, isLoading]);
}

/** What messages said of orders that are not the technician's any more: who has them; null: closed. */
function useLeftMessages(technician: number): ReadonlyMap<number, RepairOrder | null> {
  const [left, setLeft] = useState<ReadonlyMap<number, RepairOrder | null>>(none);
  useEffect(() => {
    const stops = [
      onSocketMessage('RO_MODIFIED', (message) => {
        if (message?.rows === undefined) return;
        const { roNumber, rows } = message;
        const [first, ...others] = rows;
        const order = first === undefined ? null : toRepairOrder([first, ...others]);
        setLeft((before) => {
          if (order !== null && isAssigned(order, technician)) return without(before, roNumber);
          return new Map(before).set(roNumber, order);
        });
      }),
      onEventLogReset(() => setLeft(none)),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [technician]);
  return left;
}

const none: ReadonlyMap<number, RepairOrder | null> = new Map();

function without(left: ReadonlyMap<number, RepairOrder | null>, roNumber: number) {
  return left.has(roNumber) ? new Map([...left].filter(([key]) => key !== roNumber)) : left;
}

function isAssigned({ technicians, etlIds }: RepairOrder, technician: number): boolean {
  return technicians.some(({ id }) => id === technician) || etlIds.includes(technician);
}
