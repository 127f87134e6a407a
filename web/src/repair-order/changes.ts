// Changes repair orders: sends the request and the notices, and shows the toast. The rows themselves change by
// landing. Each change names the version it was decided on; the caller handles a stale version.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import {
  assignTechnician,
  type ChangedResult,
  type OrderVersion,
  type Priority,
  reassignTechnician,
  type Status,
  unassignTechnician,
  updatePriority,
  updateStatus,
} from '../api/repair-orders.ts';
import type { ChangeNotice } from '../api/socket.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toaster.ts';
import { PRIORITY_NOTICE_DELAY_MS, sendChangeNotice } from './change-notices.ts';
import { landIfStale, landResults, type Result } from './change-results.ts';
import { type Choice, decidedField, isAlreadySo } from './choice.ts';
import { type DispatchShare, sendShares, technicianOf } from './dispatch-shares.ts';
import { cachedOrders } from './live-orders.ts';
import { openDialog } from './open-dialog.ts';
import type { OpenOrder } from './order-cache.ts';
import { changeKey } from './pending-changes.ts';
import type { OrdersBefore } from './recent-changes.ts';
import { displayedStatuses, priorityLevels, statusIds } from './statuses.ts';
import { subjectOf } from './toast-subject.ts';
import { undoAction } from './undo.ts';

/**
 * The outcome of a change. `stale`: the order is newer than the caller had seen; the newer version has landed, and no
 * toast was shown. `failed`: a toast was shown.
 */
export type Outcome =
  | { kind: 'done' | 'stale' | 'failed' }
  /** The orders that were refused, of several. */
  | { kind: 'partly'; refused: readonly number[] };

/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

export interface Changes {
  /** What was picked from the order as it was shown. A concurrent change of the same field asks the user. */
  pick(shown: OpenOrder, choice: Choice): Promise<void>;
  /** One attempt of the same. */
  send(order: OrderVersion, choice: Choice): Promise<Outcome>;
  /** A status by its name. `openedOrder`: the order as it was when the user began to choose. */
  status(roNumber: number, status: string, openedOrder?: OpenOrder): Promise<void>;
  priority(order: OrderVersion, priority: Priority): Promise<Outcome>;
  assign(order: OrderVersion, technician: number): Promise<Outcome>;
  unassign(order: OrderVersion, technician: number): Promise<Outcome>;
  reassign(order: OrderVersion, from: number, to: number): Promise<Outcome>;
  /** To each technician their orders; announced and undone as one. */
  dispatch(shares: readonly DispatchShare[]): Promise<Outcome>;
}

export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo(() => changesOf(client), [client]);
}

export function changesOf(client: QueryClient): Changes {
  return {
    pick: (shown, choice) => pick(client, shown, choice),
    send: (order, choice) => sendChoice(client, order, choice),
    status: (roNumber, status, openedOrder) => changeStatus(client, roNumber, status, openedOrder),
    priority: (order, priority) =>
      executeChange(client, {
        key: changeKey('priority', order.roNumber),
        orders: [order],
        send: () => updatePriority(order, priorityLevels[priority]),
        done: i18n.t('toast.priorityUpdated', { priority: i18n.t(`priority.${priority}`) }),
        failed: i18n.t('toast.priorityUpdateFailed'),
        notices: () => [{ roNumber: order.roNumber, action: 'PRIORITY_CHANGED' }],
      }),
    assign: (order, technician) =>
      executeChange(client, {
        key: changeKey('technicians', order.roNumber),
        orders: [order],
        send: () => assignTechnician(order, technician),
        done: i18n.t('toast.assigned'),
        failed: i18n.t('toast.assignFailed'),
        subject: (changed, before) => subjectOf([technician], changed, before),
        notices: () => [assigned(order.roNumber, technician)],
      }),
    unassign: (order, technician) =>
      executeChange(client, {
        key: changeKey('technicians', order.roNumber),
        orders: [order],
        send: () => unassignTechnician(order, technician),
        done: i18n.t('toast.unassigned'),
        failed: i18n.t('toast.unassignFailed'),
        subject: (changed, before) => subjectOf([technician], changed, before),
        notices: () => [unassigned(order.roNumber, technician)],
      }),
    reassign: (order, from, to) =>
      executeChange(client, {
        key: changeKey('technicians', order.roNumber),
        orders: [order],
        send: () => reassignTechnician(order, from, to),
        done: i18n.t('toast.reassigned'),
        failed: i18n.t('toast.reassignFailed'),
        subject: (changed, before) => subjectOf([from, to], changed, before),
        notices: () => [unassigned(order.roNumber, from), assigned(order.roNumber, to)],
      }),
    dispatch: (shares) =>
      executeChange(client, {
        key: ['change', 'batch'],
        orders: shares.flatMap(({ orders }) => orders),
        send: () => sendShares(shares),
        done: i18n.t('toast.assigned'),
        failed: i18n.t('toast.assignFailed'),
        subject: (changed, before) =>
          subjectOf(
            shares.map(({ technician }) => technician),
            changed,
            before,
            ', ',
          ),
        notices: (changed) =>
          changed.flatMap(({ roNumber }) =>
            technicianOf(shares, roNumber).map((id) => assigned(roNumber, id)),
          ),
      }),
  };
}

