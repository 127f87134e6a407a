// The order that the technician's clock still runs on although it is not in their list: it was given to somebody else,
// nobody has it, or the list is an older one.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import type { Details } from '../api/repair-orders.ts';
import { onSocketMessage } from '../api/socket.ts';
import { deleteSavedScreen, loadScreen, saveScreen, useSavedGeneration } from '../offline/saved-screens.ts';
import { type RepairOrder, toDisplayedJob, toRepairOrder } from '../repair-order/order.ts';
import type { PortalOrders } from './portal-orders.ts';
import { detailsOf } from './saved-answers.ts';
import type { ClockWithTaps } from './technician-clock.ts';

/** What is told of the car although its order is not in the list. */
export type KnownOrder = Pick<RepairOrder, 'key' | 'roNumber' | 'vehicle' | 'jobs'>;

export interface LeftOrder {
  roNumber: number;
  /** The number as it is displayed. */
  number: string;
  jobNumber: number;
  /** As this page or this device last had it; null: neither did. */
  order: KnownOrder | null;
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
  const messages = useLeftMessages(technician);
  const { orders, savedAt, lastKnownOf } = list;
  const { roNumber = null, jobNumber = null, displayNumber } = clock?.running ?? {};
  const isListed = orders === null || orders.some(({ order }) => order.key === roNumber);
  const message = messages.get(roNumber ?? -1);
  // The server stops the clock of an order that it closed, and says so.
  const hasLeft = roNumber !== null && jobNumber !== null && !isListed && message !== null;
  const isOfServer = savedAt === null && !isClockSaved && !isClockLoading && !list.retrying;
  const saved = useSavedLeftOrder(technician, hasLeft ? roNumber : null, isOfServer && clock !== null);
  const known = message ?? lastKnownOf(roNumber ?? -1) ?? saved?.order ?? null;
  const order = useOrderOfDetails(hasLeft && known === null ? roNumber : null) ?? known;
  const holders = useMemo(
    () => message?.technicians.map(({ name }) => name) ?? saved?.holders ?? null,
    [message, saved],
  );
  const isCertain = message !== undefined || saved !== null || isOfServer;
  const left = useMemo(() => {
    if (!hasLeft) return null;
    return {
      roNumber,
      number: order?.roNumber ?? displayNumber ?? String(roNumber),
      jobNumber,
      order: order && knownOf(order),
      isCertain,
      holders,
    };
  }, [hasLeft, roNumber, jobNumber, displayNumber, order, isCertain, holders]);
  useEffect(() => {
    if (left?.isCertain) saveScreen(screenName(technician), left);
  }, [technician, left]);
  return left;
}

const screenName = (technician: number) => `left-${technician}`;

/** What is stored of it. */
function knownOf({ key, roNumber, vehicle, jobs }: KnownOrder): KnownOrder {
  return { key, roNumber, vehicle, jobs };
}

/**
 * What this device knew before the page was opened of the order that left: without a connection nothing else says that
 * it did. `isOver`: the server's list and clock are there, so that what they do not confirm is forgotten.
 */
function useSavedLeftOrder(technician: number, roNumber: number | null, isOver: boolean): LeftOrder | null {
  const name = screenName(technician);
  const { data } = useQuery({
    queryKey: ['saved', name, useSavedGeneration()],
    queryFn: async () => (await loadScreen<LeftOrder>(name)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isForgotten = isOver && roNumber === null && data != null;
  useEffect(() => {
    if (isForgotten) void deleteSavedScreen(name);
  }, [name, isForgotten]);
  return data != null && data.roNumber === roNumber ? data : null;
}

/** Of an order that left before the page was opened: everybody may read its details. */
function useOrderOfDetails(roNumber: number | null): KnownOrder | null {
  const { data } = useQuery({
    queryKey: ['left-order', roNumber],
    queryFn: async ({ signal }) => (roNumber === null ? null : (await detailsOf(roNumber, signal)).value),
    enabled: roNumber !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return useMemo(() => (data == null || roNumber === null ? null : orderOfDetails(data)), [data, roNumber]);
}

function orderOfDetails({ repairOrderNumber, displayNumber, vehicle, jobs }: Details): KnownOrder {
  return {
    key: repairOrderNumber,
    roNumber: displayNumber ?? String(repairOrderNumber),
    vehicle,
    jobs: jobs.map(toDisplayedJob),
  };
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
