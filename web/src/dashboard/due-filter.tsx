// How many orders of the list are late or nearly so; each figure is a button that lists only those.
import { AlarmClock, TriangleAlert } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { type DueCounts, type DueFilter, dueFilters } from './due-time.ts';

const appearance = {
  overdue: { glyph: TriangleAlert, ink: 'text-danger', pressed: 'aria-pressed:border-danger' },
  soon: { glyph: AlarmClock, ink: 'text-stale', pressed: 'aria-pressed:border-stale' },
} as const;

interface DueFilterProps {
  counts: DueCounts;
  chosen: DueFilter | null;
  choose(filter: DueFilter | null): void;
}

export function DueFilterButtons({ counts, chosen, choose }: DueFilterProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex shrink-0 items-center gap-1.5">
      <legend className="sr-only">{t('due.label')}</legend>
      {dueFilters.map((filter) => {
        const { glyph: Glyph, ink, pressed } = appearance[filter];
        const count = counts[filter];
        return (
          <button
            key={filter}
            type="button"
            aria-pressed={chosen === filter}
            title={t(`due.how.${filter}`)}
            onClick={() => choose(chosen === filter ? null : filter)}
            className={`inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-13 whitespace-nowrap hover:bg-sunken aria-pressed:bg-sunken aria-pressed:font-medium max-md:h-11 pointer-coarse:h-11 ${pressed}`}
          >
            <Glyph aria-hidden className={`size-4 shrink-0 ${count > 0 ? ink : 'text-quiet'}`} />
            <span className={count > 0 ? '' : 'text-quiet'}>{t(`due.${filter}`)}</span>{' '}
            <span className={`font-semibold ${count > 0 ? ink : 'text-quiet'}`}>{count}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
