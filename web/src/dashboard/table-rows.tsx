// The body of the table: its rendered rows, with space in place of the others.
import type { Row } from '@tanstack/react-table';
import type { VirtualItem } from '@tanstack/react-virtual';
import { Fragment, type RefObject } from 'react';
import type { features } from './columns.tsx';
import type { ListDetails } from './desk-details.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { OrderRow } from './order-row.tsx';
import { rowClicks } from './row-click.ts';
import { RowControls } from './row-controls.ts';
import type { RowFocus } from './row-focus.ts';
import { type RowEvent, rowKey } from './row-keyboard.ts';

interface TableRowsProps {
  rendered: readonly VirtualItem[];
  rows: readonly Row<typeof features, FrozenRow>[];
  /** px, of all rows. */
  totalHeight: number;
  height: number;
  /** The index of the Tab stop. */
  focused: number;
  /** The order whose details stand beside the list. */
  open: number | null;
  selected: ReadonlySet<number> | null;
  onScreen: () => readonly number[];
  /** Changes when the cells change. */
  cellsKey: object;
}

interface TableBodyProps extends Omit<TableRowsProps, 'focused' | 'open'> {
  body: RefObject<HTMLTableSectionElement | null>;
  focus: RowFocus;
  keyboard: RowEvent;
  details: ListDetails;
}

export function TableBody({ body, focus, keyboard, details, ...rows }: TableBodyProps) {
  return (
    <tbody
      ref={body}
      data-holds
      onFocus={focus.onFocus}
      onBlur={focus.onBlur}
      {...rowClicks(details.open)}
      onKeyDown={(event) => rowKey(event, keyboard)}
    >
      <RowControls value={-1}>
        <TableRows {...rows} focused={focus.index} open={details.beside} />
      </RowControls>
    </tbody>
  );
}

function TableRows({
  rendered,
  rows,
  totalHeight,
  open,
  selected,
  focused,
  cellsKey,
  ...row
}: TableRowsProps) {
  let drawnTo = 0;
  const drawn = rendered.map((item, place) => {
    const model = rows[place];
    const gap = item.start - drawnTo;
    drawnTo = item.end;
    if (model === undefined) return null;
    const { cached, removal } = model.original;
    const { key } = cached.order;
    return (
      <Fragment key={model.id}>
        {gap > 0 && <Spacer height={gap} />}
        <OrderRow
          row={model}
          cached={cached}
          removal={removal}
          index={item.index}
          current={item.index === focused}
          open={key === open}
          selected={selected === null ? null : selected.has(key)}
          cells={cellsKey}
          {...row}
        />
      </Fragment>
    );
  });
  return (
    <>
      {drawn}
      {totalHeight > drawnTo && <Spacer height={totalHeight - drawnTo} />}
    </>
  );
}

function Spacer({ height }: { height: number }) {
  return (
    <tr aria-hidden>
      <td style={{ height, padding: 0 }} />
    </tr>
  );
}
