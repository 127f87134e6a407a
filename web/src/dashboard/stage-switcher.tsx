// On a phone: which column is on screen, and how many cars are in each.
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { useColumnName } from './stage-column.tsx';
import type { StageColumn } from './stage-columns.ts';

interface StageSwitcherProps {
  columns: readonly StageColumn[];
  chosen: string;
  choose(id: string): void;
}

export function StageSwitcher({ columns, chosen, choose }: StageSwitcherProps) {
  const { t } = useTranslation();
  const at = columns.findIndex(({ id }) => id === chosen);
  const step = (by: 1 | -1, label: string, glyph: ReactNode) => {
    const to = columns[at + by];
    return (
      <button
        type="button"
        aria-label={label}
        // Not `disabled`, which would lose the focus.
        aria-disabled={to === undefined || undefined}
        onClick={() => to !== undefined && choose(to.id)}
        className="grid size-11 shrink-0 place-items-center rounded-md border border-line bg-raised aria-disabled:opacity-40"
      >
        {glyph}
      </button>
    );
  };
  return (
    <div className="flex shrink-0 items-center gap-1.5 pb-2">
      {step(-1, t('stages.board.previous'), <ChevronLeft aria-hidden className="size-5" />)}
      <select
        aria-label={t('stages.board.choose')}
        value={chosen}
        onChange={({ target }) => choose(target.value)}
        className="h-11 min-w-0 flex-1 rounded-md border border-line bg-raised px-2 text-14 font-medium"
      >
        {columns.map((column) => (
          <ColumnOption key={column.id} column={column} />
        ))}
      </select>
      {step(1, t('stages.board.next'), <ChevronRight aria-hidden className="size-5" />)}
    </div>
  );
}

function ColumnOption({ column }: { column: StageColumn }) {
  const { t } = useTranslation();
  const stage = useColumnName(column);
  return <option value={column.id}>{t('stages.filter.option', { stage, count: column.shown })}</option>;
}
