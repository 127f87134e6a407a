// When the order was opened, when it is expected to be done, and when it was promised; a label marks late or nearly
// late orders.
import { AlarmClock, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { type Dueness, dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';
import { dueAt, spanOf } from './due-time.ts';

/** Two lines: of an order that is late or due soon the ETA and the promised time, of another what fits. The title has all. */
export function Timeline({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { openTime, eta, promised } = order;
  const near = dueness(dueAt(order), clock.now);
  const title = [
    ...(near.kind === 'later' ? [] : [dueText(near, t)]),
    t('order.openedTitle', { time: clock.full(openTime) }),
    t('order.etaTitle', { time: clock.full(eta) }),
    ...(promised === null ? [] : [t('order.promisedTitle', { time: clock.full(promised) })]),
  ].join('\n');
  const opened = <NamedTime name={t('order.opened')} time={clock.short(openTime)} />;
  const expected = <NamedTime name={t('order.eta')} time={clock.short(eta)} />;
  return (
    <span title={title} className="@container block text-12 whitespace-nowrap">
      {near.kind === 'later' ? (
        <>
          <Line>
            {promised !== null && expected}
            {opened}
          </Line>
          <Line>
            {promised === null ? (
              expected
            ) : (
              <NamedTime name={t('order.promised')} time={clock.short(promised)} />
            )}
          </Line>
        </>
      ) : promised === null ? (
        <>
          <Line>
            {expected}
            {opened}
          </Line>
          <Line>
            <DueLabel near={near} />
          </Line>
        </>
      ) : (
        <NearPromise eta={eta} promised={promised} near={near} />
      )}
    </span>
  );
}

interface NearPromiseProps {
  eta: number;
  promised: number;
  near: NearDueness;
}

/**
 * Both times beside each other and the label below them. Where they have no room beside each other each has a line of its
 * own, and the rest of the second is for a shorter label: its glyph at least.
 */
function NearPromise({ eta, promised, near }: NearPromiseProps) {
  const { t } = useTranslation();
  const clock = useClock();
  // What both times beside each other need: two of today ('6:15 PM', '12:15 PM'), or two with their days.
  const longest = Math.max(...[eta, promised].map((at) => clock.short(at).length));
  const [ifRoomy, unlessRoomy] =
    longest <= 7
      ? ['hidden @min-[192px]:block', '@min-[192px]:hidden']
      : longest === 8
        ? ['hidden @min-[204px]:block', '@min-[204px]:hidden']
        : ['hidden @min-[350px]:block', '@min-[350px]:hidden'];
  return (
    <span className="flex h-8 flex-wrap content-start gap-x-1.5 overflow-hidden">
      <NamedTime name={t('order.promised')} time={clock.short(promised)} tone={toneOf(near)} />
      <NamedTime name={t('order.eta')} time={clock.short(eta)} />
      {/* Begins the second line. */}
      <span aria-hidden className={`basis-full ${ifRoomy}`} />
      <span className="flex h-4 min-w-3.5 flex-1 basis-3.5 overflow-hidden">
        <DueGlyph near={near}>
          <span className={ifRoomy}>{dueText(near, t)}</span>
          <span className={unlessRoomy}>{t(`due.${near.kind}`)}</span>
        </DueGlyph>
      </span>
    </span>
  );
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
  tone?: string;
}

function NamedTime({ name, time, tone }: NamedTimeProps) {
  return (
    <span className={`flex max-w-full gap-1 ${tone ?? ''}`}>
      <span className={`min-w-0 truncate ${tone === undefined ? 'text-quiet' : ''}`}>{name}</span>{' '}
      <span className="shrink-0">{time}</span>
    </span>
  );
}

type NearDueness = Exclude<Dueness, { kind: 'later' }>;

const toneOf = (near: NearDueness) => (near.kind === 'overdue' ? 'text-danger' : 'text-stale');

function DueLabel({ near }: { near: NearDueness }) {
  const { t } = useTranslation();
  return (
    <DueGlyph near={near}>
      <span>{dueText(near, t)}</span>
    </DueGlyph>
  );
}

/** The words go to a line that is not seen where they have no room beside the glyph. */
function DueGlyph({ near, children }: { near: NearDueness; children: ReactNode }) {
  const Glyph = near.kind === 'overdue' ? TriangleAlert : AlarmClock;
  return (
    <span className={`flex h-4 min-w-0 flex-wrap gap-x-1 overflow-hidden font-medium ${toneOf(near)}`}>
      <Glyph aria-hidden className="my-px size-3.5 shrink-0" />
      {children}
    </span>
  );
}

type Translate = ReturnType<typeof useTranslation>['t'];

function dueText(near: NearDueness, t: Translate): string {
  const span = spanText(near.minutes, t);
  if (near.kind === 'overdue') return t('table.overdue', { span });
  return near.minutes === 0 ? t('table.dueNow') : t('table.dueIn', { span });
}

function spanText(minutes: number, t: Translate): string {
  const span = spanOf(minutes);
  if ('days' in span) return t('table.days', span);
  return 'hours' in span ? t('table.hours', span) : t('table.minutes', span);
}
