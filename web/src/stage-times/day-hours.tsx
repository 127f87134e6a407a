// The same hours in words, day by day: what the bars are made of.
import { useId, useState } from 'react';
import type { TimeInStages } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { Stages } from '../repair-order/stages.ts';
import { useClock } from '../shop/clock.ts';
import { fromWallTime } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { cell, Figure, Head, outer } from './section.tsx';
import { StageName } from './stage-drawing.tsx';
import { hoursText } from './totals.ts';

export function DayHours({ totals, stages }: { totals: TimeInStages; stages: Stages }) {
  const { t, locale } = useTranslation();
  const clock = useClock();
  const id = useId();
  const [isShown, show] = useState(false);
  return (
    <div className="flex flex-col items-start gap-2">
      <Button
        aria-expanded={isShown}
        aria-controls={isShown ? id : undefined}
        onClick={() => show(!isShown)}
        className="max-md:h-11"
      >
        {t(isShown ? 'stageTimes.hideDays' : 'stageTimes.showDays')}
      </Button>
      {isShown && (
        <section
          id={id}
          aria-label={t('stageTimes.byDay')}
          // Wider than a phone: by keys it is scrolled, too.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          tabIndex={0}
          className="w-full overflow-x-auto rounded-lg border border-line bg-raised"
        >
          <table className="w-full border-separate border-spacing-0">
            <thead>
              <tr>
                <Head className={outer.first}>{t('stageTimes.column.day')}</Head>
                {totals.stages.map(({ stage }) => (
                  <Head key={stage ?? ''} number className="min-w-24 py-1.5">
                    <span className="inline-flex text-left">
                      <StageName stage={stage} stages={stages} />
                    </span>
                  </Head>
                ))}
                <Head number className={outer.last}>
                  {t('stageTimes.column.all')}
                </Head>
              </tr>
            </thead>
            <tbody>
              {totals.days.map((day, place) => (
                <tr key={day} className="hover:bg-sunken/60">
                  <th
                    scope="row"
                    className={`${cell} ${outer.first} text-left font-medium whitespace-nowrap`}
                  >
                    {clock.day(fromWallTime(`${day}T12:00`))}
                  </th>
                  {totals.stages.map(({ stage, byDayMs }) => (
                    <Figure key={stage ?? ''}>{hoursOr(byDayMs[place] ?? 0, locale)}</Figure>
                  ))}
                  <Figure className={`font-medium ${outer.last}`}>
                    {hoursOr(
                      totals.stages.reduce((sum, { byDayMs }) => sum + (byDayMs[place] ?? 0), 0),
                      locale,
                    )}
                  </Figure>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </div>
  );
}

/** Nothing is read last. */
function hoursOr(ms: number, locale: string): string {
  return ms === 0 ? '–' : hoursText(ms, locale);
}
