// What a car's chip shows, in two lines: its number and when it is due or that it is done, then whether it is worked on now
// or next, and the vehicle.
import { ArrowRight, CircleCheck, Wrench } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DueLabel, dueText } from '../repair-order/due-label.tsx';
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
  // Behind what is seen, which is said as it stands there.
  const unseen = [
    t(`status.${order.status}`),
    ...(place === 'next' ? [t('workload.lane.next')] : []),
    ...(isEtl ? [t('workload.lane.etl')] : []),
  ];
  return (
    <>
      <span className="flex items-center gap-1.5">
        <span className="sr-only">{verb} </span>
        <span aria-hidden className="font-mono text-13 font-medium">
          {order.roNumber}
        </span>{' '}
        {place === 'done' ? <Done /> : <Due order={order} />}
      </span>{' '}
      <span className="flex min-w-0 items-center gap-1 text-12 text-quiet">
        <Status aria-hidden className={`size-3 shrink-0 ${ink}`} />
        {(place === 'now' || place === 'next') && <Place place={place} />}{' '}
        {isEtl && (
          <span aria-hidden className="shrink-0 font-medium">
            {t('workload.lane.etlShort')}
          </span>
        )}{' '}
        <span className="min-w-0 truncate">{shortVehicle(order.vehicle)}</span>
      </span>{' '}
      <span className="sr-only">{unseen.join(', ')}</span>
    </>
  );
}

/** What is next is said in words above the cars. */
function Place({ place }: { place: 'now' | 'next' }) {
  const { t } = useTranslation();
  const Glyph = place === 'now' ? Wrench : ArrowRight;
  return (
    <span className="flex shrink-0 items-center gap-0.5 font-medium text-accent">
      <Glyph aria-hidden className="size-3" />
      {place === 'now' && t('workload.lane.now')}
    </span>
  );
}

/** What it was promised for hurries nobody any more. */
function Done() {
  const { t } = useTranslation();
  return (
    <span className={`${quiet} flex items-center gap-0.5`}>
      <CircleCheck aria-hidden className="size-3 shrink-0 text-used" />
      {t('workload.lane.done')}
    </span>
  );
}

/** Loud only where a promise is late or near: an ETA is nobody's word. */
function Due({ order: { promised, eta } }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  if (promised === null) {
    const isPast = dueness(eta, clock.now).kind === 'overdue';
    return (
      <span className={quiet}>
        {isPast ? t('workload.lane.noPromise') : `${t('order.eta')} ${chipTime(eta, clock)}`}
      </span>
    );
  }
  const near = dueness(promised, clock.now);
  if (near.kind !== 'later') return <DueLabel near={near} className="ml-auto max-w-max min-w-0 flex-1" />;
  return (
    <span className={quiet}>
      <span className="sr-only">{t('order.promised')} </span>
      {chipTime(promised, clock)}
    </span>
  );
}

const quiet = 'ml-auto min-w-0 truncate text-12 text-quiet';

const DAY_MS = 86_400_000;

/** 'Fri 12:45 PM' in place of 'tomorrow 12:45 PM', which has no room. */
function chipTime(at: number, clock: Clock): string {
  return clock.day(at) === clock.day(clock.now + DAY_MS)
    ? `${clock.weekday(at)} ${clock.time(at)}`
    : clock.short(at);
}

type Translate = ReturnType<typeof useTranslation>['t'];

/** All of it, for the title. */
export function carTitle({ shown: { order }, place, isEtl }: Car, t: Translate, clock: Clock): string {
  const { promised, eta } = order;
  const near = promised === null ? null : dueness(promised, clock.now);
  return [
    [order.vehicle, order.customer].filter(Boolean).join(' · '),
    promised === null
      ? t('order.etaTitle', { time: clock.full(eta) })
      : t('order.promisedTitle', { time: clock.full(promised) }),
    ...(place === 'done'
      ? [t('workload.lane.doneTitle')]
      : near === null || near.kind === 'later'
        ? []
        : [dueText(near, t)]),
    ...(isEtl ? [t('workload.lane.etlTitle')] : []),
  ].join('\n');
}
