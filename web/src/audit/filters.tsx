// The filters of the audit trail.
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DayField, FilterField } from '../ui/filter-field.tsx';
import { Select } from '../ui/form-field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { allKinds, type Filters } from './audit.ts';

interface FilterBarProps {
  filters: Filters;
  change(change: Partial<Filters>): void;
}

/** The delay between the last key press and the search. */
const TYPING_PAUSE_MS = 300;

export function FilterBar({ filters, change }: FilterBarProps) {
  const { t } = useTranslation();
  const { from, to, kind, outcome } = filters;
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-2">
      <FilterField label={t('audit.filter.kind')} className="w-52 max-md:w-[calc(60%-0.375rem)]">
        {(id) => (
          <Select
            id={id}
            value={kind ?? ''}
            onChange={({ target }) => change({ kind: allKinds.find((one) => one === target.value) ?? null })}
          >
            <option value="">{t('audit.filter.anyKind')}</option>
            {allKinds.map((one) => (
              <option key={one} value={one}>
                {t(`audit.kind.${one}`)}
              </option>
            ))}
          </Select>
        )}
      </FilterField>
      <FilterField label={t('audit.filter.outcome')} className="w-30 max-md:w-[calc(40%-0.375rem)]">
        {(id) => (
          <Select
            id={id}
            value={outcome ?? ''}
            onChange={({ target: { value } }) =>
              change({ outcome: value === 'done' || value === 'refused' ? value : null })
            }
          >
            <option value="">{t('audit.filter.anyOutcome')}</option>
            <option value="done">{t('audit.outcome.done')}</option>
            <option value="refused">{t('audit.outcome.refused')}</option>
          </Select>
        )}
      </FilterField>
      <DayField label={t('audit.filter.from')} day={from} max={to} choose={(day) => change({ from: day })} />
      <DayField label={t('audit.filter.to')} day={to} min={from} choose={(day) => change({ to: day })} />
      <PersonField person={filters.person} search={(person) => change({ person })} />
    </div>
  );
}

/** Searches when the user stops typing, not at every key. */
function PersonField({ person, search }: { person: string; search: (person: string) => void }) {
  const { t } = useTranslation();
  const [typed, type] = useState(person);
  const [searchedPerson, note] = useState(person);
  if (searchedPerson !== person) {
    // The user navigated to another address.
    note(person);
    type(person);
  }
  useEffect(() => {
    if (typed === person) return;
    const timer = setTimeout(() => search(typed), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, person, search]);
  return (
    <SearchField
      label={t('audit.filter.person')}
      clearLabel={t('audit.filter.clearPerson')}
      typed={typed}
      type={type}
      className="min-w-56 flex-1 max-md:w-full max-md:flex-none"
    />
  );
}
