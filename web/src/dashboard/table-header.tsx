import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { ColumnId } from './column-layout.ts';
import { BOX_WIDTH } from './order-row.tsx';
import { SelectAll } from './row-selection.tsx';
import { nextSort, type Sort } from './sorting.ts';

/** px; a thumb needs 44 above the line. */
export const headerHeight = (touch: boolean) => (touch ? 45 : 32);

interface TableHeaderProps {
  height: number;
  columns: readonly { id: ColumnId; width: number }[];
  sort: Sort | null;
  chooseSort(sort: Sort | null): void;
  selected: ReadonlySet<number> | null;
  /** Of the rows below. */
  keys: readonly number[];
}

/** Names the columns; a press on a name sorts by it. */
export function TableHeader({ height, columns, sort, chooseSort, selected, keys }: TableHeaderProps) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr style={{ height }} aria-rowindex={1}>
        {selected !== null && (
          <td style={{ width: BOX_WIDTH }} className={`${cell} left-0 z-30 p-0`}>
            <SelectAll keys={keys} selected={selected} />
          </td>
        )}
        {columns.map(({ id, width }) => {
          const isFirst = id === 'details';
          const direction = sort?.column !== id ? 'none' : sort.descending ? 'descending' : 'ascending';
          const Glyph = { none: ChevronsUpDown, ascending: ArrowUp, descending: ArrowDown }[direction];
          return (
            <th
              key={id}
              scope="col"
              aria-sort={direction}
              style={{ width, left: isFirst && selected !== null ? BOX_WIDTH : undefined }}
              className={`${cell} text-left ${isFirst ? 'left-0 z-30' : 'z-20'}`}
            >
              <button
                type="button"
                onClick={() => chooseSort(nextSort(sort, id))}
                className={`group -outline-offset-2 flex size-full items-center gap-1 px-3 group-data-tight/table:px-2 hover:text-ink ${direction === 'none' ? '' : 'text-ink'}`}
              >
                <span className="truncate">{t(`column.${id}`)}</span>
                <Glyph
                  aria-hidden
                  className={`size-3.5 shrink-0 ${direction === 'none' ? 'hidden opacity-60 group-hover:block group-focus-visible:block' : 'text-accent'}`}
                />
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

const cell = 'sticky top-0 h-8 border-b border-line bg-raised p-0 text-12 font-medium text-quiet';
