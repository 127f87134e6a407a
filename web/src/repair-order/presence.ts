// Who has which order open. What this page has open is told to the others; what they have is shown in the row and in
// the dialogs. It lives as long as the connection: a new one begins with nobody, and is told of everybody.
import { useEffect, useSyncExternalStore } from 'react';
import type { Person } from '../api/repair-orders.ts';
import { sessionState } from '../api/session.ts';
import { isConnected, sendPresence } from '../api/socket.ts';

const NO_PEOPLE: readonly Person[] = [];
/** As many orders as the server lets a session have open; a larger batch is nobody's reading. */
const MAX_OPEN_ORDERS = 8;

let others = new Map<number, readonly Person[]>();
/** How many dialogs of this page have the order open. */
const open = new Map<number, number>();
const listeners = new Set<() => void>();

export function setPresence(roNumber: number, people: readonly Person[]): void {
  const session = sessionState();
  const me = session.status === 'signed-in' ? session.user.uid : null;
  const found = people.filter((person) => person.uid !== me);
  if (found.length === 0) others.delete(roNumber);
  else others.set(roNumber, found);
  notifyListeners();
}

/** A connection is new: the server knows of nobody's open orders here, and has not yet told of the others'. */
export function resetPresence(): void {
  clearPresence();
  for (const roNumber of open.keys()) announce('RO_OPEN', roNumber);
}

/** Without a connection nothing is known of the others. */
export function clearPresence(): void {
  if (others.size === 0) return;
  others = new Map();
  notifyListeners();
}

/** Who else has the order open. */
export function useOthersAt(roNumber: number): readonly Person[] {
  return useSyncExternalStore(subscribe, () => others.get(roNumber) ?? NO_PEOPLE);
}

/** Tells the others that these orders are open here, as long as the component is. */
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
  // The next connection begins with what is open by then.
  if (!isConnected()) return;
  sendPresence(event, roNumber).catch((failure: unknown) => {
    console.warn(`${event} of repair order ${roNumber} was not taken.`, failure);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}