/** While `send` is under way the order's status counts as changing, wherever it is shown. */
export function statusChangeOf<T>(client: QueryClient, roNumber: number, send: () => Promise<T>): Promise<T> {
  const mutationKey = changeKey('status', roNumber);
  return client
    .getMutationCache()
    .build(client, { mutationKey, mutationFn: send, networkMode: 'always' })
    .execute(undefined);
}

function assigned(roNumber: number, techId: number): ChangeNotice {
  return { roNumber, action: 'TECH_ASSIGNED', techId };
}

function unassigned(roNumber: number, techId: number): ChangeNotice {
  return { roNumber, action: 'TECH_UNASSIGNED', techId };
}

interface Plan {
  key: readonly unknown[];
  orders: readonly OrderVersion[];
  send(): Promise<readonly Result[]>;
  done: string | ((changed: ChangedResult[]) => { text: string; tone?: 'destructive' });
  failed: string;
  /** Whom and which orders it was about. */
  subject?(changed: ChangedResult[], before: OrdersBefore): string;
  notices(changed: ChangedResult[]): ChangeNotice[];
}

async function executeChange(client: QueryClient, plan: Plan): Promise<Outcome> {
  const [first, ...others] = plan.orders;
  const before = displayedOrders(client, plan.orders);
  let results: readonly Result[];
  try {
    const { key: mutationKey, send: mutationFn } = plan;
    const mutation = client
      .getMutationCache()
      .build(client, { mutationKey, mutationFn, networkMode: 'always' });
    results = await mutation.execute(undefined);
  } catch (failure) {
    if (first !== undefined && others.length === 0 && landIfStale(client, first.roNumber, failure)) {
      return { kind: 'stale' };
    }
    showToast({ tone: 'destructive', text: plan.failed, detail: errorMessage(failure, i18n.t) });
    return { kind: 'failed' };
  }
  const { changed, refused } = landResults(client, results);
  sendChangeNotice(...plan.notices(changed));
  const action = undoAction(client, changed, before);
  const [refusal] = refused;
  if (refusal === undefined) {
    const toast = typeof plan.done === 'string' ? { text: plan.done } : plan.done(changed);
    const detail = plan.subject?.(changed, before);
    showToast({ ...toast, ...(detail && { detail }), ...(action && { action }) });
    return { kind: 'done' };
  }
  const words = { count: refused.length, total: results.length, reason: refusal.error };
  const detail = i18n.t('toast.partlyRefused', words);
  showToast({ tone: 'destructive', text: plan.failed, detail, ...(action && { action }) });
  return {
    kind: 'partly',
    refused: refused.map((entry) => entry.roNumber).filter((number) => number !== null),
  };
}

/** The orders as they are displayed now. */
function displayedOrders(client: QueryClient, orders: readonly OrderVersion[]): OrdersBefore {
  const { open } = cachedOrders(client);
  return new Map(
    orders.flatMap(({ roNumber }) => {
      const cached = open.get(roNumber);
      return cached === undefined ? [] : [[roNumber, cached.order]];
    }),
  );
}

/** The priority that follows from a status, set by the server in the same transaction. */
function automaticPriority(status: Status): Priority {
  return status === 'Waiting' ? 'Waiting' : 'Low';
}

