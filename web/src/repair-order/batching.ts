// Batches live messages that arrive in quick succession, so that a burst renders a few times a second and not once
// per message. A message after a pause lands at once. Uses a timer, since hidden tabs have no animation frames.

/** The interval between landings (ms): short enough to look immediate, long enough to render in between. */
export const BATCH_INTERVAL_MS = 100;

export interface Batcher<T> {
  /** Lands the item at once, or with others at the next interval. */
  add(item: T): void;
  /** Lands the waiting items now. */
  flush(): void;
  /** Drops the waiting items. */
  stop(): void;
}

/** `land` gets the items in order of arrival, at least one. */
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
