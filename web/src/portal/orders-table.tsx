// The technician's orders on a wide screen: the desk's columns, with the advisor in the technicians' place.
import { createColumnHelper, FlexRender, type Row, useTable } from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import { memo, useMemo } from 'react';
import { NumberLink, TagNumber, VinWithCopy } from '../dashboard/order-fields.tsx';
import { useRowHighlight } from '../dashboard/row-highlight.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { dueAt } from '../repair-order/due-time.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { priorityUrgency, statusUrgency } from '../rules/urgency.ts';
import { features, textOrder, useSortParam } from '../ui/sortable-table.ts';
import { TableHead } from '../ui/table-head.tsx';
import { JobLines } from './job-lines.tsx';
import { Advisor, DraftMark, DueTimes, Priority, Status } from './order-fields.tsx';
import type { ListProps, PortalOrder } from './order-list.ts';
import { StageSection } from './stage-section.tsx';

const columnIds = ['details', 'vehicle', 'status', 'priority', 'advisor', 'jobs', 'timeline'] as const;

/** Sorted as they are to be worked on, or by one column; what is equal keeps the order in which it is worked on. */
export function OrdersTable({ orders, clocked, pick, staged }: ListProps) {
  const { t, language } = useTranslation();
  const [sorting, onSortingChange] = useSortParam(columnIds);
  const columns = useMemo(
    () => orderColumns(t, language, { clocked, pick, staged }),
    [t, language, clocked, pick, staged],
  );
  const table = useTable({
    features,
    columns,
    data: orders,
    getRowId: ({ order }) => String(order.key),
    enableMultiSort: false,
    sortDescFirst: false,
    state: useMemo(() => ({ sorting }), [sorting]),
    onSortingChange,
  });
  return (
    <div className="shrink-0 rounded-lg border border-line bg-raised">
      <table aria-label={t('portal.orders')} className="w-full table-fixed border-separate border-spacing-0">
        <TableHead table={table} />
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <OrderRow key={row.id} row={row} listed={row.original} columns={columns} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const column = createColumnHelper<typeof features, PortalOrder>();

/** The jobs have the width that is left. */
function orderColumns(t: TFunction, language: string, { clocked, pick, staged }: Omit<ListProps, 'orders'>) {
  const byText = { sortFn: textOrder(language), sortUndefined: 'last' } as const;
  const byNumber = { sortFn: 'number' } as const;
  return column.columns([
    column.accessor(({ order }) => order.key, {
      ...byNumber,
      id: 'details',
      header: t('column.details'),
      meta: { head: 'w-[13%] xl:px-3' },
      cell: ({ row }) => <NumberAndCustomer order={row.original.order} />,
    }),
    column.accessor(({ order }) => order.vehicle || undefined, {
      ...byText,
      id: 'vehicle',
      header: t('column.vehicle'),
      meta: { head: 'w-[16%] xl:px-3' },
      cell: ({ row: { original } }) => <Vehicle order={original.order} />,
    }),
    column.accessor(({ order, waitingStatus }) => statusUrgency(waitingStatus ?? order.status), {
      ...byNumber,
      id: 'status',
      header: t('column.status'),
      meta: { head: 'w-[11%] xl:px-3' },
      cell: ({ row }) => <Status listed={row.original} pick={pick} />,
    }),
    column.accessor(({ order }) => priorityUrgency(order.priority), {
      ...byNumber,
      id: 'priority',
      header: t('column.priority'),
      meta: { head: 'w-[9%] xl:px-3' },
      cell: ({ row }) => <Priority listed={row.original} />,
    }),
    column.accessor(({ order }) => order.advisor || undefined, {
      ...byText,
      id: 'advisor',
      header: t('portal.advisor'),
      meta: { head: 'w-[12%] xl:px-3' },
      cell: ({ row: { original } }) => <Advisor name={original.order.advisor} isEtl={original.isEtl} />,
    }),
    column.accessor(({ order }) => order.jobs.length, {
      ...byNumber,
      id: 'jobs',
      header: t('column.jobs'),
      meta: { head: 'xl:px-3' },
      cell: ({ row }) => (
        <>
          <JobLines order={row.original.order} clocked={clocked} />
          {staged !== null && <StageSection listed={row.original} staged={staged} />}
        </>
      ),
    }),
    column.accessor(({ order }) => dueAt(order), {
      ...byNumber,
      id: 'timeline',
      header: t('column.timeline'),
      meta: { head: 'w-[15%] xl:px-3' },
      cell: ({ row }) => <DueTimes order={row.original.order} clock={clocked.clock} />,
    }),
  ]);
}

function NumberAndCustomer({ order }: { order: RepairOrder }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <NumberLink order={order} />
        <TagNumber order={order} />
        <DraftMark roNumber={order.key} />
      </span>
      <span className="block break-words">{order.customer}</span>
    </>
  );
}

function Vehicle({ order }: { order: RepairOrder }) {
  return (
    <>
      <span className="block break-words">{order.vehicle}</span>
      <VinWithCopy vin={order.vin} />
    </>
  );
}

interface OrderRowProps {
  row: Row<typeof features, PortalOrder>;
  listed: PortalOrder;
  /** Other columns draw other cells. */
  columns: object;
}

/** Renders again only when its order or the columns changed; `row` is new each time. */
const OrderRow = memo(
  function OrderRow({ row, listed: { order, changedAt } }: OrderRowProps) {
    const highlight = useRowHighlight(changedAt);
    return (
      <tr
        data-key={order.key}
        data-glow={highlight.on || undefined}
        style={highlight.style}
        className={`[--row:var(--raised)] ${highlight.on ? 'glow-row' : ''}`}
      >
        {row.getVisibleCells().map((one) => (
          <td key={one.id} className={cell}>
            <FlexRender cell={one} />
          </td>
        ))}
      </tr>
    );
  },
  (before, after) => before.listed === after.listed && before.columns === after.columns,
);

const cell =
  'relative border-b border-line bg-(--row) px-2 py-2.5 xl:px-3 align-top text-13 [tr:last-child>&]:border-b-0 [tr:last-child>&:first-child]:rounded-bl-lg [tr:last-child>&:last-child]:rounded-br-lg';
