// Looks for new repair orders now and then, beside the socket: so a page whose stream is gone still gets the new ones.
// How often depends on how busy the shop is.
import { fetchActivity, fetchNextBatch, type Row } from '../api/repair-orders.ts';
import { groupByOrder, type OrderCache } from './order-cache.ts';

const EVERY_MS = 60_000;
const EVERY_WHEN_BUSY_MS = 30_000;
const EVERY_WHEN_EMPTY_MS = 300_000;
/** More empty looks than this one after another, and it looks less often. */
const EMPTY_AT_MOST = 5;
const ACTIVITY_EVERY_MS = 5 * 60_000;
const FULL_REFRESH_EVERY_MS = 60 * 60_000;
/** More than either is busy. */
const BUSY = { totalUpdates: 10, uniqueROsUpdated: 5 };

export interface PollResult {
  /** Looks without a new order, one after another. */
  empty: number;
  busy: boolean;
}

export function pollDelay({ empty, busy }: PollResult): number {
  if (empty > EMPTY_AT_MOST) return EVERY_WHEN_EMPTY_MS;
  return busy ? EVERY_WHEN_BUSY_MS : EVERY_MS;
}

interface Orders {
  picture(): OrderCache;
  /** All rows of one order. */
  land(roNumber: number, rows: Row[], seq: number): void;
  loadAll(): Promise<unknown>;
}

/** Polls until the answer is called. */
export function pollNewOrders(orders: Orders): () => void {
  let polled: PollResult = { empty: 0, busy: false };
  let activityAt = Number.NEGATIVE_INFINITY;
  let refreshedAt = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;

  const poll = async () => {
    const now = Date.now();
    if (now - activityAt >= ACTIVITY_EVERY_MS) {
      activityAt = now;
      const { totalUpdates, uniqueROsUpdated } = await fetchActivity();
      const busy = totalUpdates > BUSY.totalUpdates || uniqueROsUpdated > BUSY.uniqueROsUpdated;
      polled = { ...polled, busy };
    }
    if (now - refreshedAt >= FULL_REFRESH_EVERY_MS) {
      refreshedAt = now;
      await orders.loadAll();
      return;
    }
    const { rows, seq } = await fetchNextBatch(lastNumber(orders.picture()) + 1);
    if (stopped) return;
    for (const [roNumber, ofOne] of groupByOrder(rows)) orders.land(roNumber, ofOne, seq);
    polled = { ...polled, empty: rows.length === 0 ? polled.empty + 1 : 0 };
  };

  const lookAgain = () => {
    timer = setTimeout(async () => {
      try {
        await poll();
      } catch (failure) {
        // The sign of freshness says when the server cannot be heard; the next look may reach it.
        console.warn('New repair orders could not be looked for.', failure);
      }
      if (!stopped) lookAgain();
    }, pollDelay(polled));
  };

  lookAgain();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

/** Loads a list now and then, when it is wanted, until the answer is called. */
export function pollList(list: { isWanted(): boolean; load(): Promise<unknown> }): () => void {
  const timer = setInterval(() => {
    if (!list.isWanted()) return;
    list.load().catch((failure: unknown) => console.warn('The list could not be loaded.', failure));
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** 0 when there is none. */
function lastNumber(picture: OrderCache): number {
  let last = 0;
  for (const roNumber of picture.open.keys()) last = Math.max(last, roNumber);
  for (const roNumber of picture.closed.keys()) last = Math.max(last, roNumber);
  return last;
}
