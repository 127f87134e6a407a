// Fetches orders that hints are about. A hint is a message that an order changed, without its rows. However many
// arrive for one order, one fetch is under way and at most one more follows.

/** By then a burst is over, or the order's rows have landed by another message (ms). */
export const HINT_WAIT_MS = 250;

type PendingFetch =
  | { state: 'waiting'; timer: ReturnType<typeof setTimeout> }
  /** `again`: a hint came after the fetch began, which may have read the order before its change. */
  | { state: 'fetching'; again: boolean };

export interface Hints {
  add(roNumber: number): void;
  /** A message brought the order's rows, so the waiting fetch is not needed. */
  landed(roNumber: number): void;
  stop(): void;
}

/** `fetchOrder` handles its own failures. */
export function followHints(fetchOrder: (roNumber: number) => Promise<void>): Hints {
  const fetches = new Map<number, PendingFetch>();
  let stopped = false;

  const wait = (roNumber: number) => {
    const timer = setTimeout(() => void fetchNow(roNumber), HINT_WAIT_MS);
    fetches.set(roNumber, { state: 'waiting', timer });
  };

  const fetchNow = async (roNumber: number) => {
    const fetching: PendingFetch = { state: 'fetching', again: false };
    fetches.set(roNumber, fetching);
    await fetchOrder(roNumber);
    fetches.delete(roNumber);
    if (fetching.again && !stopped) wait(roNumber);
  };

  return {
    add: (roNumber) => {
      const fetching = fetches.get(roNumber);
      if (fetching === undefined) wait(roNumber);
      else if (fetching.state === 'fetching') fetching.again = true;
    },
    landed: (roNumber) => {
      const fetching = fetches.get(roNumber);
      if (fetching?.state === 'fetching') fetching.again = false;
      if (fetching?.state !== 'waiting') return;
      clearTimeout(fetching.timer);
      fetches.delete(roNumber);
    },
    stop: () => {
      stopped = true;
      for (const fetching of fetches.values()) if (fetching.state === 'waiting') clearTimeout(fetching.timer);
      fetches.clear();
    },
  };
}
