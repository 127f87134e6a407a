import { columnSizingFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { OpenOrder } from '../repair-order/picture.ts';
import { Assignment, Jobs, NumberLink, Timeline, VinWithCopy } from './facts.tsx';
import { PrioritySign } from './priority-sign.tsx';
import { StatusPicker } from './status-picker.tsx';

export const features = tableFeatures({ columnSizingFeature });

const column = createColumnHelper<typeof features, OpenOrder>();

/** Ids are keys of the `column` texts; sizes are px and grow in proportion on wide screens. */
export const columns = (mayChangeStatus: boolean) =>
  column.columns([
    column.display({
      id: 'details',
      size: 212,
      cell: ({ row }) => (
        <>
          <NumberLink order={row.original.order} />
          <span className="block truncate text-13" title={row.original.order.customer}>
            {row.original.order.customer}
          </span>
        </>
      ),
    }),
    column.display({
      id: 'vehicle',
      size: 220,
      cell: ({ row }) => (
        <>
          <span className="block truncate" title={row.original.order.vehicle}>
            {row.original.order.vehicle}
          </span>
          <VinWithCopy vin={row.original.order.vin} />
        </>
      ),
    }),
    column.display({
      id: 'status',
      size: 150,
      cell: ({ row }) => <StatusPicker order={row.original.order} readOnly={!mayChangeStatus} />,
    }),
    column.display({
      id: 'priority',
      size: 110,
      cell: ({ row }) => <PrioritySign priority={row.original.order.priority} />,
    }),
    column.display({
      id: 'assignment',
      size: 228,
      cell: ({ row }) => <Assignment order={row.original.order} />,
    }),
    column.display({ id: 'jobs', size: 208, cell: ({ row }) => <Jobs order={row.original.order} /> }),
    column.display({ id: 'timeline', size: 180, cell: ({ row }) => <Timeline order={row.original.order} /> }),
  ]);
