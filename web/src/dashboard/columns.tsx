import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  rowSortingFeature,
  tableFeatures,
} from '@tanstack/react-table';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import { type ColumnId, FIXED_COLUMN } from './column-layout.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { Assignment, Jobs, NumberAndCustomer, VinWithCopy } from './order-fields.tsx';
import { AssignmentButtons, PriorityControl } from './row-actions.tsx';
import { DeskPromise, DeskStage } from './stage-parts.tsx';
import { StatusPicker } from './status-picker.tsx';
import { Timeline } from './timeline.tsx';

export const features = tableFeatures({
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
});

const column = createColumnHelper<typeof features, FrozenRow>();

/**
 * px; they grow in proportion with the table. Most of the room is for what tells cars apart: of the sample shop's 420
 * vehicles some twenty are longer than their column at 1440 px.
 */
const roomy: Record<ColumnId, number> = {
  details: 184,
  vehicle: 258,
  status: 138,
  priority: 94,
  stage: 154,
  assignment: 198,
  jobs: 126,
  timeline: 216,
};
/**
 * The widths that fit a window of 1024 px beside the rail, the boxes and a scrollbar. The vehicle column has to hold
 * a VIN, and that of the assignment most technicians' whole names.
 */
const tight: typeof roomy = {
  details: 120,
  vehicle: 168,
  status: 104,
  priority: 80,
  stage: 112,
  assignment: 138,
  jobs: 76,
  timeline: 177,
};
/**
 * What gives way where a shop has the column of stages, at these same widths of the window. The boxes and a scrollbar
 * have their room, too: no time and no mark of a promise is to be cut.
 */
const roomyWithStages: typeof roomy = {
  details: 166,
  vehicle: 192,
  status: 130,
  priority: 94,
  stage: 164,
  assignment: 176,
  jobs: 92,
  timeline: 190,
};
const tightWithStages: typeof roomy = {
  details: 108,
  vehicle: 134,
  status: 104,
  priority: 76,
  stage: 112,
  assignment: 118,
  jobs: 70,
  timeline: 152,
};
/** Beside the details, where at 1366 px the column of jobs has given way: technicians' names have its room. */
const besideWithStages: typeof roomy = { ...tightWithStages, assignment: 146 };
/** px; on touch three targets for a thumb stand beside the technician, and one beside the VIN. */
const TOUCH_BUTTONS = 132;
const TOUCH_COPY = 24;

export interface Room {
  tight: boolean;
  touch: boolean;
  /** The column of stages is shown. */
  stages: boolean;
  /** The table stands beside open details. */
  beside: boolean;
}

/** px */
export function columnWidths({
  tight: isTight,
  stages,
  beside,
}: Omit<Room, 'touch'>): Readonly<Record<ColumnId, number>> {
  if (!isTight) return stages ? roomyWithStages : roomy;
  if (!stages) return tight;
  return beside ? besideWithStages : tightWithStages;
}

/** Ids are keys of the `column` texts. A row that only keeps its place offers no actions. */
export function columns(may: OrderPermissions, room: Room, t: TFunction) {
  const sizes = columnWidths(room);
  // A column without a value cannot be sorted by: each has its order.
  const of = (id: ColumnId, size: number, cell: (row: FrozenRow) => ReactNode) =>
    column.accessor(({ cached }) => cached.order, {
      id,
      size,
      header: t(`column.${id}`),
      enableHiding: id !== FIXED_COLUMN,
      cell: ({ row }) => cell(row.original),
    });
  return column.columns([
    of('details', sizes.details, (row) => <NumberAndCustomer {...row} />),
    of('vehicle', sizes.vehicle + (room.touch ? TOUCH_COPY : 0), ({ cached }) => (
      <Vehicle order={cached.order} />
    )),
    of('status', sizes.status, ({ cached, removal }) => (
      <StatusPicker order={cached.order} readOnly={!may.status || removal !== null} />
    )),
    of('priority', sizes.priority, (row) => <Priority {...row} may={may} />),
    of('stage', sizes.stage + (room.touch ? TOUCH_COPY : 0), ({ cached, removal }) => (
      <DeskStage order={cached.order} readOnly={may.stage !== true || removal !== null} />
    )),
    of('assignment', sizes.assignment + (room.touch && may.dispatch ? TOUCH_BUTTONS : 0), (row) => (
      <AssignmentWithButtons {...row} may={may} />
    )),
    of('jobs', sizes.jobs, ({ cached }) => <Jobs order={cached.order} />),
    of('timeline', sizes.timeline, ({ cached }) => (
      <Timeline order={cached.order} mark={<DeskPromise order={cached.order} />} />
    )),
  ]);
}

/** Longer names (characters) are set smaller, so that the roomy column holds nearly all of them. */
const LONG_NAME = 36;

function Vehicle({ order }: { order: RepairOrder }) {
  const size = order.vehicle.length > LONG_NAME ? 'text-12' : 'group-data-tight/table:text-12';
  return (
    <>
      <span className={`block truncate leading-(--row-line)! normal-nums ${size}`} title={order.vehicle}>
        {order.vehicle}
      </span>
      <VinWithCopy vin={order.vin} />
    </>
  );
}

type ControlProps = FrozenRow & { may: OrderPermissions };

function Priority({ cached: { order }, removal, may }: ControlProps) {
  return removal === null ? (
    <PriorityControl order={order} may={may} besideStatus />
  ) : (
    <PriorityIcon priority={order.priority} isRepeated={repeatsStatus(order)} />
  );
}

function AssignmentWithButtons({ cached: { order }, removal, may }: ControlProps) {
  return (
    <span className="flex items-center gap-1">
      <Assignment order={order} readOnly={!may.dispatch || removal !== null} className="flex-1" />
      {removal === null && <AssignmentButtons order={order} may={may} />}
    </span>
  );
}
