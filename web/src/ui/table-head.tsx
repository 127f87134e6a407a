// The head of a table. The name of a column that sorts is a button: ascending, descending, then the list's own order.
import {
  FlexRender,
  type Header,
  type ReactTable,
  type RowData,
  type SortDirection,
} from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import type { features } from './sortable-table.ts';

export function TableHead<T extends RowData>({ table }: { table: ReactTable<typeof features, T> }) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map((header) => (
            <ColumnHead key={header.id} header={header} />
          ))}
        </tr>
      ))}
    </thead>
  );
}

function ColumnHead<T extends RowData>({ header }: { header: Header<typeof features, T> }) {
  const { column } = header;
  const sorted = column.getIsSorted();
  const direction = sorted === false ? 'none' : sorted === 'asc' ? 'ascending' : 'descending';
  const sorts = column.getCanSort();
  return (
    <th
      scope="col"
      aria-sort={sorts || sorted !== false ? direction : undefined}
      className={`sticky top-0 z-10 h-9 border-b border-line bg-raised px-2 text-left text-12 font-medium text-quiet first:rounded-tl-lg last:rounded-tr-lg ${column.columnDef.meta?.head ?? ''}`}
    >
      {sorts ? (
        <button
          type="button"
          onClick={() => column.toggleSorting()}
          className={`group -mx-1 inline-flex min-h-8 max-w-full items-center gap-1 rounded-sm px-1 text-left hover:text-ink pointer-coarse:min-h-11 ${sorted === false ? '' : 'text-ink'}`}
        >
          <span className="min-w-0 break-words">
            <FlexRender header={header} />
          </span>
          <Direction sorted={sorted} />
        </button>
      ) : (
        <span className="inline-flex items-center gap-1">
          <FlexRender header={header} />
          {sorted !== false && <Direction sorted={sorted} />}
        </span>
      )}
    </th>
  );
}

/** Where nothing is sorted yet, it shows on hover and focus that it can be. */
function Direction({ sorted }: { sorted: SortDirection | false }) {
  const Glyph = sorted === false ? ChevronsUpDown : sorted === 'asc' ? ArrowUp : ArrowDown;
  return (
    <Glyph
      aria-hidden
      className={`size-3.5 shrink-0 ${sorted === false ? 'hidden opacity-60 group-hover:block group-focus-visible:block' : 'text-accent'}`}
    />
  );
}
