// Loads when it is told that something changed: at once after a pause, and of what comes in quick succession once when
// it is time. Never two at a time: what is told during a load is loaded after it, since that one may not know of it.

/** From the beginning of one load to that of the next (ms): a burst of messages costs two loads a second. */
export const LOAD_INTERVAL_MS = 500;

export interface BatchedLoad {
  /** Something changed. */
  ask(): void;
  stop(): void;
}

export function createBatchedLoad(load: () => Promise<unknown>): BatchedLoad {
  let isPending = false;
  let busy = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const next = () => {
    if (stopped || !isPending || busy || timer !== undefined) return;
    isPending = false;
    busy = true;
    timer = setTimeout(() => {
      timer = undefined;
      next();
    }, LOAD_INTERVAL_MS);
    load()
      // Whoever loads shows its failure.
      .catch(() => undefined)
      .finally(() => {
        busy = false;
        next();
      });
  };
  return {
    ask: () => {
      isPending = true;
      next();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
