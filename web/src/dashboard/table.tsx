// The desk: one row per repair order, only those in sight drawn. Header and first column stay.
import { FlexRender, type Row, useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { en } from '../i18n/en.ts';
import type { OpenOrder } from '../repair-order/picture.ts';
import { columns, features } from './columns.tsx';
import { useGlow } from './glow.ts';
import { type Density, rowHeight, useTight } from './view.ts';

const HEADER_HEIGHT = 32;

interface OrdersTableProps {
  orders: OpenOrder[];
  density: Density;
  mayChangeStatus: boolean;
}

export function OrdersTable({ orders, density, mayChangeStatus }: OrdersTableProps) {
  const { t } = useTranslation();
  const tight = useTight();
  const scroller = useRef<HTMLDivElement>(null);
  const more = useMoreToTheRight(scroller);
  const table = useTable({
    features,
    columns: useMemo(() => columns(mayChangeStatus, tight), [mayChangeStatus, tight]),
    data: orders,
    getRowId: ({ order }) => String(order.key),
  });
  const firstWidth = table.getAllColumns()[0]?.getSize() ?? 0;
  const { rows } = table.getRowModel();
  const height = rowHeight[density];
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    scrollPaddingStart: HEADER_HEIGHT,
    overscan: 8,
  });
  const inSight = virtualizer.getVirtualItems();
  const above = inSight[0]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (inSight.at(-1)?.end ?? 0);

  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller} // What is scrolled to is not to end up under the header or the first column.
        style={{ scrollPaddingTop: HEADER_HEIGHT, scrollPaddingLeft: firstWidth }}
        className="size-full overflow-auto rounded-lg border border-line bg-raised"
      >
        <table
          // Only some rows are drawn: these say how many there are. The header counts as one.
          aria-label={t('dashboard.title')}
          aria-rowcount={rows.length + 1}
          className={`w-full table-fixed border-separate border-spacing-0 ${tight ? 'min-w-[900px]' : 'min-w-[1240px]'}`}
        >
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} style={{ height: HEADER_HEIGHT }} aria-rowindex={1}>
                {group.headers.map((header) => (
                  <th
                    key={header.id}
                    scope="col"
                    style={{ width: header.getSize() }}
                    className="sticky top-0 z-20 border-b border-line bg-raised px-3 max-[1366px]:px-2 text-left text-12 font-medium text-quiet first:left-0 first:z-30"
                  >
                    {t(`column.${header.column.id as keyof typeof en.column}`)}
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {above > 0 && <Spacer height={above} />}
            {inSight.map((item) => {
              const row = rows[item.index];
              return row === undefined ? null : (
                <OrderRow
                  key={row.id}
                  row={row}
                  known={row.original}
                  index={item.index}
                  height={height}
                  may={mayChangeStatus}
                  tight={tight}
                />
              );
            })}
            {below > 0 && <Spacer height={below} />}
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

/** Whether the table goes on beyond the scroller's right edge. */
function useMoreToTheRight(scroller: RefObject<HTMLDivElement | null>): boolean {
  const [more, setMore] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => setMore(element.scrollWidth - element.clientWidth - element.scrollLeft > 1);
    look();
    // The scroller changes with the window, the table within it with its columns.
    const sizes = new ResizeObserver(look);
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

interface OrderRowProps {
  row: Row<typeof features, OpenOrder>;
  known: OpenOrder;
  index: number;
  height: number;
  may: boolean;
  tight: boolean;
}

/** Drawn again only when the order itself, its place or the layout changed; `row` is a new object each time. */
const OrderRow = memo(
  function OrderRow({ row, known, index, height }: OrderRowProps) {
    const glow = useGlow(known.changedAt);
    const cells = row.getAllCells();
    return (
      <tr
        aria-rowindex={index + 2}
        data-glow={glow.on || undefined}
        style={{ ...glow.style, height }}
        className={`group/row [--row:var(--raised)] hover:[--row:var(--sunken)] ${glow.on ? 'glow-row' : ''} ${height < 40 ? 'leading-[15px] [&_*]:leading-[15px]' : ''}`}
      >
        {cells.map((cell) => (
          <td
            key={cell.id}
            style={{ height, maxHeight: height }}
            className="relative overflow-hidden border-b border-line px-3 max-[1366px]:px-2 py-0 text-13 bg-(--row) first:sticky first:left-0 first:z-10"
          >
            <FlexRender cell={cell} />
          </td>
        ))}
      </tr>
    );
  },
  (before, after) =>
    before.known === after.known &&
    before.index === after.index &&
    before.height === after.height &&
    before.may === after.may &&
    before.tight === after.tight,
);
