// When the order is due, when it is expected to be done, and when it was opened; a label marks late or nearly late
// orders.
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DueLabel, dueText, dueTone } from '../repair-order/due-label.tsx';
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { type Dueness, dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';

/**
 * Two lines that each begin with a time, in every row the same: the time that counts, the promised one or the ETA; below
 * it the ETA beside a promised time, else when the order was opened. How late or soon the order is stands behind that, or
 * where there is no room for both in place of the opening, which the tooltip has. `mark`: what is said of the promise, at the end of the first line. `isDone`: its work is, so that no time is late.
 */
export function Timeline({ order, mark, isDone = false }: TimelineProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const { openTime, eta, promised } = order;
  const due = dueAt(order);
  const near: Dueness = isDone ? { kind: 'later' } : dueness(due, clock.now);
  const title = [
    ...(near.kind === 'later' ? [] : [dueText(near, t)]),
    t('order.openedTitle', { time: clock.full(openTime) }),
    t('order.etaTitle', { time: clock.full(eta) }),
    ...(promised === null ? [] : [t('order.promisedTitle', { time: clock.full(promised) })]),
  ].join('\n');
  const tone = near.kind === 'later' ? undefined : dueTone(near);
  const isNear = near.kind !== 'later';
  // By how much it is late says more than when it was opened.
  const openedRoom = near.kind === 'overdue' ? '@max-[239px]:hidden' : '@max-[191px]:hidden';
  return (
    <span title={title} className="@container block text-12 whitespace-nowrap">
      <span className="flex gap-x-1">
        <NamedTime
          name={t(promised === null ? 'order.eta' : 'order.promised')}
          time={clock.short(due)}
          tone={tone}
          className="min-w-0"
        />
        {mark !== undefined && <span className="ml-auto shrink-0 empty:hidden">{mark}</span>}
      </span>{' '}
      <span className="flex gap-x-2">
        {promised === null ? (
          <NamedTime
            name={t('order.opened')}
            time={clock.short(openTime)}
            className={isNear ? `${SECOND} ${openedRoom}` : 'max-w-full'}
          />
        ) : (
          <NamedTime name={t('order.eta')} time={clock.short(eta)} className={SECOND} />
        )}{' '}
        {isNear ? (
          <DueLabel near={near} className="max-w-max flex-1 basis-3.5" />
        ) : (
          promised !== null && (
            <NamedTime
              name={t('order.opened')}
              time={clock.short(openTime)}
              className="min-w-0 flex-1 @max-[191px]:hidden"
            />
          )
        )}
      </span>
    </span>
  );
}

/** It leaves room for the mark of what follows; where there is more room also for its span, at the same place in all rows. */
const SECOND = 'max-w-[calc(100%-1.375rem)] @min-[192px]:min-w-24 @min-[192px]:max-w-[55%]';

interface TimelineProps {
  order: RepairOrder;
  mark?: ReactNode;
  isDone?: boolean;
}

/** What is due next, in one line: for a card. */
export function DueFlag({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { eta, promised } = order;
  const near = dueness(dueAt(order), clock.now);
  return (
    <span className="block text-12 whitespace-nowrap">
      <Line>
        {near.kind !== 'later' && <DueLabel near={near} />}
        {promised !== null && <NamedTime name={t('order.promised')} time={clock.short(promised)} />}
        <NamedTime name={t('order.eta')} time={clock.short(eta)} />
      </Line>
    </span>
  );
}

/** What has no room goes to a further line that is not seen. */
function Line({ children }: { children: ReactNode }) {
  return <span className="flex h-4 flex-wrap gap-x-1.5 overflow-hidden">{children}</span>;
}

interface NamedTimeProps {
  name: string;
  time: string;
  /** The colour of a time that is late or soon. */
  tone?: string | undefined;
  className?: string;
}

/** Where there is no room for both the time stands alone: from the right, what has no room goes to a line not seen. */
function NamedTime({ name, time, tone, className = 'max-w-full' }: NamedTimeProps) {
  return (
    <span
      className={`flex h-[var(--row-line,1rem)] flex-row-reverse flex-wrap justify-end gap-x-1 overflow-hidden leading-[var(--row-line,1rem)] ${tone ?? ''} ${className}`}
    >
      <span className={`order-1 ${tone === undefined ? 'text-quiet' : ''}`}>{name}</span> <span>{time}</span>
    </span>
  );
}
