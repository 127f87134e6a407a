// What a user chose for one field of an order, whichever control it was chosen with.
import type { CallReason } from '../api/customer-calls.ts';
import type { Priority } from '../api/repair-orders.ts';
import type { HoldDraft } from '../api/stages.ts';
import type { AssignedTechnician, RepairOrder } from './order.ts';
import type { DisplayedStatus } from './statuses.ts';

export type Choice =
  | { field: 'status'; status: DisplayedStatus }
  | { field: 'priority'; priority: Priority }
  /** `name`: what the stage is called; `endHolds`: what keeps the order in its stage ends with it. */
  | { field: 'stage'; stage: string; name: string; endHolds: boolean }
  /** A hold begins, or what is said of it changes. */
  | { field: 'holds'; action: 'start'; hold: HoldDraft }
  | { field: 'holds'; action: 'end'; hold: number }
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: AssignedTechnician }
  /** One technician gets the order in place of another. */
  | { field: 'technicians'; action: 'reassign'; from: AssignedTechnician; technician: AssignedTechnician };

interface TechnicianId {
  id: number;
}

/** The same, without the technicians' names; and what is no field that two people could set to different values. */
export type OrderChange =
  | Extract<Choice, { field: 'status' | 'priority' | 'stage' | 'holds' }>
  /** The customer was called about this. */
  | { field: 'calls'; about: readonly CallReason[] }
  | { field: 'technicians'; action: 'assign' | 'unassign'; technician: TechnicianId }
  | { field: 'technicians'; action: 'reassign'; from: TechnicianId; technician: TechnicianId };

export type ChangedField = OrderChange['field'];
/** What a picker is there for. */
export type PickedField = Exclude<Choice['field'], 'holds'>;

/** The part of an order that a choice decides on. */
export type DecidedField = (order: RepairOrder) => string;

export const decidedField: Record<Choice['field'], DecidedField> = {
  status: (order) => order.status,
  priority: (order) => order.priority,
  technicians: (order) => order.technicians.map(({ id }) => id).join(),
  stage: (order) => order.stage ?? '',
  holds: (order) => JSON.stringify(order.holds),
};

/** There is nothing to change. */
export function isAlreadySo(order: RepairOrder, choice: OrderChange): boolean {
  switch (choice.field) {
    case 'status':
      return order.status === choice.status;
    case 'priority':
      return order.priority === choice.priority;
    case 'stage':
      return order.stage === choice.stage && !choice.endHolds;
    case 'holds':
      return choice.action === 'end' && order.holds.every(({ id }) => id !== choice.hold);
    // Whoever calls again has called again.
    case 'calls':
      return false;
    case 'technicians': {
      const isOn = (technician: TechnicianId) => order.technicians.some(({ id }) => id === technician.id);
      if (choice.action === 'reassign') return isOn(choice.technician) && !isOn(choice.from);
      return isOn(choice.technician) === (choice.action === 'assign');
    }
  }
}
