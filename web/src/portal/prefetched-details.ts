// Each order's details are fetched ahead, one after another, so that they can be read and written about without a
// connection.
import { useEffect, useRef } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { loadScreen, saveScreen } from '../offline/saved-screens.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';

const screenName = (roNumber: number) => `details-${roNumber}`;

/** The server's details, or without a connection the saved ones. */
export async function detailsOf(roNumber: number, signal?: AbortSignal): Promise<Details> {
  try {
    return await keepDetails(roNumber, signal);
  } catch (failure) {
    const saved = await loadScreen<Details>(screenName(roNumber));
    if (saved === undefined) throw failure;
    return saved;
  }
}

/** Fetched and saved, for when there is no connection. */
async function keepDetails(roNumber: number, signal?: AbortSignal): Promise<Details> {
  const details = await fetchDetails(roNumber, signal);
  saveScreen(screenName(roNumber), details);
  return details;
}

/** The screen loads first, and by then a burst of changes is over. */
const PREFETCH_DELAY_MS = 3_000;

export function usePrefetchedDetails(orders: readonly Pick<OpenOrder, 'order' | 'version'>[]): void {
  /** By order, the version whose details are saved. */
  const savedVersions = useRef(new Map<number, number>());
  useEffect(() => onEventLogReset(() => savedVersions.current.clear()), []);
  useEffect(() => {
    let stopped = false;
    const timer = setTimeout(async () => {
      for (const { order, version } of orders) {
        if (stopped) return;
        if (savedVersions.current.get(order.key) === version) continue;
        try {
          await keepDetails(order.key);
          savedVersions.current.set(order.key, version);
        } catch {
          // The next change of the list tries again.
          return;
        }
      }
    }, PREFETCH_DELAY_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [orders]);
}
