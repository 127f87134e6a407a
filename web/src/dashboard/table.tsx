// The desk's table: one row per repair order, of which only visible ones are rendered. The header and first column
// are sticky.
import {
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { type OrderPermissions, useStartAction } from '../repair-order/order-actions.ts';
import { useNewest } from '../ui/latest.ts';
import type { Layout } from './column-layout.ts';
import type { ListDetails } from './desk-details.ts';
import type { ListHandle } from './first-hit.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { MoreToTheRight } from './more-to-the-right.tsx';
import { BOX_WIDTH } from './order-row.tsx';
import { useOrdersTableModel } from './orders-table-model.ts';
import type { Density } from './remembered-choices.ts';
import { type RowFocus, useRowFocus } from './row-focus.ts';
import { type RowEvent, useRowKeysAnywhere } from './row-keyboard.ts';
import { type Sort, sortText } from './sorting.ts';
import { headerHeight, TableHeader } from './table-header.tsx';
import { TableBody } from './table-rows.tsx';
import {
  rowHeight,
  touchRowHeight,
  useCrowdedTable,
  useNarrowTable,
  useTouchPointer,
} from './view-params.ts';
import { useVirtualRows, type VirtualRows } from './virtual-rows.ts';

interface OrdersTableProps {
  /** Which list the rows are: another one begins at its top. */
  list: string;
  rows: readonly FrozenRow[];
  may: OrderPermissions;
  density: Density;
  layout: Layout;
  sort: Sort | null;
  chooseSort(sort: Sort | null): void;
  /** Null: nothing can be ticked here. */
  selected: ReadonlySet<number> | null;
  details: ListDetails;
  /** px left free below the last row. */
  foot: number;
  ref?: Ref<ListHandle>;
}

export function OrdersTable(props: OrdersTableProps) {
  const { rows, selected, details } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const { table, sizes, tight, tickable, ...body } = useTableParts(props, scroller);
  const boxWidth = selected === null ? 0 : BOX_WIDTH;
  const firstWidth = boxWidth + (table.getColumn('details')?.getSize() ?? 0);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller} // What is scrolled to is not to end up under the header or the first column.
        style={{ scrollPaddingTop: sizes.headerHeight, scrollPaddingLeft: firstWidth }}
        className="size-full overflow-auto rounded-lg border border-line bg-raised"
      >
        <table
          // Only some rows are drawn: these say how many there are. The header counts as one.
          aria-label={t('dashboard.title')}
          aria-rowcount={rows.length + 1}
          data-tight={tight || undefined}
          style={{ minWidth: boxWidth + table.getTotalSize() }}
          className="group/table w-full table-fixed border-separate border-spacing-0"
        >
          <TableHeader
            height={sizes.headerHeight}
            groups={table.getHeaderGroups()}
            sort={props.sort}
            selected={selected}
            keys={tickable}
          />
          <TableBody
            {...body}
            rows={table.getRowModel().rows}
            height={sizes.rowHeight}
            selected={selected}
            details={details}
          />
        </table>
      </div>
      <MoreToTheRight scroller={scroller} />
    </div>
  );
}

/** The model of the table, its rendered rows, its focus and its keys. */
function useTableParts(props: OrdersTableProps, scroller: RefObject<HTMLDivElement | null>) {
  const { list, rows, may, density, layout, sort, chooseSort, selected, details, foot } = props;
  const beside = details.beside !== null;
  const tight = useNarrowTable(beside);
  const crowded = useCrowdedTable(beside);
  const touch = useTouchPointer();
  const body = useRef<HTMLTableSectionElement>(null);
  const keys = useMemo(() => rows.map(({ cached }) => cached.order.key), [rows]);
  const focus = useRowFocus(list, rows, keys, body);
  const sizes = {
    rowHeight: (touch ? touchRowHeight : rowHeight)[density],
    headerHeight: headerHeight(touch),
    foot,
  };
  const arrangement = `${list} ${sortText(sort)}`;
  const { virtualizer, rendered } = useVirtualRows({
    list: arrangement,
    scroller,
    keys,
    focused: focus.index,
    ...sizes,
  });
  // Only for rendered rows: the others cost nothing.
  const drawn = useMemo(() => rendered.flatMap(({ index }) => rows[index] ?? []), [rendered, rows]);
  const room = { tight, touch, beside };
  const { table, cellsKey } = useOrdersTableModel({
    rows: drawn,
    may,
    room,
    layout,
    crowded,
    sort,
    chooseSort,
  });
  useStartAtTop(scroller, virtualizer, arrangement);

  const goTo = useGoTo(virtualizer, focus, keys, details);
  useImperativeHandle(props.ref, () => ({ focusFirst: () => goTo(0) }));
  const keyboard: RowEvent = {
    rows,
    index: focus.index,
    page: () => pageSize(scroller.current, sizes),
    may,
    selectable: selected !== null,
    ask: useStartAction(),
    goTo,
    openDetails: details.enter,
  };
  useRowKeysAnywhere(keyboard);
  const totalHeight = virtualizer.getTotalSize();
  return {
    table,
    cellsKey,
    sizes,
    tight,
    body,
    focus,
    keyboard,
    rendered,
    totalHeight,
    ...useTickable(selected === null ? noRows : rows),
  };
}

interface Sizes {
  rowHeight: number;
  headerHeight: number;
}

/** How many rows a page has. Measured only when a key needs it: measuring during a render forces a layout. */
function pageSize(scroller: HTMLElement | null, { rowHeight, headerHeight }: Sizes): number {
  return Math.max(1, Math.floor(((scroller?.clientHeight ?? 0) - headerHeight) / rowHeight) - 1);
}

/** Another list, or another sort order of it, is shown from its top. */
function useStartAtTop(
  scroller: RefObject<HTMLElement | null>,
  virtualizer: VirtualRows['virtualizer'],
  list: string,
): void {
  useLayoutEffect(() => {
    void list;
    // As the virtualizer last heard: asking the element would force a layout before every painted search.
    if (scroller.current !== null && (virtualizer.scrollOffset ?? 0) > 0) scroller.current.scrollTop = 0;
  }, [scroller, virtualizer, list]);
}

const noRows: readonly FrozenRow[] = [];

/** The orders that can be ticked; `onScreen` returns the newest of them and is always the same function. */
function useTickable(rows: readonly FrozenRow[]) {
  const tickable = useMemo(
    () => rows.filter(({ removal }) => removal === null).map(({ cached }) => cached.order.key),
    [rows],
  );
  const newest = useNewest(tickable);
  const onScreen = useCallback(() => newest.current, [newest]);
  return { tickable, onScreen };
}

/** Moves the focus to a row, and the Tab stop to the one whose details open. */
function useGoTo(
  virtualizer: VirtualRows['virtualizer'],
  focus: RowFocus,
  keys: readonly number[],
  details: ListDetails,
): (index: number) => void {
  useShownOrder(details.beside, keys, (index) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    focus.stopAt(index);
  });
  return (index) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    focus.goTo(index);
    const key = keys[index];
    if (key !== undefined) details.follow(key);
  };
}

/** When another order's details open, its row comes into view and becomes the Tab stop. */
function useShownOrder(open: number | null, keys: readonly number[], show: (index: number) => void): void {
  const latest = useNewest({ keys, show });
  useLayoutEffect(() => {
    const index = open === null ? -1 : latest.current.keys.indexOf(open);
    if (index >= 0) latest.current.show(index);
  }, [open, latest]);
}
