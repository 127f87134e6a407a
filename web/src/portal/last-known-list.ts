// The list as it was last right on this device, for a portal that is opened without a connection.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { loadScreen, saveScreen, screenSavedAt, useSavedGeneration } from '../offline/saved-screens.ts';
import type { Technician } from '../repair-order/live-orders.ts';
import type { RepairOrder } from '../repair-order/order.ts';

interface Kept {
  who: Technician;
  orders: RepairOrder[];
}

export interface LastKnownList {
  who: Technician;
  entries: { order: RepairOrder; changedAt: number; version: number }[];
  /** ms */
  at: number;
}

const nameOf = (technician: number) => `portal-${technician}`;

/** `live`: the list as the server has it; it is what will have been last known. */
export function useLastKnownList(
  technician: number,
  live: readonly { order: RepairOrder }[] | null,
  who: Technician | null | undefined,
): LastKnownList | null {
  useEffect(() => {
    if (live === null || who == null) return;
    const saved: Kept = { who, orders: live.map(({ order }) => order) };
    saveScreen(nameOf(technician), saved);
  }, [technician, live, who]);
  const { data } = useQuery({
    queryKey: ['saved', nameOf(technician), useSavedGeneration()],
    queryFn: () => lastKnown(technician),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
}

async function lastKnown(technician: number): Promise<LastKnownList | null> {
  const saved = await loadScreen<Kept>(nameOf(technician));
  const at = await screenSavedAt(nameOf(technician));
  if (saved === undefined || at === undefined) return null;
  return { who: saved.who, entries: saved.orders.map((order) => ({ order, changedAt: 0, version: 0 })), at };
}
