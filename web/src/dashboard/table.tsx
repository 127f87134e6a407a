// The desk's table: one row per repair order, of which only visible ones are rendered. The header and first column
// are sticky.
import { useTable } from '@tanstack/react-table';
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  Fragment,
  type Ref,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { type OrderPermissions, useStartAction } from '../repair-order/order-actions.ts';
import { type Layout, shownColumns } from './column-layout.ts';
import { columns, features } from './columns.tsx';
import type { ListDetails } from './desk-details.ts';
import type { ListHandle } from './first-hit.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { BOX_WIDTH, OrderRow } from './order-row.tsx';
import { clickedOrder } from './row-click.ts';
import { RowControls } from './row-controls.ts';
import { useRowFocus } from './row-focus.ts';
import { rowKey, useRowKeysAnywhere } from './row-keyboard.ts';
import type { Sort } from './sorting.ts';
import { headerHeight, TableHeader } from './table-header.tsx';
import { type Density, rowHeight, touchRowHeight, useNarrowTable, useTouchPointer } from './view-params.ts';

/** px; what lies over the foot of the list can be scrolled away from the last row. */
const FOOT = 68;

/** Rows drawn beyond those in sight, above and below. */
const OVERSCAN = 5;

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
  ref?: Ref<ListHandle>;
}

export function OrdersTable(props: OrdersTableProps) {
  const { list, rows, may, density, layout, sort, chooseSort, selected, details } = props;
  const { t } = useTranslation();
  const tight = useNarrowTable(details.beside !== null);
  const touch = useTouchPointer();
  const scroller = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const more = useMoreToTheRight(scroller);
  const head = headerHeight(touch);
  const height = (touch ? touchRowHeight : rowHeight)[density];
  const keys = useMemo(() => rows.map(({ cached }) => cached.order.key), [rows]);
  const tickable = useMemo(
    () => rows.filter(({ removal }) => removal === null).map(({ cached }) => cached.order.key),
    [rows],
  );
  const tickableNow = useRef(tickable);
  useEffect(() => {
    tickableNow.current = tickable;
  }, [tickable]);
  const ask = useStartAction();
  const onScreen = useCallback(() => tickableNow.current, []);

  const focus = useRowFocus(list, rows, keys, body);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => keys[index] ?? index,
    scrollPaddingStart: head,
    scrollPaddingEnd: 1,
    paddingEnd: selected !== null && selected.size > 0 ? FOOT : 0,
    overscan: OVERSCAN,
    useFlushSync: false,
    // The row with the focus stays drawn, wherever the list is scrolled to.
    rangeExtractor: useCallback(
      (range: Range) => withIndex(defaultRangeExtractor(range), focus.index),
      [focus.index],
    ),
  });
  const rendered = useRenderedRows(virtualizer, focus.index);

  const cells = useMemo(() => columns(may, { tight, touch }), [may, tight, touch]);
  const arrangement = useMemo(
    () => ({
      columnOrder: layout.map(({ id }) => id),
      columnVisibility: Object.fromEntries(layout.map(({ id, shown }) => [id, shown])),
    }),
    [layout],
  );
  const table = useTable({
    features,
    columns: cells,
    // Only for rendered rows: the others cost nothing.
    data: useMemo(() => rendered.flatMap(({ index }) => rows[index] ?? []), [rendered, rows]),
    getRowId: ({ cached }) => String(cached.order.key),
    state: arrangement,
  });
  const drawn = table.getRowModel().rows;
  const boxWidth = selected === null ? 0 : BOX_WIDTH;
  const look = useMemo(() => ({ cells, arrangement }), [cells, arrangement]);

  useLayoutEffect(() => {
    // As the virtualizer last heard: asking the element would force a layout before every painted search.
    if (scroller.current !== null && (virtualizer.scrollOffset ?? 0) > 0) scroller.current.scrollTop = 0;
    // A new sort order starts at the top, too.
    void [list, sort];
  }, [list, sort, virtualizer]);

  const goTo = (index: number) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    focus.goTo(index);
    const key = keys[index];
    if (key !== undefined) details.follow(key);
  };
  useShownOrder(details.beside, keys, (index) => {
    virtualizer.scrollToIndex(index, { align: 'auto' });
    focus.stopAt(index);
  });
  // Measured only when a key needs it: measuring during a render forces a layout.
  const page = () => Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - head) / height) - 1);
  useImperativeHandle(props.ref, () => ({ focusFirst: () => goTo(0) }));
  const keyboard = {
    rows,
    index: focus.index,
    page,
    may,
    selectable: selected !== null,
    ask,
    goTo,
    openDetails: details.enter,
  };
  useRowKeysAnywhere(keyboard);
  const firstWidth = boxWidth + (table.getColumn('details')?.getSize() ?? 0);
  let drawnTo = 0;
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller} // What is scrolled to is not to end up under the header or the first column.
        style={{ scrollPaddingTop: head, scrollPaddingLeft: firstWidth }}
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
            height={head}
            columns={shownColumns(layout).map((id) => ({ id, width: table.getColumn(id)?.getSize() ?? 0 }))}
            sort={sort}
            chooseSort={chooseSort}
            selected={selected}
            keys={tickable}
          />
          <tbody
            ref={body}
            data-holds
            onFocus={focus.onFocus}
            onBlur={focus.onBlur}
            onClick={(event) => {
              const clicked = clickedOrder(event);
              if (clicked !== null) details.open(clicked);
            }}
            onKeyDown={(event) => rowKey(event, keyboard)}
          >
            <RowControls value={-1}>
              {rendered.map((item, place) => {
                const row = drawn[place];
                const gap = item.start - drawnTo;
                drawnTo = item.end;
                return row === undefined ? null : (
                  <Fragment key={row.id}>
                    {gap > 0 && <Spacer height={gap} />}
                    <OrderRow
                      row={row}
                      cached={row.original.cached}
                      removal={row.original.removal}
                      index={item.index}
                      height={height}
                      current={item.index === focus.index}
                      open={row.original.cached.order.key === details.beside}
                      selected={selected === null ? null : selected.has(row.original.cached.order.key)}
                      onScreen={onScreen}
                      cells={look}
                    />
                  </Fragment>
                );
              })}
              {virtualizer.getTotalSize() > drawnTo && (
                <Spacer height={virtualizer.getTotalSize() - drawnTo} />
              )}
            </RowControls>
          </tbody>
        </table>
      </div>
      {more && (
        <div
          aria-hidden
          className="pointer-events-none absolute inset-y-px right-px z-30 w-8 rounded-r-lg bg-linear-to-l from-raised to-transparent"
        />
      )}
    </div>
  );
}