async function changeStatus(
  client: QueryClient,
  roNumber: number,
  wanted: string,
  openedOrder: OpenOrder | undefined,
): Promise<void> {
  const status = displayedStatuses.find((one) => one === wanted);
  if (status === undefined) {
    showToast({ tone: 'destructive', text: i18n.t('toast.statusInvalid', { status: wanted }) });
    return;
  }
  const cached = openedOrder ?? cachedOrders(client).open.get(roNumber);
  if (cached === undefined || !cachedOrders(client).open.has(roNumber)) {
    showToast({ tone: 'destructive', text: i18n.t('toast.orderUnknown', { number: roNumber }) });
    return;
  }
  await pick(client, cached, { field: 'status', status });
}

async function pick(client: QueryClient, shown: OpenOrder, choice: Choice): Promise<void> {
  const { key } = shown.order;
  const decided = decidedField[choice.field];
  if (isAlreadySo(shown.order, choice)) return;
  let decidedOn = shown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const order = { roNumber: key, version: decidedOn.version };
    const outcome = await sendChoice(client, order, choice);
    if (outcome.kind !== 'stale') return;
    const now = cachedOrders(client).open.get(key);
    // Somebody changed another field, so this change is sent again.
    if (now === undefined || decided(now.order) !== decided(shown.order) || now.version <= decidedOn.version)
      break;
    decidedOn = now;
  }
  resolveOvertaken(client, shown, choice);
}

function sendChoice(client: QueryClient, order: OrderVersion, choice: Choice): Promise<Outcome> {
  const changes = changesOf(client);
  switch (choice.field) {
    case 'status':
      return sendStatus(client, order, choice.status);
    case 'priority':
      return changes.priority(order, choice.priority);
    case 'technicians':
      return changes[choice.action](order, choice.technician.id);
  }
}

function sendStatus(
  client: QueryClient,
  order: OrderVersion,
  status: (typeof displayedStatuses)[number],
): Promise<Outcome> {
  return executeChange(client, {
    key: changeKey('status', order.roNumber),
    orders: [order],
    send: () => updateStatus(order, statusIds[status]),
    done: (changed) => {
      const priority = automaticPriority(status);
      // Somebody may have set another priority in the same moment; this answer is right.
      if (changed.some(({ rows }) => rows.some((row) => row.priorityName !== priority))) {
        return { tone: 'destructive', text: i18n.t('toast.priorityFailed') };
      }
      const words = { status: i18n.t(`status.${status}`), priority: i18n.t(`priority.${priority}`) };
      return { text: i18n.t('toast.statusUpdated', words) };
    },
    failed: i18n.t('toast.statusFailed'),
    notices: () => {
      const { roNumber } = order;
      setTimeout(() => sendChangeNotice({ roNumber, action: 'PRIORITY_CHANGED' }), PRIORITY_NOTICE_DELAY_MS);
      return [{ roNumber, action: 'STATUS_CHANGED' }];
    },
  });
}

/** Somebody changed the same field while this was chosen: the user decides, unless both chose the same. */
function resolveOvertaken(client: QueryClient, shown: OpenOrder, choice: Choice): void {
  const cache = cachedOrders(client);
  const { key, roNumber: number } = shown.order;
  const now = cache.open.get(key);
  if (now === undefined) {
    const name = cache.closed.get(key)?.by?.person.name ?? i18n.t('conflict.somebody');
    showToast({ tone: 'destructive', text: i18n.t('conflict.closed', { number, name }) });
  } else if (isAlreadySo(now.order, choice)) {
    showToast(alreadySoToast(now, choice));
  } else {
    openDialog({ kind: 'conflict', shown, choice });
  }
}

function alreadySoToast({ order }: OpenOrder, choice: Choice): Parameters<typeof showToast>[0] {
  const priority = i18n.t(`priority.${order.priority}`);
  switch (choice.field) {
    case 'status': {
      // The priority may have been set by hand since.
      if (order.priority !== automaticPriority(choice.status))
        return { tone: 'destructive', text: i18n.t('toast.priorityFailed') };
      const status = i18n.t(`status.${choice.status}`);
      return { text: i18n.t('toast.statusUpdated', { status, priority }) };
    }
    case 'priority':
      return { text: i18n.t('toast.priorityUpdated', { priority }) };
    case 'technicians':
      return { text: i18n.t(choice.action === 'assign' ? 'toast.assigned' : 'toast.unassigned') };
  }
}
