// Gathers what comes in quick succession, so that a burst of live messages is drawn a few times a second and not once
// for each. What comes after a pause is not kept waiting. By timer, since a hidden tab has no animation frames.

/** From one landing to the next (ms): short enough to be at once for a reader, long enough to draw in between. */
export const BATCH_INTERVAL_MS = 100;

export interface Batcher<T> {
  /** Lands at once, or with others when it is time. */
  add(item: T): void;
  /** Lands what waits, now. */
  flush(): void;
  /** Forgets what waits. */
  stop(): void;
}

/** `land` gets the items in the order they came, never none. */
export function createBatcher<T>(land: (items: readonly T[]) => void): Batcher<T> {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const landWaiting = () => {
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    land(items);
  };
  const pause = () => {
    timer = setTimeout(() => {
      timer = undefined;
      if (waiting.length === 0) return;
      pause();
      landWaiting();
    }, BATCH_INTERVAL_MS);
  };

  return {
    add: (item) => {
      waiting.push(item);
      if (timer !== undefined) return;
      pause();
      landWaiting();
    },
    flush: landWaiting,
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = [];
    },
  };
}
