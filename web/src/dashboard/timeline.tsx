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
 * Two lines. The first begins with the time that counts, the promised one or the ETA; the second with how late or soon
 * that is, if it is. The ETA beside a promised time stands in the first line, or where it has no room there at the end
 * of the second. `isDone`: its work is, so that no time is late.
 */
export function Timeline({ order, isDone = false }: { order: RepairOrder; isDone?: boolean }) {
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
  // With its day, even where that is the first one's: a time alone is today's.
  const second = clock.short(promised === null ? openTime : eta);
  const room = roomFor(clock.short(due), second);
  const opened = t('order.opened');
  return (
    <span title={title} className="@container block text-12 whitespace-nowrap">
      <span className="flex h-8 flex-wrap content-start gap-x-1 overflow-hidden @min-[192px]:gap-x-1.5">
        <NamedTime
          name={t(promised === null ? 'order.eta' : 'order.promised')}
          time={clock.short(due)}
          tone={tone}
        />
        {/* It leaves room for the mark of the second line. */}
        {promised !== null && (
          <NamedTime
            name={t('order.eta')}
            time={second}
            className={`max-w-[calc(100%-1.125rem)] ${room.elseLast}`}
          />
        )}
        {promised === null && near.kind !== 'later' && (
          <NamedTime name={opened} time={second} className={`max-w-full ${room.elseHidden}`} />
        )}
        <span aria-hidden className="basis-full" />
        {near.kind !== 'later' ? (
          <DueLabel near={near} className="max-w-max flex-1 basis-3.5" />
        ) : (
          <NamedTime
            name={opened}
            time={clock.short(openTime)}
            className={`max-w-full ${promised === null ? '' : room.elseHidden}`}
          />
        )}
      </span>
    </span>
  );
}

/** What becomes of the second time where the cell has no room for it in the first line. */
function roomFor(first: string, second: string): { elseLast: string; elseHidden: string } {
  const { length } = first + second;
  // Two of today ('4:15 PM'), with a short day before the first ('Thu 14 Nov'), a long one ('Yesterday 4:15 PM'), or
  // with both their days.
  if (length <= 16) return { elseLast: '@max-[191px]:order-last', elseHidden: '@max-[191px]:hidden' };
  if (length <= 18) return { elseLast: '@max-[206px]:order-last', elseHidden: '@max-[206px]:hidden' };
  if (length <= 26) return { elseLast: '@max-[249px]:order-last', elseHidden: '@max-[249px]:hidden' };
  return { elseLast: '@max-[349px]:order-last', elseHidden: '@max-[349px]:hidden' };
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
      className={`flex h-4 flex-row-reverse flex-wrap justify-end gap-x-1 overflow-hidden ${tone ?? ''} ${className}`}
    >
      <span className={`order-1 ${tone === undefined ? 'text-quiet' : ''}`}>{name}</span> <span>{time}</span>
    </span>
  );
}
