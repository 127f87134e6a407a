// What a user chose for one field of an order, whichever control it was chosen with.
import type { Priority } from '../api/repair-orders.ts';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import type { DisplayedStatus } from './statuses.ts';

export type Choice =
  | { field: 'status'; status: DisplayedStatus }
  | { field: 'priority'; priority: Priority }
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: AssignedTechnician };

/** The same, without the technician's name. */
export type UnnamedChoice =
  | Extract<Choice, { field: 'status' | 'priority' }>
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: { id: number } };

export type PickedField = Choice['field'];

/** The part of an order that a choice decides on. */
export type DecidedField = (order: RepairOrder) => string;

export const decidedField: Record<PickedField, DecidedField> = {
  status: (order) => order.status,
  priority: (order) => order.priority,
  technicians: (order) => order.technicians.map(({ id }) => id).join(),
};

/** There is nothing to change. */
export function isAlreadySo(order: RepairOrder, choice: UnnamedChoice): boolean {
  switch (choice.field) {
    case 'status':
      return order.status === choice.status;
    case 'priority':
      return order.priority === choice.priority;
    case 'technicians':
      return order.technicians.some(({ id }) => id === choice.technician.id) === (choice.action === 'assign');
  }
}
