import { useTranslation } from 'react-i18next';
import { useClock } from '../shop/clock.ts';
import type { Tab } from './tabs.ts';

/** Null: nobody has told us that figure yet, and none is made up. */
interface Card {
  label: string;
  figure: number | null;
}

export function Cards({ tab, shown, waiting }: { tab: Tab; shown: number | null; waiting: number | null }) {
  const { t } = useTranslation();
  const clock = useClock();
  const cards: Card[] =
    tab === 'used'
      ? [
          { label: t('card.completedIn', { month: clock.month(clock.now) }), figure: null },
          { label: t('card.timeBeforeService'), figure: null },
          { label: t('card.timeInService'), figure: null },
          { label: t('card.timeWithTech'), figure: null },
        ]
      : [
          { label: t('card.totalActive'), figure: shown },
          { label: t('card.waitingCustomers'), figure: waiting },
          { label: t('card.completedToday'), figure: null },
          { label: t('card.averageWait'), figure: null },
        ];
  return (
    <dl
      aria-label={t('card.label')}
      className="grid shrink-0 grid-cols-4 gap-3 max-lg:gap-2 max-md:grid-cols-2"
    >
      {cards.map(({ label, figure }) => (
        <div
          key={label}
          // A phone has no room for figures that nobody knows.
          className={`flex h-12 items-center justify-between gap-3 rounded-lg border border-line bg-raised px-3.5 max-md:h-11 max-md:px-3 ${figure === null ? 'max-md:hidden' : ''}`}
        >
          <dt className="truncate text-12 text-quiet" title={label}>
            {label}
          </dt>
          <dd
            className={`text-20 font-semibold ${figure === null ? 'text-quiet' : ''}`}
            title={figure === null ? t('card.noData') : undefined}
          >
            {figure ?? (
              <>
                <span aria-hidden>–</span>
                <span className="sr-only">{t('card.noData')}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
