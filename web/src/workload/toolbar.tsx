// The search, filter and sorting of the rows.
import { useId } from 'react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { stateLabel } from '../repair-order/technician-state.ts';
import { Select } from '../ui/form-field.tsx';
import { SearchField } from '../ui/search-field.tsx';
import { filters, isShown, orders, type View } from './filter-and-sort.ts';

interface ToolbarProps {
  all: readonly Workload[];
  view: View;
  change(part: Partial<View>): void;
}

export function Toolbar({ all, view, change }: ToolbarProps) {
  const { t, locale } = useTranslation();
  const sort = useId();
  return (
    <div className="flex flex-wrap items-center gap-2.5 max-md:w-full">
      <fieldset className="flex rounded-md border border-line bg-raised p-0.5 max-md:w-full max-md:overflow-x-auto">
        <legend className="sr-only">{t('workload.filter')}</legend>
        {filters.map((filter) => (
          <label
            key={filter}
            className="relative flex h-7.5 shrink-0 cursor-pointer items-center gap-1.5 rounded-sm px-2.5 text-13 whitespace-nowrap text-quiet hover:text-ink has-checked:bg-accent-tint has-checked:font-medium has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-accent max-md:h-10.5 max-md:flex-1 max-md:justify-center max-md:px-1.5 max-md:text-12 pointer-coarse:h-10.5"
          >
            <input
              type="radio"
              name="technicians-shown"
              checked={view.filter === filter}
              onChange={() => change({ filter })}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {filter === 'all' || filter === 'over'
              ? t(`workload.show.${filter}`)
              : stateLabel(filter, t, locale)}
            <span className="text-12">{all.filter((one) => isShown(one, filter)).length}</span>
          </label>
        ))}
      </fieldset>
      <label htmlFor={sort} className="flex items-center gap-2 text-13 text-quiet max-md:flex-1">
        <span className="shrink-0 max-md:sr-only">{t('workload.sort')}</span>
        <Select
          small
          id={sort}
          value={view.order}
          onChange={(event) => {
            const order = orders.find((one) => one === event.target.value);
            if (order !== undefined) change({ order });
          }}
        >
          {orders.map((order) => (
            <option key={order} value={order}>
              {t(`workload.orderBy.${order}`)}
            </option>
          ))}
        </Select>
      </label>
      <SearchField
        label={t('workload.search')}
        clearLabel={t('workload.clear')}
        typed={view.search}
        type={(search) => change({ search })}
        className="w-52 max-md:w-auto max-md:flex-1"
      />
    </div>
  );
}
