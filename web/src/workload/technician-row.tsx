// One technician at a glance: who, today, counts, and the cars, which other rows' cars can be dropped on.
import { useDroppable } from '@dnd-kit/core';
import { Smartphone } from 'lucide-react';
import { memo, type Ref, type RefObject, useMemo } from 'react';
import { Link } from 'react-router';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { useClock } from '../shop/clock.ts';
import type { AskWhom } from './car-chip.tsx';
import { CarLane, type MovedByKeys } from './car-lane.tsx';
import type { CarsInSight } from './cars-in-sight.ts';
import { ClockIndicator } from './clock-indicator.tsx';
import { carsOf } from './lanes.ts';
import { type MovingCar, targetOf } from './moves.ts';
import { OrderCounts } from './order-counts.tsx';
import { withCar } from './today.ts';
import { TodayCell } from './today-cell.tsx';

/**
 * The columns from 1024 px on: who, today, counts and cars; with less than 1280 px the counts stand below the cars. The
 * heading above the rows has the same.
 */
export const columns =
  'lg:grid lg:grid-cols-[13rem_11rem_minmax(0,1fr)] lg:gap-x-4 xl:grid-cols-[13rem_11rem_16rem_minmax(0,1fr)] px-2.5';

interface TechnicianRowProps {
  technician: Workload;
  /** Their open orders, by urgency. */
  orders: readonly OpenOrder[];
  /** The displayed number of the order that the clock runs on. */
  number: string | undefined;
  /** Hours that each row's bar has room for. */
  scale: number;
  inSight: CarsInSight;
  /** The car that is being dragged. */
  held: MovingCar | null;
  /** The skills that it needs and the technician lacks, in words; empty: none, or not known yet. */
  gaps: string;
  askWhom: AskWhom | null;
  movedByKeys: RefObject<MovedByKeys | null>;
  measured: Ref<HTMLDivElement> | undefined;
}

export const TechnicianRow = memo(function TechnicianRow(props: TechnicianRowProps) {
  const { technician, orders, number, scale, inSight, held, gaps, askWhom, movedByKeys, measured } = props;
  const { technicianId, fullName, clock, counts, finishedJobs } = technician;
  const { t } = useTranslation();
  const { now } = useClock();
  const { setNodeRef, isOver } = useDroppable({ id: technicianId });
  const cars = useMemo(
    () => carsOf({ technicianId, clock, finishedJobs }, orders),
    [technicianId, clock, finishedJobs, orders],
  );
  const target = held === null || !isOver ? null : targetOf(held.shown.order, held.from, technicianId);
  const after = held !== null && target === 'free' ? withCar(technician, held, now) : null;
  const border =
    target === 'free'
      ? 'border-accent outline-2 outline-accent'
      : clock.state === 'idle'
        ? 'border-accent'
        : 'border-line';
  return (
    <article
      ref={setNodeRef}
      aria-labelledby={`technician-${technicianId}`}
      className={`${columns} flex flex-col gap-y-1.5 rounded-lg border bg-raised py-1 max-md:gap-y-2 max-md:py-2.5 md:max-lg:grid md:max-lg:grid-cols-2 md:max-lg:gap-x-4 ${border}`}
    >
      <Who technician={technician} number={number} />
      <div className="min-w-0 lg:max-xl:row-span-2">
        <TodayCell technician={technician} withCar={after} scale={scale} />
      </div>
      <div className="md:max-lg:col-span-2 lg:max-xl:col-start-3 lg:max-xl:row-start-2">
        <OrderCounts counts={counts} />
      </div>
      <div className="min-w-0 md:max-lg:col-span-2 lg:max-xl:col-start-3 lg:max-xl:row-start-1">
        <CarLane
          technician={technician}
          cars={cars}
          inSight={inSight}
          note={target === 'on-it' ? t('workload.move.onIt', { name: fullName }) : null}
          warning={target === 'free' && gaps !== '' ? gaps : null}
          askWhom={askWhom}
          movedByKeys={movedByKeys}
          measured={measured}
        />
      </div>
    </article>
  );
}, isSameRow);

/** The orders are grouped anew with each change of any order; most rows have the same ones. */
function isSameRow({ orders, ...before }: TechnicianRowProps, { orders: now, ...after }: TechnicianRowProps) {
  const keys = Object.keys(before) as (keyof typeof before)[];
  return (
    keys.every((key) => Object.is(before[key], after[key])) &&
    orders.length === now.length &&
    orders.every((order, place) => order === now[place])
  );
}

/** The whole of it links to the technician's portal. */
function Who({ technician, number }: Pick<TechnicianRowProps, 'technician' | 'number'>) {
  const { t } = useTranslation();
  const { technicianId, fullName, specialty, levelName, portalEnabled, clock } = technician;
  return (
    <div className="group relative flex min-w-0 flex-col rounded-md has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent lg:max-xl:row-span-2">
      <h2 id={`technician-${technicianId}`} className="text-14 font-semibold break-words">
        <Link
          to={`/technicians/${technicianId}`}
          className="outline-none group-hover:underline after:absolute after:inset-0"
        >
          {fullName}
        </Link>
      </h2>
      <div className="flex flex-wrap items-center gap-x-2 text-12 text-quiet">
        {specialty !== '' && <span className="break-words">{specialty}</span>}
        {levelName !== null && <span className="break-words">{levelName}</span>}
        {portalEnabled && (
          <span
            className="relative z-10 inline-flex shrink-0 items-center"
            title={t('workload.portalEnabled')}
          >
            <Smartphone aria-hidden className="size-3" />
            <span className="sr-only">{t('workload.portalEnabled')}</span>
          </span>
        )}
      </div>
      <ClockIndicator clock={clock} number={number} />
    </div>
  );
}
