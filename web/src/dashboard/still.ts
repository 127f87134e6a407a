// What waits until nothing on the page has been scrolled for a moment.

/** ms since the last scrolling */
const STILL_MS = 150;

let scrolledAt = Number.NEGATIVE_INFINITY;
let isLooking = false;
const waiting = new Set<() => void>();

document.addEventListener(
  'scroll',
  () => {
    scrolledAt = performance.now();
  },
  { capture: true, passive: true },
);

/** Calls at once, or when the scrolling is over. Returns what cancels it. */
export function whenStill(call: () => void): () => void {
  if (stillIn() === 0) {
    call();
    return () => undefined;
  }
  waiting.add(call);
  if (!isLooking) lookLater();
  return () => {
    waiting.delete(call);
  };
}

/** ms */
function stillIn(): number {
  return Math.max(0, scrolledAt + STILL_MS - performance.now());
}

function lookLater(): void {
  isLooking = true;
  setTimeout(look, stillIn());
}

function look(): void {
  isLooking = false;
  if (waiting.size === 0) return;
  if (stillIn() > 0) {
    lookLater();
    return;
  }
  const calls = [...waiting];
  waiting.clear();
  for (const call of calls) call();
}
