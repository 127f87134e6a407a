// The summary cards: a figure and a trend. An unknown figure is a dash, never an estimate. The first counts the list, the
// others all orders: where the list is a part of them, each card says which.
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { Figure, Figures } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { useNarrow } from '../ui/media.ts';
import type { Tab } from './categories.ts';

interface SummaryCard {
  label: string;
  /** How it is counted. */
  how: string;
  /** Of which orders; null: the list has them all, so that it makes no difference. */
  scope: string | null;
  value: number | null;
  /** What the value is a part of; null: it is the whole. */
  whole?: number | null;
  /** Null: there is nothing to compare with. */
  yesterday: number | null;
  /** Of an amount that is not negative, as people read it. */
  worded: (amount: number) => string;
  /** The value of one displayed step: a smaller change counts as none. */
  step: number;
}

interface SummaryCardsProps {
  tab: Tab;
  shown: number | null;
  /** How many the tab lists without a search and a filter. */
  all: number;
  waiting: number | null;
  figures: Figures | null;
}

export function SummaryCards(props: SummaryCardsProps) {
  const { t } = useTranslation();
  const cards = useCards(props);
  return (
    <dl
      aria-label={t('card.label')}
      className="grid shrink-0 grid-cols-4 gap-3 max-xl:gap-2 max-md:flex max-md:gap-1.5"
    >
      {cards.map((card) => (
        <CardBox key={card.label} card={card} />
      ))}
    </dl>
  );
}

function CardBox({ card }: { card: SummaryCard }) {
  const { label, how, scope, value, whole = null, yesterday, worded, step } = card;
  const { t } = useTranslation();
  const compared = value !== null && yesterday !== null;
  const hasSecondLine = compared || scope !== null;
  return (
    <div
      title={`${label}: ${how}`}
      // A phone has no room for figures that nobody knows.
      className={`grid h-12 grid-cols-[minmax(0,1fr)_auto] content-center gap-x-3 rounded-lg border border-line bg-raised px-3.5 max-xl:gap-x-2 max-xl:px-2.5 max-md:flex max-md:h-11 max-md:items-center max-md:whitespace-nowrap ${value === null ? 'max-md:hidden' : ''}`}
    >
      <dt className={`truncate text-12 text-quiet ${hasSecondLine ? '' : 'md:row-span-2 md:self-center'}`}>
        {label}
      </dt>
      <dd
        className={`text-20 font-semibold max-md:text-16 md:col-start-2 md:row-span-2 md:row-start-1 md:self-center ${value === null ? 'text-quiet' : ''}`}
        title={value === null ? t('card.noData') : undefined}
      >
        {value !== null ? (
          <>
            {worded(value)}
            {whole !== null && (
              <span className="text-12 font-normal text-quiet"> {t('card.ofAll', { number: whole })}</span>
            )}
          </>
        ) : (
          <>
            <span aria-hidden>–</span>
            <span className="sr-only">{t('card.noData')}</span>
          </>
        )}
      </dd>
      {hasSecondLine && (
        <dd className="flex min-w-0 items-center gap-1 text-12 text-quiet">
          {scope !== null && <span className="truncate xl:shrink-0">{scope}</span>}
          {scope !== null && compared && <span aria-hidden>·</span>}
          {compared && (
            <Trend
              steps={Math.round((value - yesterday) / step)}
              worded={(steps) => worded(steps * step)}
              isShort={scope !== null}
            />
          )}
        </dd>
      )}
    </div>
  );
}

interface TrendProps {
  steps: number;
  worded(steps: number): string;
  /** Beside a scope a small desk has room for the change alone. */
  isShort: boolean;
}

/** An arrow (where there is room), a sign and words tell more or less; whether that is good is left to the reader. */
function Trend({ steps, worded, isShort }: TrendProps) {
  const { t } = useTranslation();
  const narrow = useNarrow();
  const Arrow = steps > 0 ? ArrowUp : ArrowDown;
  const change = steps === 0 ? '±0' : `${steps > 0 ? '+' : '−'}${worded(Math.abs(steps))}`;
  const trend = t('card.trend', { change });
  return (
    <>
      {steps !== 0 && (
        <Arrow className={`size-3 shrink-0 ${isShort ? 'md:max-xl:hidden' : ''}`} aria-hidden />
      )}
      {/* In its one line a phone has room for the change alone. */}
      {(narrow || isShort) && (
        <span aria-hidden className={`shrink-0 ${narrow ? '' : 'xl:hidden'}`}>
          {change}
        </span>
      )}
      <span className={narrow ? 'sr-only' : `truncate ${isShort ? 'max-xl:sr-only' : ''}`}>{trend}</span>
    </>
  );
}

/** Which orders the figures are of that the list does not decide; null: the list has the same ones. */
function scopeOf(tab: Tab, isPart: boolean, t: ReturnType<typeof useTranslation>['t']): string | null {
  if (tab === 'used') return isPart ? t('card.scope.used') : null;
  return isPart || tab !== 'all' ? t('card.scope.shop') : null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function useCards({ tab, shown, all, waiting, figures }: SummaryCardsProps): SummaryCard[] {
  const { t, locale } = useTranslation();
  const clock = useClock();
  const decimal = new Intl.NumberFormat(locale, {
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  });
  const unknown: Figure = { value: null, yesterday: null };
  const uncompared = (value: number | null): Figure => ({ value, yesterday: null });

  const isPart = shown !== null && shown !== all;
  const scope = scopeOf(tab, isPart, t);

  const count = (label: string, how: string, figure: Figure = unknown): SummaryCard => ({
    label,
    how,
    scope,
    ...figure,
    worded: String,
    step: 1,
  });
  const hours = (label: string, how: string, figure: Figure = unknown): SummaryCard => ({
    label,
    how,
    scope,
    ...figure,
    worded: (ms) => t('card.hours', { number: decimal.format(ms / HOUR_MS) }),
    step: HOUR_MS / 10,
  });
  const days = (label: string, how: string, figure: Figure = unknown): SummaryCard => ({
    label,
    how,
    scope,
    ...figure,
    worded: (ms) => t('card.days', { number: decimal.format(ms / DAY_MS) }),
    step: DAY_MS / 10,
  });

  if (tab === 'used') {
    const usedCars = figures?.used;
    const month = clock.month(clock.now);
    return [
      count(t('card.completedIn', { month }), t('card.how.completedIn'), usedCars?.completed),
      days(t('card.timeBeforeService'), t('card.how.timeBeforeService'), usedCars?.averageBeforeServiceMs),
      days(t('card.timeInService'), t('card.how.timeInService'), usedCars?.averageInServiceMs),
      days(t('card.timeWithTech'), t('card.how.timeWithTech'), usedCars?.averageWithTechnicianMs),
    ];
  }
  return [
    {
      ...count(t('card.totalActive'), t('card.how.totalActive'), uncompared(shown)),
      scope: scope === null ? null : t('card.scope.list'),
      whole: isPart ? all : null,
    },
    count(t('card.waitingCustomers'), t('card.how.waitingCustomers'), uncompared(waiting)),
    count(t('card.completedToday'), t('card.how.completedToday'), figures?.completedToday),
    hours(t('card.averageWait'), t('card.how.averageWait'), figures?.averageWaitMs),
  ];
}
