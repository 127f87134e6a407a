// Those who want to hear of something that happens. A value that a few components read is an atom of TanStack Store;
// this is for what has no value, for what every cell of a table reads, and for what must not load React.

export interface Listeners<Args extends unknown[]> {
  notify(...args: Args): void;
  /** Returns a function that stops listening. */
  subscribe(listener: (...args: Args) => void): () => void;
}

/** `start` runs when somebody begins to listen, and what it returns when nobody does any more. */
export function createListeners<Args extends unknown[] = []>(
  start?: (notify: (...args: Args) => void) => () => void,
): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>();
  let stop: (() => void) | undefined;
  const notify = (...args: Args) => {
    for (const listener of listeners) listener(...args);
  };
  return {
    notify,
    subscribe: (listener) => {
      listeners.add(listener);
      if (listeners.size === 1) stop = start?.(notify);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop?.();
      };
    },
  };
}