/** When another order's details open, its row comes into view and becomes the Tab stop. */
function useShownOrder(open: number | null, keys: readonly number[], show: (index: number) => void): void {
  const latest = useRef({ keys, show });
  useLayoutEffect(() => {
    latest.current = { keys, show };
  });
  useLayoutEffect(() => {
    const index = open === null ? -1 : latest.current.keys.indexOf(open);
    if (index >= 0) latest.current.show(index);
  }, [open]);
}

/** Visible rows render at once; the overscan renders when the browser has time, and stays a while. */
function useRenderedRows(virtualizer: Virtualizer<HTMLDivElement, Element>, focused: number): VirtualItem[] {
  const items = virtualizer.getVirtualItems();
  const first = virtualizer.range?.startIndex ?? 0;
  const last = virtualizer.range?.endIndex ?? -1;
  const from = useDeferredValue(first) - OVERSCAN;
  const to = useDeferredValue(last) + OVERSCAN;
  return useMemo(
    () =>
      items.filter(
        ({ index }) =>
          (index >= first && index <= last) || (index >= from && index <= to) || index === focused,
      ),
    [items, first, last, from, to, focused],
  );
}

function withIndex(range: number[], index: number): number[] {
  return index < 0 || range.includes(index) ? range : [...range, index].sort((a, b) => a - b);
}

/** Whether the table goes on beyond the scroller's right edge. */
function useMoreToTheRight(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    // px; measured only when sizes change: measuring on scroll would force a layout.
    let beyond = 0;
    const look = () => setMore(beyond > 1 && beyond - element.scrollLeft > 1);
    const measure = () => {
      beyond = element.scrollWidth - element.clientWidth;
      look();
    };
    measure();
    // The scroller changes with the window, the table within it with its columns.
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    for (const child of element.children) sizes.observe(child);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller]);
  return more;
}

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}
