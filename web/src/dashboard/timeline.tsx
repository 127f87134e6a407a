// When the order was opened and when it is due; a label marks late or nearly late orders.
import { AlarmClock, TriangleAlert } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useClock } from '../shop/clock.ts';
import { dueAt, dueness, spanOf } from './due-time.ts';

export function Timeline({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const due = dueAt(order);
  const title = [
    t('order.openedTitle', { time: clock.full(order.openTime) }),
    t('order.etaTitle', { time: clock.full(order.eta) }),
    ...(order.promised === null ? [] : [t('order.promisedTitle', { time: clock.full(order.promised) })]),
  ].join('\n');
  return (
    <span title={title} className="grid grid-cols-[auto_1fr] content-start gap-x-2 text-12 whitespace-nowrap">
      <span className="text-quiet">{t('order.opened')}</span>
      <span>{clock.short(order.openTime)}</span>
      <DueLine due={due} now={clock.now} time={clock.short(due)} />
    </span>
  );
}

function DueLine({ due, now, time }: { due: number; now: number; time: string }) {
  const { t } = useTranslation();
  const near = dueness(due, now);
  if (near.kind === 'later') {
    return (
      <>
        <span className="text-quiet">{t('order.eta')}</span>
        <span>{time}</span>
      </>
    );
  }
  const late = near.kind === 'overdue';
  const Glyph = late ? TriangleAlert : AlarmClock;
  const span = spanText(near.minutes, t);
  const word = late
    ? t('table.overdue', { span })
    : near.minutes === 0
      ? t('table.dueNow')
      : t('table.dueIn', { span });
  return (
    // The time goes to a second line that is not seen where there is no room for both; the title has it.
    <span className="col-span-2 flex h-4 flex-wrap gap-x-2 overflow-hidden">
      <span className={`flex items-center gap-1 font-medium ${late ? 'text-danger' : 'text-stale'}`}>
        <Glyph aria-hidden className="size-3.5 shrink-0" />
        {word}
      </span>
      <span className="text-quiet">
        <span className="sr-only">{t('order.eta')} </span>
        {time}
      </span>
    </span>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

function spanText(minutes: number, t: Translate): string {
  const span = spanOf(minutes);
  if ('days' in span) return t('table.days', span);
  return 'hours' in span ? t('table.hours', span) : t('table.minutes', span);
}
