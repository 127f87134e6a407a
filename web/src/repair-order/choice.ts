// What a user chose for one field of an order, whichever control it was chosen with.
import type { Priority } from '../api/repair-orders.ts';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import type { DisplayedStatus } from './statuses.ts';

export type Choice =
  | { field: 'status'; status: DisplayedStatus }
  | { field: 'priority'; priority: Priority }
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: AssignedTechnician }
  /** One technician gets the order in place of another. */
  | { field: 'technicians'; action: 'reassign'; from: AssignedTechnician; technician: AssignedTechnician };

interface TechnicianId {
  id: number;
}

/** The same, without the technicians' names. */
export type OrderChange =
  | Extract<Choice, { field: 'status' | 'priority' }>
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: TechnicianId }
  | { field: 'technicians'; action: 'reassign'; from: TechnicianId; technician: TechnicianId };

export type PickedField = Choice['field'];

/** The part of an order that a choice decides on. */
export type DecidedField = (order: RepairOrder) => string;

export const decidedField: Record<PickedField, DecidedField> = {
  status: (order) => order.status,
  priority: (order) => order.priority,
  technicians: (order) => order.technicians.map(({ id }) => id).join(),
};

/** There is nothing to change. */
export function isAlreadySo(order: RepairOrder, choice: OrderChange): boolean {
  switch (choice.field) {
    case 'status':
      return order.status === choice.status;
    case 'priority':
      return order.priority === choice.priority;
    case 'technicians': {
      const isOn = (technician: TechnicianId) => order.technicians.some(({ id }) => id === technician.id);
      if (choice.action === 'reassign') return isOn(choice.technician) && !isOn(choice.from);
      return isOn(choice.technician) === (choice.action === 'assign');
    }
  }
}
