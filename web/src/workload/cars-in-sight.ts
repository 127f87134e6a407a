// How many cars have room in a lane, and how wide each is. All lanes are as wide as each other, so that one of them is
// measured, and the cars of all rows stand in columns.
import { type RefCallback, useCallback, useState } from 'react';

/** px; what a car needs, what stands between two, and the button that shows the rest. */
const CAR = 152;
const GAP = 6;
const MORE = 44;
/** px; a lane on a phone has two lines of cars, in which the button takes the place of one. */
const NARROW = 480;

export interface CarsInSight {
  count: number;
  /** CSS. */
  carWidth: string;
}

export function carsInSight(width: number): CarsInSight {
  const isNarrow = width < NARROW;
  const room = isNarrow ? width : width - MORE - GAP;
  const inLine = Math.max(1, Math.floor((room + GAP) / (CAR + GAP)));
  const beside = (inLine - 1) * GAP + (isNarrow ? 0 : MORE + GAP);
  return {
    count: isNarrow ? Math.max(1, 2 * inLine - 1) : inLine,
    carWidth: `calc((100% - ${beside}px) / ${inLine})`,
  };
}

/** Before anything is measured. */
const atFirst = carsInSight(720);

/** The cars in sight, and the ref of the lane that is measured. */
export function useCarsInSight(): [CarsInSight, RefCallback<HTMLElement>] {
  const [inSight, set] = useState(atFirst);
  const measured = useCallback((lane: HTMLElement | null) => {
    if (lane === null) return;
    const measure = () => {
      // Without a layout there is nothing to measure.
      if (lane.clientWidth === 0) return;
      const found = carsInSight(lane.clientWidth);
      set((before) => (before.carWidth === found.carWidth && before.count === found.count ? before : found));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(lane);
    return () => observer.disconnect();
  }, []);
  return [inSight, measured];
}
