// A technician's cars in the order in which they are worked, and in words what is now, what is next, and what is late.
import { TriangleAlert } from 'lucide-react';
import { Fragment, type ReactNode, type Ref, type RefObject, useEffect, useRef, useState } from 'react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { type AskWhom, CarChip } from './car-chip.tsx';
import { goToCar } from './car-keys.ts';
import type { CarsInSight } from './cars-in-sight.ts';
import { type Car, factsOf } from './lanes.ts';

/** A car that was moved with keys: with its chip the focus would be gone. */
export interface MovedByKeys {
  order: number;
  from: number;
  /** Its place in the lane. */
  place: number;
}

interface CarLaneProps {
  technician: Pick<Workload, 'technicianId' | 'fullName'>;
  cars: readonly Car[];
  inSight: CarsInSight;
  /** While a car is held over the row they stand in place of the summary. */
  note: string | null;
  warning: string | null;
  askWhom: AskWhom | null;
  movedByKeys: RefObject<MovedByKeys | null>;
  measured: Ref<HTMLDivElement> | undefined;
}

export function CarLane(props: CarLaneProps) {
  const { technician, cars, inSight, note, warning, askWhom, movedByKeys, measured } = props;
  const { t } = useTranslation();
  const { technicianId, fullName: name } = technician;
  const [showsAll, showAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  useFocusOnNeighbour(list, technicianId, cars, movedByKeys);
  const { count, carWidth } = inSight;
  const more = cars.length - count;
  return (
    <div ref={measured} className="flex min-w-0 flex-col gap-0.5">
      <div className="relative">
        <div className={note === null && warning === null ? '' : 'invisible'}>
          <Summary cars={cars} />
        </div>
        {(warning ?? note) !== null && (
          <p
            className={`absolute inset-x-0 top-0 text-12 font-medium ${warning === null ? '' : 'text-stale first-letter:uppercase'}`}
          >
            {warning !== null && <TriangleAlert aria-hidden className="mr-1 inline size-3 align-[-1px]" />}
            {warning ?? note}
          </p>
        )}
      </div>
      {cars.length > 0 && (
        <ul
          ref={list}
          data-lane
          aria-label={t('workload.lane.label', { name })}
          onKeyDown={goToCar}
          className="flex flex-wrap gap-1.5"
        >
          {(showsAll ? cars : cars.slice(0, count)).map((car, place) => (
            <li key={car.shown.order.key} className="min-w-0" style={{ width: carWidth }}>
              <CarChip car={car} technicianId={technicianId} askWhom={askWhom} isFirst={place === 0} />
            </li>
          ))}
          {more > 0 && (
            <li className="flex">
              <button
                type="button"
                aria-expanded={showsAll}
                aria-label={
                  showsAll
                    ? t('workload.lane.fewerOf', { name })
                    : t('workload.lane.more', { name, count: more })
                }
                onClick={() => showAll(!showsAll)}
                className="min-h-9 min-w-11 rounded-md px-1.5 text-13 font-medium text-accent hover:bg-accent-tint pointer-coarse:min-h-11"
              >
                {showsAll ? t('workload.lane.fewer') : `+${more}`}
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Once a car that was moved with keys is gone, the focus is on the one that took its place, so that one can go on. */
function useFocusOnNeighbour(
  list: RefObject<HTMLUListElement | null>,
  technicianId: number,
  cars: readonly Car[],
  movedByKeys: RefObject<MovedByKeys | null>,
): void {
  useEffect(() => {
    const moved = movedByKeys.current;
    if (moved?.from !== technicianId || cars.some(({ shown }) => shown.order.key === moved.order)) return;
    movedByKeys.current = null;
    if (document.activeElement !== document.body) return;
    const chips = list.current?.querySelectorAll<HTMLElement>('[data-car]') ?? [];
    const neighbour = chips[Math.min(moved.place, chips.length - 1)];
    const name = document.querySelector<HTMLElement>(`#technician-${technicianId} a`);
    (neighbour ?? name)?.focus({ preventScroll: true });
  }, [list, technicianId, cars, movedByKeys]);
}

/** 'Now RO 4 · next RO 5 · next promise 14:30 · 2 late'. */
function Summary({ cars }: { cars: readonly Car[] }) {
  const { t } = useTranslation();
  const clock = useClock();
  if (cars.length === 0) return <p className="text-12 text-quiet">{t('workload.lane.none')}</p>;
  const { late, nextPromise } = factsOf(cars, clock.now);
  const number = (place: Car['place']) => cars.find((car) => car.place === place)?.shown.order.roNumber;
  const [now, next] = [number('now'), number('next')];
  const parts: [string, ReactNode][] = [];
  if (now !== undefined) parts.push(['now', t('workload.lane.nowRo', { number: now })]);
  if (next !== undefined) parts.push(['next', t('workload.lane.nextRo', { number: next })]);
  if (nextPromise !== null)
    parts.push(['promise', t('workload.lane.promise', { time: clock.short(nextPromise) })]);
  if (late > 0) {
    parts.push([
      'late',
      <span key="late" className="font-medium whitespace-nowrap text-danger">
        <TriangleAlert aria-hidden className="mr-0.5 inline size-3 align-[-1px]" />
        {t('workload.lane.late', { count: late })}
      </span>,
    ]);
  }
  if (parts.length === 0) parts.push(['done', t('workload.lane.allDone')]);
  return (
    <p className="text-12 text-quiet first-letter:uppercase">
      {parts.map(([key, text], place) => (
        <Fragment key={key}>
          {place > 0 && ' · '}
          {text}
        </Fragment>
      ))}
    </p>
  );
}
