// The last known list on this device, for a portal that opens without a connection.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  confirmSavedScreen,
  loadScreen,
  saveScreen,
  screenSavedAt,
  useSavedGeneration,
} from '../offline/saved-screens.ts';
import type { Technician } from '../repair-order/live-orders.ts';
import { plainOrder, type RepairOrder } from '../repair-order/order.ts';

interface SavedList {
  who: Technician;
  orders: RepairOrder[];
}

export interface LastKnownList {
  who: Technician;
  entries: { order: RepairOrder; changedAt: number; version: number }[];
  /** ms */
  at: number;
}

const screenName = (technician: number) => `portal-${technician}`;

/** `live`: the server's list, which is saved as the next last known one. */
export function useLastKnownList(
  technician: number,
  live: readonly { order: RepairOrder }[] | null,
  profile: Technician | null | undefined,
): LastKnownList | null {
  useEffect(() => {
    if (live === null || profile == null) return;
    const saved: SavedList = { who: profile, orders: live.map(({ order }) => plainOrder(order)) };
    saveScreen(screenName(technician), saved);
  }, [technician, live, profile]);
  const isLive = live !== null && profile != null;
  useEffect(() => (isLive ? confirmSavedScreen(screenName(technician)) : undefined), [technician, isLive]);
  const { data } = useQuery({
    queryKey: ['saved', screenName(technician), useSavedGeneration()],
    queryFn: () => lastKnown(technician),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

async function lastKnown(technician: number): Promise<LastKnownList | null> {
  const saved = await loadScreen<SavedList>(screenName(technician));
  const at = await screenSavedAt(screenName(technician));
  if (saved === undefined || at === undefined) return null;
  return {
    who: saved.who,
    entries: saved.orders.map((order) => ({ order: completed(order), changedAt: 0, version: 0 })),
    at,
  };
}

/** An order that an earlier version saved has not all of it. */
function completed(saved: RepairOrder): RepairOrder {
  return { ...{ stage: null, stageSince: null, holds: [] }, ...saved };
}
