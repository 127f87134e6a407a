// Fetches ahead what the portal's sheets show, so that each opens without a connection: one request after another, when
// the page has nothing else to do, and nothing that is on this device already.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { serverNow } from '../api/server-time.ts';
import { onSocketMessage } from '../api/socket.ts';
import type { ClosedOrder } from '../api/technicians.ts';
import { pruneScreens } from '../offline/saved-screens.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { mondayOf, wallDay } from '../shop/wall-time.ts';
import { closedOrdersOf } from './closed-orders.ts';
import { closedToKeep, type KeptOrder, keepOrder, keptClosed, keptOpen } from './kept-orders.ts';
import { isNeeded, weekOf } from './saved-answers.ts';

/** The screen loads first, and by then a burst of changes is over. */
const START_DELAY_MS = 3_000;
/** Between closed orders that are fetched: a shop's phones may all have to begin anew at the same time. */
const CLOSED_INTERVAL_MS = 250;
/** Weeks of clock entries that are kept once they were shown. */
const MAX_WEEKS = 5;

type Open = readonly Pick<OpenOrder, 'order' | 'version'>[];

/**
 * `open`: the server's list; null: it is not there yet, or the reader is somebody else. `inHand`: the order that the clock
 * runs on, in the list or not.
 */
export function useKeptScreens(technician: number, open: Open | null, inHand: number | null): void {
  const { data } = useQuery({ ...closedOrdersOf(technician), enabled: open !== null });
  const closed = data?.savedAt === null ? data.value : null;
  /** By order, the state in which it is kept. */
  const kept = useRef(new Map<number, string>());
  const closedVersions = useClosedVersions();
  const { weeks, round } = useWeeksToFetch(technician);
  useEffect(() => onEventLogReset(() => kept.current.clear()), []);
  useEffect(() => {
    // Each of these is a reason to begin again.
    void round;
    if (open === null) return;
    let stopped = false;
    const timer = setTimeout(async () => {
      const isStopped = () => stopped || !navigator.onLine;
      try {
        await keepOrders(open.map(keptOpen), kept.current, isStopped);
        const chosen = closedToKeep(closed ?? [], serverNow()).map((order) =>
          keptClosed(order, closedVersions.current.get(order.repairOrderNumber) ?? 0),
        );
        await keepOrders(chosen, kept.current, isStopped, CLOSED_INTERVAL_MS);
        await keepWeeks(technician, weeks.current, isStopped);
        if (closed !== null && !isStopped()) await deleteOthers(open, closed, inHand);
      } catch {
        // The next change of a list, or the next connection, tries again.
      }
    }, START_DELAY_MS);
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [technician, open, closed, inHand, round, weeks, closedVersions]);
}

async function keepOrders(
  orders: readonly KeptOrder[],
  kept: Map<number, string>,
  isStopped: () => boolean,
  interval = 0,
): Promise<void> {
  for (const order of orders) {
    if (kept.get(order.roNumber) === order.state) continue;
    await whenIdle();
    if (isStopped()) return;
    const wasFetched = await keepOrder(order);
    kept.set(order.roNumber, order.state);
    if (wasFetched) await pause(interval);
  }
}

async function keepWeeks(technician: number, weeks: Set<string>, isStopped: () => boolean): Promise<void> {
  for (const monday of [...weeks]) {
    await whenIdle();
    if (isStopped()) return;
    const { savedAt } = await weekOf(technician, monday);
    if (savedAt === null) weeks.delete(monday);
  }
}

/** A car that is another technician's now, or was closed long ago, does not stay here, but while the clock runs on it. */
function deleteOthers(open: Open, closed: readonly ClosedOrder[], inHand: number | null): Promise<void> {
  const roNumbers = new Set([
    ...open.map(({ order }) => order.key),
    ...closed.map(({ repairOrderNumber }) => repairOrderNumber),
    ...(inHand === null ? [] : [inHand]),
  ]);
  const firstWeek = weekBefore(MAX_WEEKS - 1);
  return pruneScreens((name) => isNeeded(name, { roNumbers, firstWeek }));
}

/** By closed order, the last version that a message named: a story was written. */
function useClosedVersions() {
  const versions = useRef(new Map<number, number>());
  useEffect(
    () =>
      onSocketMessage('RO_MODIFIED', (message) => {
        if (message?.rows?.length !== 0 || message.version === undefined) return;
        versions.current.set(message.roNumber, message.version);
      }),
    [],
  );
  return versions;
}

/** This week and the last one at each connection, in case they were corrected; this week after each tap. */
function useWeeksToFetch(technician: number) {
  const weeks = useRef(new Set([weekBefore(0), weekBefore(1)]));
  const [round, setRound] = useState(0);
  useEffect(
    () =>
      onSocketMessage('CLOCK_CHANGED', (message) => {
        if (message !== null && message.technicianId !== technician) return;
        weeks.current.add(weekBefore(0));
        if (message === null) weeks.current.add(weekBefore(1));
        setRound((before) => before + 1);
      }),
    [technician],
  );
  return { weeks, round };
}

const weekBefore = (count: number) => mondayOf(wallDay(serverNow()), count);

async function whenIdle(): Promise<void> {
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) await new Promise((resolve) => requestIdleCallback(resolve));
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
