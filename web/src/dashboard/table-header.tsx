import { FlexRender, type Header } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { memo } from 'react';
import { FIXED_COLUMN } from './column-layout.ts';
import type { features } from './columns.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import { BOX_WIDTH } from './order-row.tsx';
import type { OrdersTableModel } from './orders-table-model.ts';
import { SelectAll } from './row-selection.tsx';
import type { Sort } from './sorting.ts';

/** px; a thumb needs 44 above the line. */
export const headerHeight = (touch: boolean) => (touch ? 45 : 32);

interface TableHeaderProps {
  height: number;
  groups: ReturnType<OrdersTableModel['getHeaderGroups']>;
  /** What the columns say of themselves depends on it. */
  sort: Sort | null;
  selected: ReadonlySet<number> | null;
  /** Of the rows below. */
  keys: readonly number[];
}

/** Names the columns; a press on a name sorts by it. Does not render again when only the rows are others. */
export const TableHeader = memo(function TableHeader({ height, groups, selected, keys }: TableHeaderProps) {
  return (
    <thead>
      {groups.map(({ id, headers }) => (
        <tr key={id} style={{ height }} aria-rowindex={1}>
          {selected !== null && (
            <td style={{ width: BOX_WIDTH }} className={`${cell} left-0 z-30 p-0`}>
              <SelectAll keys={keys} selected={selected} />
            </td>
          )}
          {headers.map((header) => (
            <ColumnHeader key={header.id} header={header} left={selected === null ? 0 : BOX_WIDTH} />
          ))}
        </tr>
      ))}
    </thead>
  );
});

const directions = { asc: 'ascending', desc: 'descending', none: 'none' } as const;
const glyphs = { asc: ArrowUp, desc: ArrowDown, none: ChevronsUpDown };

/** `left`: px, where the first column stays. */
function ColumnHeader({ header, left }: { header: Header<typeof features, FrozenRow>; left: number }) {
  const isFirst = header.column.id === FIXED_COLUMN;
  const direction = header.column.getIsSorted() || 'none';
  const Glyph = glyphs[direction];
  return (
    <th
      scope="col"
      aria-sort={directions[direction]}
      style={{ width: header.getSize(), left: isFirst ? left : undefined }}
      className={`${cell} text-left ${isFirst ? 'z-30' : 'z-20'}`}
    >
      <button
        type="button"
        onClick={header.column.getToggleSortingHandler()}
        className={`group -outline-offset-2 flex size-full items-center gap-1 px-3 group-data-tight/table:px-2 hover:text-ink ${direction === 'none' ? '' : 'text-ink'}`}
      >
        <span className="truncate">
          <FlexRender header={header} />
        </span>
        <Glyph
          aria-hidden
          className={`size-3.5 shrink-0 ${direction === 'none' ? 'hidden opacity-60 group-hover:block group-focus-visible:block' : 'text-accent'}`}
        />
      </button>
    </th>
  );
}

const cell = 'sticky top-0 h-8 border-b border-line bg-raised p-0 text-12 font-medium text-quiet';
