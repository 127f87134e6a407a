import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNewest } from './latest.ts';

/** px; what else is in the line may change its width a little all the time. */
const MARGIN = 32;

/**
 * How many of a line's `count` parts have room in it as a whole. While they have not, the line renders one part fewer
 * after the other, and all of them again once it is wide enough for one more.
 */
export function useFits(line: RefObject<HTMLElement | null>, count: number, content: string): number {
  const [fitting, setFitting] = useState(count);
  /** px; what the line needs with so many whole parts. */
  const needed = useRef(new Map<number, number>());
  const measuredOf = `${count} ${content}`;
  const [measured, setMeasured] = useState(measuredOf);
  // Other words need another width.
  if (measured !== measuredOf) {
    setMeasured(measuredOf);
    setFitting(count);
  }

  const measure = () => {
    const element = line.current;
    if (element === null) return;
    needed.current.set(fitting, element.scrollWidth);
    // A fraction of a pixel is no overflow.
    if (element.scrollWidth > element.clientWidth + 1) {
      if (fitting > 0) setFitting(fitting - 1);
    } else if (fitting < count && element.clientWidth >= (needed.current.get(fitting + 1) ?? 0) + MARGIN) {
      setFitting(fitting + 1);
    }
  };
  const latest = useNewest(measure);
  // Nothing else changes the width of what is in the line, and measuring forces a layout of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured anew when these change
  useLayoutEffect(() => latest.current(), [fitting, measuredOf]);
  useEffect(() => {
    if (line.current === null) return;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(line.current);
    return () => observer.disconnect();
  }, [line, latest]);
  return fitting;
}
