import { FlexRender, type Row } from '@tanstack/react-table';
import { memo } from 'react';
import type { features } from './columns.tsx';
import type { FrozenRow } from './frozen-row-order.ts';
import { useRowHighlight } from './row-highlight.ts';
import { SelectOrder } from './row-selection.tsx';

/** px */
export const BOX_WIDTH = 40;

interface OrderRowProps {
  row: Row<typeof features, FrozenRow>;
  cached: FrozenRow['cached'];
  removal: FrozenRow['removal'];
  index: number;
  height: number;
  /** The Tab stop among the rows. */
  current: boolean;
  /** Its details stand beside the list. */
  open: boolean;
  /** Null: it cannot be ticked. */
  selected: boolean | null;
  onScreen: () => readonly number[];
  /** Changes when the cells change: other columns, another width, other permissions. */
  cells: object;
}

/**
 * Renders again only when the order, its place, its highlight or the layout changed; `row` is new each time.
 */
export const OrderRow = memo(
  function OrderRow({
    row,
    cached,
    removal,
    index,
    height,
    current,
    open,
    selected,
    onScreen,
    cells,
  }: OrderRowProps) {
    const highlight = useRowHighlight(cached.changedAt);
    const { key } = cached.order;
    const isGlowing = highlight.on && removal === null;
    const isTinted = selected === true || open;
    const ground = isTinted ? '[--row:var(--accent-tint)]' : '[--row:var(--raised)]';
    const hover = removal === null && !isTinted ? 'cursor-pointer hover-row' : '';
    return (
      <tr
        aria-rowindex={index + 2}
        aria-current={open || undefined}
        aria-selected={selected === null || removal !== null ? undefined : selected}
        aria-disabled={removal !== null || undefined}
        tabIndex={current ? 0 : -1}
        data-key={key}
        data-index={index}
        data-glow={isGlowing || undefined}
        style={{ ...highlight.style, height }}
        className={`focus-row ${ground} ${hover} ${open ? 'open-row' : ''} ${isGlowing ? 'glow-row' : ''} ${height < 40 ? '[--row-line:15px] leading-[15px] [&_*]:leading-[15px]' : '[--row-line:18px]'}`}
      >
        {selected !== null && (
          <td style={{ height }} className={`${cell} sticky left-0 z-10 p-0`}>
            {removal === null && <SelectOrder order={cached.order} selected={selected} onScreen={onScreen} />}
          </td>
        )}
        <Cells
          row={row}
          cached={cached}
          removal={removal}
          height={height}
          boxed={selected !== null}
          cells={cells}
        />
      </tr>
    );
  },
  (before, after) =>
    before.cached === after.cached &&
    before.removal === after.removal &&
    before.index === after.index &&
    before.height === after.height &&
    before.current === after.current &&
    before.open === after.open &&
    before.selected === after.selected &&
    before.cells === after.cells,
);

type CellsProps = Pick<OrderRowProps, 'row' | 'cached' | 'removal' | 'height' | 'cells'> & { boxed: boolean };

/** The cells, which do not render again when the row only moves, is highlighted or is ticked. */
const Cells = memo(
  function Cells({ row, removal, height, boxed }: CellsProps) {
    return row.getVisibleCells().map((one) => {
      const isFirst = one.column.id === 'details';
      return (
        <td
          key={one.id}
          style={{ height, maxHeight: height, left: isFirst && boxed ? BOX_WIDTH : undefined }}
          className={`${cell} px-3 group-data-tight/table:px-2 py-0 ${isFirst ? 'sticky left-0 z-10' : 'relative'} ${removal !== null && !isFirst ? '*:opacity-45 *:saturate-50' : ''}`}
        >
          <FlexRender cell={one} />
        </td>
      );
    });
  },
  (before, after) =>
    before.cached === after.cached &&
    before.removal === after.removal &&
    before.height === after.height &&
    before.boxed === after.boxed &&
    before.cells === after.cells,
);

// Clipped, not hidden: what can be scrolled by script costs each cell a layer of its own.
const cell = 'row-cell overflow-clip border-b border-line text-13';
