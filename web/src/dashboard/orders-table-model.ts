// TanStack Table's model of the desk's table: which columns stand in which order, how wide they are, and by which of
// them the orders are sorted. It has the rendered rows only: the orders are sorted before (sorting.ts), since rows keep
// their place while somebody is at one.
import { functionalUpdate, type SortingState, useTable } from '@tanstack/react-table';
import { useMemo } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { columnIds, isColumn, type Layout, layoutBesideDetails } from './column-layout.ts';
import { columns, features, type Room } from './columns.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import type { Sort } from './sorting.ts';

interface OrdersTableModelProps {
  rows: readonly FrozenRow[];
  may: OrderPermissions;
  room: Omit<Room, 'stages'>;
  /** As it was chosen. */
  layout: Layout;
  /** It stands beside open details on a small screen. */
  crowded: boolean;
  sort: Sort | null;
  chooseSort(sort: Sort | null): void;
}

export function useOrdersTableModel(props: OrdersTableModelProps) {
  const { rows, may, room, layout: chosen, crowded, sort, chooseSort } = props;
  const { t } = useTranslation();
  const { tight, touch, beside } = room;
  const layout = useMemo(() => (crowded ? layoutBesideDetails(chosen) : chosen), [crowded, chosen]);
  const stages = layout.some(({ id, shown }) => id === 'stage' && shown);
  const cells = useMemo(
    () => columns(may, { tight, touch, stages, beside }, t),
    [may, tight, touch, stages, beside, t],
  );
  const arrangement = useMemo(
    () => ({
      columnOrder: layout.map(({ id }) => id),
      columnVisibility: {
        ...Object.fromEntries(columnIds.map((id) => [id, false])),
        ...Object.fromEntries(layout.map(({ id, shown }) => [id, shown])),
      },
    }),
    [layout],
  );
  const sorting = useMemo(() => sortingOf(sort), [sort]);
  const table = useTable({
    features,
    columns: cells,
    data: rows,
    getRowId: ({ cached }) => String(cached.order.key),
    state: { ...arrangement, sorting },
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    onSortingChange: (change) => chooseSort(sortOf(functionalUpdate(change, sorting))),
  });
  /** Another object when the cells change: other columns, another width, other permissions. */
  const cellsKey = useMemo(() => ({ cells, arrangement }), [cells, arrangement]);
  return { table, cellsKey };
}

export type OrdersTableModel = ReturnType<typeof useOrdersTableModel>['table'];

function sortingOf(sort: Sort | null): SortingState {
  return sort === null ? [] : [{ id: sort.column, desc: sort.descending }];
}

function sortOf([first]: SortingState): Sort | null {
  return first !== undefined && isColumn(first.id) ? { column: first.id, descending: first.desc } : null;
}
