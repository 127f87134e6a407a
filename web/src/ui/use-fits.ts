import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** px; what else is in the line may change its width a little all the time. */
const MARGIN = 32;

/**
 * Whether a line's content has room in it. Where it has not, its component renders less, and all of it again once the
 * line is wide enough.
 */
export function useFits(line: RefObject<HTMLElement | null>, content: string): boolean {
  const [fits, setFits] = useState(true);
  /** px; what the whole content needs. */
  const needed = useRef(0);
  const [measured, setMeasured] = useState(content);
  // Other words need another width.
  if (measured !== content) {
    setMeasured(content);
    setFits(true);
  }

  const measure = () => {
    const element = line.current;
    if (element === null) return;
    if (fits) {
      needed.current = element.scrollWidth;
      // A fraction of a pixel is no overflow.
      if (element.scrollWidth > element.clientWidth + 1) setFits(false);
    } else if (element.clientWidth >= needed.current + MARGIN) setFits(true);
  };
  const latest = useRef(measure);
  useLayoutEffect(() => {
    latest.current = measure;
    measure();
  });
  useEffect(() => {
    if (line.current === null) return;
    const observer = new ResizeObserver(() => latest.current());
    observer.observe(line.current);
    return () => observer.disconnect();
  }, [line]);
  return fits;
}
