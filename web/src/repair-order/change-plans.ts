// What a change of orders means: the request that makes it, what counts as changing until the answer is there, and
// what the user and the others on the socket are told. Decides; sends nothing and shows nothing.
import { type CallReason, recordCall } from '../api/customer-calls.ts';
import { ApiError } from '../api/http.ts';
import {
  assignTechnician,
  type ChangedResult,
  type OrderVersion,
  type Priority,
  reassignTechnician,
  unassignTechnician,
  updatePriority,
  updateStatus,
} from '../api/repair-orders.ts';
import type { ChangeNotice } from '../api/socket.ts';
import { endHold, setStage, startHold } from '../api/stages.ts';
import { i18n } from '../i18n/i18n.ts';
import type { Result } from './change-results.ts';
import type { Choice, OrderChange } from './choice.ts';
import { type DispatchShare, sendShares, technicianOf } from './dispatch-shares.ts';
import type { OpenDialog } from './open-dialog.ts';
import type { RepairOrder } from './order.ts';
import { changeKey } from './pending-changes.ts';
import type { OrdersBefore } from './recent-changes.ts';
import { automaticPriority, type DisplayedStatus, priorityLevels, statusIds } from './statuses.ts';
import { ordersText, subjectOf } from './toast-subject.ts';

export interface ToastText {
  text: string;
  tone?: 'destructive';
  /** Whom and which orders it was about. */
  detail?: string;
}

export interface ChangePlan {
  /** Where it shows as changing until the answer is there. */
  key: readonly unknown[];
  orders: readonly OrderVersion[];
  send(): Promise<readonly Result[]>;
  done(changed: readonly ChangedResult[], before: OrdersBefore): ToastText;
  /** What the toast says of a refusal. */
  failed: string;
  /** The dialog that asks what becomes of a refusal; null: the toast says it. */
  ask?(failure: unknown): OpenDialog | null;
  notices(changed: readonly ChangedResult[]): ChangeNotice[];
  /** Sent PRIORITY_NOTICE_DELAY_MS after the others. */
  laterNotices?: readonly ChangeNotice[];
}

export function planOf(order: OrderVersion, change: OrderChange): ChangePlan {
  switch (change.field) {
    case 'status':
      return statusPlan(order, change.status);
    case 'priority':
      return priorityPlan(order, change.priority);
    case 'stage':
      return stagePlan(order, change);
    case 'holds':
      return holdsPlan(order, change);
    case 'calls':
      return callPlan(order, change.about);
    case 'technicians':
      return techniciansPlan(order, change);
  }
}

function statusPlan(order: OrderVersion, status: DisplayedStatus): ChangePlan {
  const { roNumber } = order;
  return {
    key: changeKey('status', roNumber),
    orders: [order],
    send: () => updateStatus(order, statusIds[status]),
    done: (changed) => ({
      ...statusText(status, changed[0]?.rows[0]?.priorityName ?? automaticPriority[status]),
      detail: ordersText(changed),
    }),
    failed: i18n.t('toast.statusFailed'),
    notices: () => [{ roNumber, action: 'STATUS_CHANGED' }],
    laterNotices: [{ roNumber, action: 'PRIORITY_CHANGED' }],
  };
}

/** `priority`: the one that the order has now, which somebody may have set by hand in the same moment. */
function statusText(status: DisplayedStatus, priority: Priority): ToastText {
  if (priority !== automaticPriority[status]) {
    return { tone: 'destructive', text: i18n.t('toast.priorityFailed') };
  }
  return { text: statusUpdatedText(status, priority) };
}

function statusUpdatedText(status: DisplayedStatus, priority: Priority): string {
  const words = { status: i18n.t(`status.${status}`), priority: i18n.t(`priority.${priority}`) };
  return i18n.t('toast.statusUpdated', words);
}

function priorityPlan(order: OrderVersion, priority: Priority): ChangePlan {
  return {
    key: changeKey('priority', order.roNumber),
    orders: [order],
    send: () => updatePriority(order, priorityLevels[priority]),
    done: (changed) => ({ ...priorityText(priority), detail: ordersText(changed) }),
    failed: i18n.t('toast.priorityUpdateFailed'),
    notices: () => [{ roNumber: order.roNumber, action: 'PRIORITY_CHANGED' }],
  };
}

function priorityText(priority: Priority): ToastText {
  return { text: i18n.t('toast.priorityUpdated', { priority: i18n.t(`priority.${priority}`) }) };
}

/** The server announces stages and holds with their rows: no notice of this page is needed. */
const noNotices = () => [];

function stagePlan(order: OrderVersion, change: Extract<OrderChange, { field: 'stage' }>): ChangePlan {
  const { stage, name, endHolds } = change;
  return {
    key: changeKey('stage', order.roNumber),
    orders: [order],
    send: () => setStage(order, stage, endHolds),
    done: (changed) => ({ text: i18n.t('stages.toast.moved', { stage: name }), detail: ordersText(changed) }),
    failed: i18n.t('stages.toast.moveFailed'),
    ask: (failure) =>
      failure instanceof ApiError && failure.code === 'on-hold'
        ? { kind: 'end-holds', order: order.roNumber, stage, name }
        : null,
    notices: noNotices,
  };
}

