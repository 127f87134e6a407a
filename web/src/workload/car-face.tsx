// What a car's chip shows, in two lines: its number and when it is due, then whether it is worked on now or next, and the
// vehicle.
import { ArrowRight, Wrench } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DueLabel, dueText } from '../repair-order/due-label.tsx';
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { statusAppearance } from '../repair-order/statuses.ts';
import { dueness } from '../rules/dueness.ts';
import { type Clock, useClock } from '../shop/clock.ts';
import { type Car, shortVehicle } from './lanes.ts';

interface CarFaceProps {
  car: Car;
  /** What pressing it does, with the number: for screen readers, as the beginning of its name. */
  verb: string;
}

export function CarFace({ car: { shown, place, isEtl }, verb }: CarFaceProps) {
  const { t } = useTranslation();
  const { order } = shown;
  const { glyph: Status, ink } = statusAppearance[order.status];
  return (
    <>
      <span className="flex items-center gap-1.5">
        <span className="sr-only">{verb} </span>
        <span aria-hidden className="font-mono text-13 font-medium">
          {order.roNumber}
        </span>{' '}
        <Due order={order} />
      </span>{' '}
      <span className="flex min-w-0 items-center gap-1 text-12 text-quiet">
        <Status aria-hidden className={`size-3 shrink-0 ${ink}`} />
        <span className="sr-only">{t(`status.${order.status}`)} </span>
        {place !== null && <Place place={place} />}{' '}
        {isEtl && <span className="shrink-0 font-medium">{t('workload.lane.etl')}</span>}{' '}
        <span className="min-w-0 truncate">{shortVehicle(order.vehicle)}</span>
      </span>
    </>
  );
}

function Place({ place }: { place: 'now' | 'next' }) {
  const { t } = useTranslation();
  const Glyph = place === 'now' ? Wrench : ArrowRight;
  return (
    <span className="flex shrink-0 items-center gap-0.5 font-medium text-accent">
      <Glyph aria-hidden className="size-3" />
      {t(`workload.lane.${place}`)}
    </span>
  );
}

function Due({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const near = dueness(dueAt(order), clock.now);
  if (near.kind !== 'later') return <DueLabel near={near} className="ml-auto max-w-max min-w-0 flex-1" />;
  return (
    <span className="ml-auto min-w-0 truncate text-12 text-quiet">
      <span className={order.promised === null ? '' : 'sr-only'}>
        {t(order.promised === null ? 'order.eta' : 'order.promised')}{' '}
      </span>
      {clock.short(dueAt(order))}
    </span>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** All of it, for the title. */
export function carTitle({ shown: { order }, isEtl }: Car, t: Translate, clock: Clock): string {
  const near = dueness(dueAt(order), clock.now);
  const time = clock.full(dueAt(order));
  return [
    [order.vehicle, order.customer].filter(Boolean).join(' · '),
    t(order.promised === null ? 'order.etaTitle' : 'order.promisedTitle', { time }),
    ...(near.kind === 'later' ? [] : [dueText(near, t)]),
    ...(isEtl ? [t('workload.lane.etlTitle')] : []),
  ].join('\n');
}
