// Loads data after changes: at once after a pause, and at intervals during a burst. Loads never overlap: a change
// during a load causes another load, since the first may have missed it.

/** The interval between the starts of loads (ms): a burst of messages costs two loads a second. */
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
      // The loader shows its own failure.
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
