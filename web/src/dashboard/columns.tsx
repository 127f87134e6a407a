import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
} from '@tanstack/react-table';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import type { ColumnId } from './column-layout.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { Assignment, Jobs, NumberAndCustomer, VinWithCopy } from './order-fields.tsx';
import { AssignmentButtons, PriorityControl } from './row-actions.tsx';
import { StatusPicker } from './status-picker.tsx';
import { Timeline } from './timeline.tsx';

export const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
});

const column = createColumnHelper<typeof features, FrozenRow>();

/** px; they grow in proportion with the table. */
const roomy: Record<ColumnId, number> = {
  details: 184,
  vehicle: 210,
  status: 136,
  priority: 96,
  assignment: 214,
  jobs: 150,
  timeline: 224,
};
/**
 * The widths that fit a window of 1024 px beside the rail, the boxes and a scrollbar. The vehicle column has to hold
 * a VIN.
 */
const tight: typeof roomy = {
  details: 110,
  vehicle: 166,
  status: 130,
  priority: 92,
  assignment: 124,
  jobs: 76,
  timeline: 162,
};
/** px; on touch three targets for a thumb stand beside the technician, and one beside the VIN. */
const TOUCH_BUTTONS = 132;
const TOUCH_COPY = 24;

interface Room {
  tight: boolean;
  touch: boolean;
}

/** Ids are keys of the `column` texts. A row that only keeps its place offers no actions. */
export function columns(may: OrderPermissions, room: Room) {
  const sizes = room.tight ? tight : roomy;
  return column.columns([
    column.display({
      id: 'details',
      size: sizes.details,
      cell: ({ row }) => <NumberAndCustomer {...row.original} />,
    }),
    column.display({
      id: 'vehicle',
      size: sizes.vehicle + (room.touch ? TOUCH_COPY : 0),
      cell: ({ row }) => (
        <>
          <span className="block truncate" title={row.original.cached.order.vehicle}>
            {row.original.cached.order.vehicle}
          </span>
          <VinWithCopy vin={row.original.cached.order.vin} />
        </>
      ),
    }),
    column.display({
      id: 'status',
      size: sizes.status,
      cell: ({ row }) => (
        <StatusPicker
          order={row.original.cached.order}
          readOnly={!may.status || row.original.removal !== null}
        />
      ),
    }),
    column.display({
      id: 'priority',
      size: sizes.priority,
      cell: ({ row: { original } }) =>
        original.removal === null ? (
          <PriorityControl order={original.cached.order} may={may} />
        ) : (
          <PriorityIcon
            priority={original.cached.order.priority}
            isRepeated={repeatsStatus(original.cached.order)}
          />
        ),
    }),
    column.display({
      id: 'assignment',
      size: sizes.assignment + (room.touch && may.dispatch ? TOUCH_BUTTONS : 0),
      cell: ({ row: { original } }) => (
        <span className="flex items-center gap-1">
          <span className="min-w-0 flex-1">
            <Assignment order={original.cached.order} readOnly={!may.dispatch || original.removal !== null} />
          </span>
          {original.removal === null && <AssignmentButtons order={original.cached.order} may={may} />}
        </span>
      ),
    }),
    column.display({
      id: 'jobs',
      size: sizes.jobs,
      cell: ({ row }) => <Jobs order={row.original.cached.order} />,
    }),
    column.display({
      id: 'timeline',
      size: sizes.timeline,
      cell: ({ row }) => <Timeline order={row.original.cached.order} />,
    }),
  ]);
}
