// The technician's orders on a wide screen: the desk's columns, with the advisor in the technicians' place.
import { memo } from 'react';
import { NumberLink, TagNumber, VinWithCopy } from '../dashboard/order-fields.tsx';
import { useRowHighlight } from '../dashboard/row-highlight.ts';
import { Timeline } from '../dashboard/timeline.tsx';
import { useTranslation } from '../i18n/use-translation.ts';
import { PriorityIcon } from '../repair-order/priority-icon.tsx';
import { JobLines } from './job-lines.tsx';
import { Advisor, DraftMark, Status } from './order-fields.tsx';
import type { ListProps, PortalOrder } from './order-list.ts';

/** The jobs have what is left. */
const columns = [
  ['details', 'w-30 xl:w-[14%]'],
  ['vehicle', 'w-46 xl:w-[17%]'],
  ['status', 'w-32 xl:w-[11%]'],
  ['priority', 'w-23 xl:w-[9%]'],
  ['advisor', 'w-25 xl:w-[12%]'],
  ['jobs', ''],
  ['timeline', 'w-43 xl:w-[13%]'],
] as const;

export function OrdersTable({ orders, ...shared }: ListProps) {
  const { t } = useTranslation();
  return (
    <div className="shrink-0 rounded-lg border border-line bg-raised">
      <table aria-label={t('portal.orders')} className="w-full table-fixed border-separate border-spacing-0">
        <thead>
          <tr>
            {columns.map(([id, width]) => (
              <th
                key={id}
                scope="col"
                className={`sticky top-0 z-10 h-9 border-b border-line bg-raised px-2 text-left text-12 xl:px-3 font-medium text-quiet first:rounded-tl-lg last:rounded-tr-lg ${width}`}
              >
                {id === 'advisor' ? t('portal.advisor') : t(`column.${id}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.map((listed) => (
            <OrderRow key={listed.order.key} listed={listed} {...shared} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

type OrderRowProps = Omit<ListProps, 'orders'> & { listed: PortalOrder };

const OrderRow = memo(function OrderRow({ listed, clocked, pick }: OrderRowProps) {
  const { order, changedAt, isEtl } = listed;
  const highlight = useRowHighlight(changedAt);
  return (
    <tr
      data-key={order.key}
      data-glow={highlight.on || undefined}
      style={highlight.style}
      className={`[--row:var(--raised)] ${highlight.on ? 'glow-row' : ''}`}
    >
      <td className={cell}>
        <span className="flex items-center gap-2">
          <NumberLink order={order} />
          <TagNumber order={order} />
          <DraftMark roNumber={order.key} />
        </span>
        <span className="block break-words">{order.customer}</span>
      </td>
      <td className={cell}>
        <span className="block break-words">{order.vehicle}</span>
        <VinWithCopy vin={order.vin} />
      </td>
      <td className={cell}>
        <Status listed={listed} pick={pick} />
      </td>
      <td className={cell}>
        <PriorityIcon priority={order.priority} />
      </td>
      <td className={cell}>
        <Advisor name={order.advisor} isEtl={isEtl} />
      </td>
      <td className={cell}>
        <JobLines order={order} clocked={clocked} />
      </td>
      <td className={cell}>
        <Timeline order={order} />
      </td>
    </tr>
  );
});

const cell =
  'relative border-b border-line bg-(--row) px-2 py-2.5 xl:px-3 align-top text-13 [tr:last-child>&]:border-b-0 [tr:last-child>&:first-child]:rounded-bl-lg [tr:last-child>&:last-child]:rounded-br-lg';