function holdsPlan(order: OrderVersion, change: Extract<OrderChange, { field: 'holds' }>): ChangePlan {
  const isEnd = change.action === 'end';
  return {
    key: changeKey('holds', order.roNumber),
    orders: [order],
    send: () => (isEnd ? endHold(order, change.hold) : startHold(order, change.hold)),
    done: (changed) => ({ text: i18n.t(holdTexts[change.action]), detail: ordersText(changed) }),
    failed: i18n.t('stages.toast.holdFailed'),
    notices: noNotices,
  };
}

const holdTexts = { start: 'stages.toast.onHold', end: 'stages.toast.holdEnded' } as const;

function callPlan(order: OrderVersion, about: readonly CallReason[]): ChangePlan {
  return {
    key: changeKey('calls', order.roNumber),
    orders: [order],
    send: () => recordCall(order, about),
    done: (changed) => ({ text: i18n.t('stages.toast.called'), detail: ordersText(changed) }),
    failed: i18n.t('stages.toast.callFailed'),
    notices: noNotices,
  };
}

function techniciansPlan(
  order: OrderVersion,
  change: Extract<OrderChange, { field: 'technicians' }>,
): ChangePlan {
  const { roNumber } = order;
  const { id } = change.technician;
  const common = { key: changeKey('technicians', roNumber), orders: [order] };
  switch (change.action) {
    case 'assign':
      return {
        ...common,
        send: () => assignTechnician(order, id),
        done: (...made) => ({ text: i18n.t('toast.assigned'), detail: subjectOf([id], ...made) }),
        failed: i18n.t('toast.assignFailed'),
        notices: () => [assigned(roNumber, id)],
      };
    case 'unassign':
      return {
        ...common,
        send: () => unassignTechnician(order, id),
        done: (...made) => ({ text: i18n.t('toast.unassigned'), detail: subjectOf([id], ...made) }),
        failed: i18n.t('toast.unassignFailed'),
        notices: () => [unassigned(roNumber, id)],
      };
    case 'reassign': {
      const from = change.from.id;
      return {
        ...common,
        send: () => reassignTechnician(order, from, id),
        done: (...made) => ({ text: i18n.t('toast.reassigned'), detail: subjectOf([from, id], ...made) }),
        failed: i18n.t('toast.reassignFailed'),
        notices: () => [unassigned(roNumber, from), assigned(roNumber, id)],
      };
    }
  }
}

/** To each technician their orders, announced and undone as one. */
export function dispatchPlan(shares: readonly DispatchShare[]): ChangePlan {
  const technicians = shares.map(({ technician }) => technician);
  return {
    key: ['change', 'batch'],
    orders: shares.flatMap(({ orders }) => orders),
    send: () => sendShares(shares),
    done: (changed, before) => ({
      text: i18n.t('toast.assigned'),
      detail: subjectOf(technicians, changed, before, ', '),
    }),
    failed: i18n.t('toast.assignFailed'),
    notices: (changed) =>
      changed.flatMap(({ roNumber }) => technicianOf(shares, roNumber).map((id) => assigned(roNumber, id))),
  };
}

/** The order was already shown as what was chosen: nothing is sent. */
export function nothingToChangeText(order: RepairOrder, choice: OrderChange): ToastText {
  const number = order.roNumber;
  switch (choice.field) {
    case 'status':
      return { text: i18n.t('toast.already.status', { number, value: i18n.t(`status.${choice.status}`) }) };
    case 'priority':
      return {
        text: i18n.t('toast.already.priority', { number, value: i18n.t(`priority.${choice.priority}`) }),
      };
    case 'stage':
      return { text: i18n.t('stages.toast.alreadyThere', { number, stage: choice.name }) };
    case 'holds':
      return { text: i18n.t('stages.toast.holdEnded') };
    case 'calls':
      return { text: i18n.t('stages.toast.called') };
    case 'technicians':
      return {
        text: i18n.t(`toast.already.${choice.action === 'unassign' ? 'unassign' : 'assign'}`, { number }),
      };
  }
}

/** Somebody else has made the order what was chosen. */
export function alreadySoText(order: RepairOrder, choice: Choice): ToastText {
  const detail = i18n.t('recent.order', { number: order.roNumber });
  switch (choice.field) {
    case 'status':
      return { text: statusUpdatedText(choice.status, order.priority), detail };
    case 'priority':
      return { ...priorityText(choice.priority), detail };
    case 'stage':
      return { text: i18n.t('stages.toast.moved', { stage: choice.name }), detail };
    case 'holds':
      return { text: i18n.t(holdTexts[choice.action]), detail };
    case 'technicians':
      return { text: i18n.t(doneTexts[choice.action]), detail };
  }
}

const doneTexts = {
  assign: 'toast.assigned',
  unassign: 'toast.unassigned',
  reassign: 'toast.reassigned',
} as const;

function assigned(roNumber: number, techId: number): ChangeNotice {
  return { roNumber, action: 'TECH_ASSIGNED', techId };
}

function unassigned(roNumber: number, techId: number): ChangeNotice {
  return { roNumber, action: 'TECH_UNASSIGNED', techId };
}
