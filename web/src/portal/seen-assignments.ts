// Which assignments of the banner were on the screen: only those count as seen.
import { type RefObject, useEffect, useState } from 'react';
import type { Assignment } from './assignment-tracker.ts';

/** As much of an item, or of the list's height, has to be in sight. */
const SHOWN_SHARE = 0.6;

/** At what share of an item the browser looks again. */
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

const none: ReadonlySet<number> = new Set();

/** The events of the assignments in the list that have been in sight; each item has its event as `data-key`. */
export function useShownItems(
  list: RefObject<HTMLElement | null>,
  pending: readonly Assignment[],
): ReadonlySet<number> {
  const [shown, setShown] = useState(none);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other assignments are other items
  useEffect(() => {
    const root = list.current;
    if (root === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const events = entries.filter(isShown).map(({ target }) => Number(target.getAttribute('data-key')));
        setShown((before) =>
          events.every((seq) => before.has(seq)) ? before : new Set([...before, ...events]),
        );
      },
      { root, threshold: THRESHOLDS },
    );
    for (const item of root.children) observer.observe(item);
    return () => observer.disconnect();
  }, [list, pending]);
  return shown;
}

function isShown({
  isIntersecting,
  intersectionRatio,
  intersectionRect,
  rootBounds,
}: IntersectionObserverEntry) {
  if (!isIntersecting) return false;
  // An item may be higher than the list.
  return (
    intersectionRatio >= SHOWN_SHARE ||
    (rootBounds !== null && intersectionRect.height >= rootBounds.height * SHOWN_SHARE)
  );
}

/** Reports what is shown as seen, once it is painted on a visible page. */
export function useSeen(
  shown: readonly Assignment[],
  markSeen: (assignments: readonly Assignment[]) => void,
): void {
  useEffect(() => {
    if (shown.length === 0) return;
    let frame = 0;
    const reportWhenPainted = () => {
      cancelAnimationFrame(frame);
      if (document.visibilityState !== 'visible') return;
      // The second frame begins when the first has been painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => markSeen(shown));
      });
    };
    reportWhenPainted();
    document.addEventListener('visibilitychange', reportWhenPainted);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', reportWhenPainted);
    };
  }, [shown, markSeen]);
}
