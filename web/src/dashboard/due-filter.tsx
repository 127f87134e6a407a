// How many orders of the list are late or nearly so; each figure is a button that lists only those.
import { AlarmClock, TriangleAlert } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useScreenTool } from '../ui/screen-tools.ts';
import { type DueCounts, type DueFilter, dueFilters } from './due-filters.ts';

const appearance = {
  overdue: { glyph: TriangleAlert, ink: 'text-danger', pressed: 'aria-pressed:border-danger' },
  soon: { glyph: AlarmClock, ink: 'text-stale', pressed: 'aria-pressed:border-stale' },
} as const;

interface DueFilterProps {
  /** Null: they are not known. */
  counts: DueCounts | null;
  chosen: DueFilter | null;
  choose(filter: DueFilter | null): void;
}

export function DueFilterButtons({ counts, chosen, choose }: DueFilterProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="flex shrink-0 items-center gap-1.5">
      <legend className="sr-only">{t('due.label')}</legend>
      {dueFilters.map((filter) => (
        <DueFilterButton
          key={filter}
          filter={filter}
          count={counts === null ? null : counts[filter]}
          isChosen={chosen === filter}
          press={() => choose(chosen === filter ? null : filter)}
        />
      ))}
    </fieldset>
  );
}

interface DueFilterButtonProps {
  filter: DueFilter;
  count: number | null;
  isChosen: boolean;
  press(): void;
}

function DueFilterButton({ filter, count, isChosen, press }: DueFilterButtonProps) {
  const { t } = useTranslation();
  const { glyph: Glyph, ink, pressed } = appearance[filter];
  const name = t(`due.${filter}`);
  const hasSome = count !== null && count > 0;
  const text = isChosen ? t('dashboard.clearDue', { name }) : t('due.filter', { name });
  useScreenTool({ id: `due ${filter}`, glyph: Glyph, text }, press);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={t(`due.how.${filter}`)}
      onClick={press}
      className={`inline-flex h-9 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-2.5 text-13 whitespace-nowrap hover:bg-sunken aria-pressed:bg-sunken aria-pressed:font-medium max-md:h-11 pointer-coarse:h-11 ${pressed}`}
    >
      <Glyph aria-hidden className={`size-4 shrink-0 ${hasSome ? ink : 'text-quiet'}`} />
      <span className={hasSome ? '' : 'text-quiet'}>{name}</span>{' '}
      <span className={`font-semibold ${hasSome ? ink : 'text-quiet'}`}>{count ?? '–'}</span>
    </button>
  );
}
