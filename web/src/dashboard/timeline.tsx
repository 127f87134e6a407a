// When the order was opened, when it is expected to be done, and when it was promised; a label marks late or nearly
// late orders.
import { AlarmClock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { type Dueness, dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';
import { dueAt, spanOf } from './due-time.ts';

/** Two lines. What has no room at the end of one is not seen; the title has it. */
export function Timeline({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { openTime, eta, promised } = order;
  const title = [
    t('order.openedTitle', { time: clock.full(openTime) }),
    t('order.etaTitle', { time: clock.full(eta) }),
    ...(promised === null ? [] : [t('order.promisedTitle', { time: clock.full(promised) })]),
  ].join('\n');
  const near = dueness(dueAt(order), clock.now);
  const opened = <NamedTime name={t('order.opened')} time={clock.short(openTime)} />;
  const expected = <NamedTime name={t('order.eta')} time={clock.short(eta)} />;
  const promise = promised !== null && <NamedTime name={t('order.promised')} time={clock.short(promised)} />;
  const isMarked = near.kind !== 'later';
  return (
    <span title={title} className="block text-12 whitespace-nowrap">
      <Line>
        {isMarked && promise}
        {(isMarked || promise) && expected}
        {!(isMarked && promise) && opened}
      </Line>
      <Line>
        <DueLabel near={near} />
        {isMarked ? promise && opened : promise || expected}
      </Line>
    </span>
  );
}

/** What is due next, in one line: for a card. */
export function DueFlag({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { eta, promised } = order;
  return (
    <span className="block text-12 whitespace-nowrap">
      <Line>
        <DueLabel near={dueness(dueAt(order), clock.now)} />
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

function NamedTime({ name, time }: { name: string; time: string }) {
  return (
    <span className="flex max-w-full gap-1">
      <span className="min-w-0 truncate text-quiet">{name}</span> <span className="shrink-0">{time}</span>
    </span>
  );
}

function DueLabel({ near }: { near: Dueness }) {
  const { t } = useTranslation();
  if (near.kind === 'later') return null;
  const late = near.kind === 'overdue';
  const Glyph = late ? TriangleAlert : AlarmClock;
  return (
    <span className={`flex items-center gap-1 font-medium ${late ? 'text-danger' : 'text-stale'}`}>
      <Glyph aria-hidden className="size-3.5 shrink-0" />
      {dueText(near, t)}
    </span>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

function dueText(near: Exclude<Dueness, { kind: 'later' }>, t: Translate): string {
  const span = spanText(near.minutes, t);
  if (near.kind === 'overdue') return t('table.overdue', { span });
  return near.minutes === 0 ? t('table.dueNow') : t('table.dueIn', { span });
}

function spanText(minutes: number, t: Translate): string {
  const span = spanOf(minutes);
  if ('days' in span) return t('table.days', span);
  return 'hours' in span ? t('table.hours', span) : t('table.minutes', span);
}
