// Polls for new repair orders beside the socket, so that a page without its stream still gets them. The interval
// depends on how busy the shop is.
import { fetchActivity, fetchNextBatch, type Row } from '../api/repair-orders.ts';
import { groupByOrder, type OrderCache } from './order-cache.ts';

const POLL_INTERVAL_MS = 60_000;
const BUSY_POLL_INTERVAL_MS = 30_000;
const IDLE_POLL_INTERVAL_MS = 300_000;
/** After more consecutive empty polls than this it polls less often. */
const MAX_EMPTY_POLLS = 5;
const ACTIVITY_INTERVAL_MS = 5 * 60_000;
const FULL_REFRESH_INTERVAL_MS = 60 * 60_000;
/** More updates than either number means a busy shop. */
const BUSY_THRESHOLDS = { totalUpdates: 10, uniqueROsUpdated: 5 };

export interface PollResult {
  /** Consecutive polls without a new order. */
  empty: number;
  busy: boolean;
}

export function pollDelay({ empty, busy }: PollResult): number {
  if (empty > MAX_EMPTY_POLLS) return IDLE_POLL_INTERVAL_MS;
  return busy ? BUSY_POLL_INTERVAL_MS : POLL_INTERVAL_MS;
}

interface PolledOrders {
  cache(): OrderCache;
  /** All rows of one order. */
  land(roNumber: number, rows: Row[], seq: number): void;
  loadAll(): Promise<unknown>;
}

/** Polls until the returned function is called. */
export function pollNewOrders(orders: PolledOrders): () => void {
  let polled: PollResult = { empty: 0, busy: false };
  let activityAt = Number.NEGATIVE_INFINITY;
  let refreshedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const poll = async () => {
    const now = Date.now();
    if (now - activityAt >= ACTIVITY_INTERVAL_MS) {
      activityAt = now;
      const { totalUpdates, uniqueROsUpdated } = await fetchActivity();
      const busy =
        totalUpdates > BUSY_THRESHOLDS.totalUpdates || uniqueROsUpdated > BUSY_THRESHOLDS.uniqueROsUpdated;
      polled = { ...polled, busy };
    }
    if (now - refreshedAt >= FULL_REFRESH_INTERVAL_MS) {
      refreshedAt = now;
      await orders.loadAll();
      return;
    }
    const { rows, seq } = await fetchNextBatch(lastNumber(orders.cache()) + 1);
    if (stopped) return;
    for (const [roNumber, ofOne] of groupByOrder(rows)) orders.land(roNumber, ofOne, seq);
    polled = { ...polled, empty: rows.length === 0 ? polled.empty + 1 : 0 };
  };

  const scheduleNext = () => {
    timer = setTimeout(async () => {
      try {
        await poll();
      } catch (failure) {
        // The freshness indicator shows when the server is unreachable; the next poll may reach it.
        console.warn('New repair orders could not be looked for.', failure);
      }
      if (!stopped) scheduleNext();
    }, pollDelay(polled));
  };

  scheduleNext();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Loads the list periodically, when `isWanted`, until the returned function is called. */
export function pollList(list: { isWanted(): boolean; load(): Promise<unknown> }): () => void {
  const timer = setInterval(() => {
    if (!list.isWanted()) return;
    list.load().catch((failure: unknown) => console.warn('The list could not be loaded.', failure));
  }, POLL_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** 0 when there is none. */
function lastNumber(cache: OrderCache): number {
  let last = 0;
  for (const roNumber of cache.open.keys()) last = Math.max(last, roNumber);
  for (const roNumber of cache.closed.keys()) last = Math.max(last, roNumber);
  return last;
}
