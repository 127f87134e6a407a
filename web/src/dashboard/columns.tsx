import { columnSizingFeature, createColumnHelper, tableFeatures } from '@tanstack/react-table';
import type { OpenOrder } from '../repair-order/picture.ts';
import { PrioritySign } from '../repair-order/priority-sign.tsx';
import { Assignment, Jobs, NumberLink, Timeline, VinWithCopy } from './facts.tsx';
import { StatusPicker } from './status-picker.tsx';

export const features = tableFeatures({ columnSizingFeature });

const column = createColumnHelper<typeof features, OpenOrder>();

/** px; they grow in proportion with the table. */
const roomy = {
  details: 212,
  vehicle: 220,
  status: 150,
  priority: 110,
  assignment: 228,
  jobs: 208,
  timeline: 180,
};
/** What a window of 1024 px has beside the rail and a scrollbar. The vehicle's has to hold a VIN. */
const tight: typeof roomy = {
  details: 128,
  vehicle: 166,
  status: 126,
  priority: 90,
  assignment: 138,
  jobs: 92,
  timeline: 160,
};

/** Ids are keys of the `column` texts. */
export const columns = (mayChangeStatus: boolean, isTight: boolean, sizes = isTight ? tight : roomy) =>
  column.columns([
    column.display({
      id: 'details',
      size: sizes.details,
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
      size: sizes.vehicle,
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
      size: sizes.status,
      cell: ({ row }) => <StatusPicker order={row.original.order} readOnly={!mayChangeStatus} />,
    }),
    column.display({
      id: 'priority',
      size: sizes.priority,
      cell: ({ row }) => <PrioritySign priority={row.original.order.priority} />,
    }),
    column.display({
      id: 'assignment',
      size: sizes.assignment,
      cell: ({ row }) => <Assignment order={row.original.order} />,
    }),
    column.display({ id: 'jobs', size: sizes.jobs, cell: ({ row }) => <Jobs order={row.original.order} /> }),
    column.display({
      id: 'timeline',
      size: sizes.timeline,
      cell: ({ row }) => <Timeline order={row.original.order} />,
    }),
  ]);
