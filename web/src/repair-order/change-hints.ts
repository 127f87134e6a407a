// Hints: messages that an order changed, without its rows, which are then fetched. However many come about one
// order, one fetch is under way and at most one more follows it.

/** A burst is over by then, or what it is about has landed by itself (ms). */
export const HINT_WAIT_MS = 250;

type Asked =
  | { state: 'waiting'; timer: ReturnType<typeof setTimeout> }
  /** `again`: a hint came after the fetch began, which may have read the order before its change. */
  | { state: 'fetching'; again: boolean };

export interface Hints {
  hinted(roNumber: number): void;
  /** A message brought the order's rows: what the hints before it were about is here. */
  landed(roNumber: number): void;
  stop(): void;
}

/** `read` deals with its own failures. */
export function followHints(read: (roNumber: number) => Promise<void>): Hints {
  const fetches = new Map<number, Asked>();
  let stopped = false;

  const wait = (roNumber: number) => {
    const timer = setTimeout(() => void fetchNow(roNumber), HINT_WAIT_MS);
    fetches.set(roNumber, { state: 'waiting', timer });
  };

  const fetchNow = async (roNumber: number) => {
    const fetching: Asked = { state: 'fetching', again: false };
    fetches.set(roNumber, fetching);
    await read(roNumber);
    fetches.delete(roNumber);
    if (fetching.again && !stopped) wait(roNumber);
  };

  return {
    hinted: (roNumber) => {
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
