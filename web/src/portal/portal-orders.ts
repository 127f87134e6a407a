// The orders that a technician's portal shows: the server's list, or without a connection the last one that this
// device saved.
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { onSocketMessage } from '../api/socket.ts';
import { useListFailure } from '../repair-order/freshness.ts';
import {
  NAMES_HOLD_MS,
  openOrders,
  type Technician,
  technicianKey,
  wasListAskedFor,
} from '../repair-order/live-orders.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useListLoading, useOrders } from '../repair-order/use-orders.ts';
import { useKeptScreens } from './kept-screens.ts';
import { type LastKnownList, useLastKnownList } from './last-known-list.ts';
import { ordersOfTechnician, type PortalOrder } from './order-list.ts';
import { useUnansweredStageTaps } from './stage-taps.ts';
import { useWaitingStatuses } from './status-changes.ts';

/** An order and the version it was seen at. */
type SeenOrder = LastKnownList['entries'][number];

export interface PortalOrders {
  /** Null: there is no list yet. */
  orders: readonly PortalOrder[] | null;
  seen(roNumber: number): SeenOrder | undefined;
  orderOf(roNumber: number): RepairOrder | undefined;
  /** As it was in the list that this device saved before the page was opened. */
  lastKnownOf(roNumber: number): RepairOrder | undefined;
  /** Who the technician is; null: there is no such technician, undefined: not known yet. */
  profile: Technician | null | undefined;
  /** When the shown list was saved (ms); null: it is the server's. */
  savedAt: number | null;
  /** Why the server's list could not be loaded. */
  failure: unknown;
  retrying: boolean;
  retry(): void;
}

/** `isOwn`: the reader is the technician. `inHand`: the order that their clock runs on. */
export function usePortalOrders(technician: number, isOwn: boolean, inHand: number | null): PortalOrders {
  const cache = useOrders();
  const { isLoading, load } = useListLoading();
  const { data: profile } = useQuery<Technician | null>({
    queryKey: technicianKey(technician),
    // The technician's name comes with the list.
    queryFn: skipToken,
  });
  useReloadedNames();
  const failure = useListFailure();
  const waitingStatuses = useWaitingStatuses();
  const unansweredTaps = useUnansweredStageTaps();
  const isLoaded = cache !== undefined && cache.listSeq >= 0;
  const live = useMemo(() => (isLoaded ? [...cache.open.values()] : null), [isLoaded, cache]);
  const lastKnown = useLastKnownList(technician, live, profile);
  useKeptScreens(technician, isOwn ? live : null, inHand);

  const isLate = useIsLate(live === null);
  const shown = live ?? (failure === null && !isLate ? null : (lastKnown?.entries ?? null));
  const orders = useMemo(
    () => (shown === null ? null : ordersOfTechnician(technician, shown, waitingStatuses, unansweredTaps)),
    [shown, technician, waitingStatuses, unansweredTaps],
  );
  const byNumber = useMemo(() => new Map((shown ?? []).map((one) => [one.order.key, one])), [shown]);
  return {
    orders,
    seen: useCallback((roNumber) => byNumber.get(roNumber), [byNumber]),
    orderOf: useCallback((roNumber) => byNumber.get(roNumber)?.order, [byNumber]),
    lastKnownOf: useCallback(
      (roNumber) => lastKnown?.entries.find(({ order }) => order.key === roNumber)?.order,
      [lastKnown],
    ),
    profile: profile === undefined ? lastKnown?.who : profile,
    savedAt: isLoaded || shown === null ? null : (lastKnown?.at ?? null),
    failure,
    retrying: isLoading,
    retry: load,
  };
}

/** How long what this device knows stays hidden while the list is awaited (ms): a network that is there is faster. */
const LIST_WAIT_MS = 3_000;

function useIsLate(isAwaited: boolean): boolean {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    if (!isAwaited) return;
    const timer = setTimeout(() => setIsLate(true), LIST_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setIsLate(false);
    };
  }, [isAwaited]);
  return isLate;
}

/** Names and specialties come with the list. What changed while the connection was down is not replayed. */
function useReloadedNames(): void {
  const client = useQueryClient();
  useEffect(() => {
    let wasConnected = false;
    return onSocketMessage('TECHNICIANS_CHANGED', (message) => {
      const isFirst = message === null && !wasConnected;
      wasConnected = true;
      if (isFirst && wasListAskedFor(client, Date.now() - NAMES_HOLD_MS)) return;
      void client.fetchQuery({ ...openOrders, staleTime: 0 }).catch(() => undefined);
    });
  }, [client]);
}
