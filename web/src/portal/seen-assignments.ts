// Which assignments of the banner were on the screen: only those count as seen.
import { type RefCallback, useCallback, useEffect, useState } from 'react';
import type { Assignment } from './assignment-tracker.ts';

/** As much of an item, or of the list's height, has to be in sight. */
const SHOWN_SHARE = 0.6;

/** At what share of an item the browser looks again. */
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1];

const none: ReadonlySet<number> = new Set();

interface ShownItems {
  /** The events of the assignments that have been in sight. */
  shown: ReadonlySet<number>;
  /** The ref of each item, which has its event as `data-key`. */
  observe: RefCallback<HTMLElement>;
}

/** One observer for as long as the page is open: to begin with another at each change delays the banner. */
export function useShownItems(): ShownItems {
  const [shown, setShown] = useState(none);
  const [observer] = useState(
    () =>
      new IntersectionObserver(
        (entries) => {
          const events = entries.filter(isShown).map(({ target }) => Number(target.getAttribute('data-key')));
          setShown((before) =>
            events.every((seq) => before.has(seq)) ? before : new Set([...before, ...events]),
          );
        },
        { threshold: THRESHOLDS },
      ),
  );
  const observe = useCallback(
    (item: HTMLElement) => {
      observer.observe(item);
      return () => observer.unobserve(item);
    },
    [observer],
  );
  return { shown, observe };
}

function isShown({ isIntersecting, intersectionRatio, intersectionRect, target }: IntersectionObserverEntry) {
  if (!isIntersecting) return false;
  if (intersectionRatio >= SHOWN_SHARE) return true;
  // An item may be higher than the list.
  const list = target.parentElement;
  return list !== null && intersectionRect.height >= list.clientHeight * SHOWN_SHARE;
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
