// Who has which order open. This page announces its open orders; the others' are shown in the rows and dialogs. The
// state lasts as long as the connection: a new one starts empty, and the server sends everybody's.
import { useEffect, useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import type { Person } from '../api/repair-orders.ts';
import { sessionState } from '../api/session.ts';
import { isConnected, sendPresence } from '../api/socket.ts';

const NO_PEOPLE: readonly Person[] = [];
/** The server allows a session this many open orders; nobody reads a larger batch. */
const MAX_OPEN_ORDERS = 8;

let others = new Map<number, readonly Person[]>();
/** How many dialogs of this page have the order open. */
const open = new Map<number, number>();
const listeners = createListeners();

export function setPresence(roNumber: number, people: readonly Person[]): void {
  const session = sessionState();
  const me = session.status === 'signed-in' ? session.user.uid : null;
  const found = people.filter((person) => person.uid !== me);
  if (found.length === 0) others.delete(roNumber);
  else others.set(roNumber, found);
  listeners.notify();
}

/** A new connection: the server does not know this page's open orders yet, and has not sent the others'. */
export function resetPresence(): void {
  clearPresence();
  for (const roNumber of open.keys()) announce('RO_OPEN', roNumber);
}

/** Without a connection the others' orders are unknown. */
export function clearPresence(): void {
  if (others.size === 0) return;
  others = new Map();
  listeners.notify();
}

/** Who else has the order open. */
export function useOthersAt(roNumber: number): readonly Person[] {
  return useSyncExternalStore(listeners.subscribe, () => others.get(roNumber) ?? NO_PEOPLE);
}

/** Announces these orders as open while the component is mounted. */
export function usePresenceAt(roNumbers: readonly number[]): void {
  const orders = roNumbers.length > MAX_OPEN_ORDERS ? '' : roNumbers.join();
  useEffect(() => {
    const entered = orders === '' ? [] : orders.split(',').map(Number);
    for (const roNumber of entered) enter(roNumber);
    return () => {
      for (const roNumber of entered) announceClosed(roNumber);
    };
  }, [orders]);
}

function enter(roNumber: number): void {
  const times = open.get(roNumber) ?? 0;
  open.set(roNumber, times + 1);
  if (times === 0) announce('RO_OPEN', roNumber);
}

function announceClosed(roNumber: number): void {
  const times = open.get(roNumber) ?? 0;
  if (times > 1) {
    open.set(roNumber, times - 1);
  } else if (open.delete(roNumber)) {
    announce('RO_LEAVE', roNumber);
  }
}

function announce(event: 'RO_OPEN' | 'RO_LEAVE', roNumber: number): void {
  // The next connection announces the orders that are open then.
  if (!isConnected()) return;
  sendPresence(event, roNumber).catch((failure: unknown) => {
    console.warn(`${event} of repair order ${roNumber} was not taken.`, failure);
  });
}
