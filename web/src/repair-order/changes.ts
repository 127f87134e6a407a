// Changes repair orders: sends the request and the notices, and shows the toast. The rows themselves change by
// landing. Each change names the version it was decided on; the caller handles a stale version.
import { type MutationCache, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import {
  assignTechnician,
  type ChangedResult,
  dispatchOrders,
  type EntryResult,
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
import { landIfStale, landResults } from './change-results.ts';
import { cachedOrders } from './live-orders.ts';
import type { OpenOrder } from './order-cache.ts';
import { displayedStatuses, priorityLevels, statusIds } from './statuses.ts';
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
  /** `openedOrder`: the order as it was when the user began to choose. */
  status(roNumber: number, status: string, openedOrder?: OpenOrder): Promise<void>;
  priority(order: OrderVersion, priority: Priority): Promise<Outcome>;
  assign(order: OrderVersion, technician: number): Promise<Outcome>;
  unassign(order: OrderVersion, technician: number): Promise<Outcome>;
  reassign(order: OrderVersion, from: number, to: number): Promise<Outcome>;
  dispatch(orders: readonly OrderVersion[], technician: number): Promise<Outcome>;
}

export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo(() => changesOf(client), [client]);
}

export function changesOf(client: QueryClient): Changes {
  return {
    status: (roNumber, status, openedOrder) => changeStatus(client, roNumber, status, openedOrder),
    priority: (order, priority) =>
      executeChange(client, {
        key: keyOf('priority', order.roNumber),
        orders: [order],
        send: () => updatePriority(order, priorityLevels[priority]),
        done: i18n.t('toast.priorityUpdated', { priority: i18n.t(`priority.${priority}`) }),
        failed: i18n.t('toast.priorityUpdateFailed'),
        notices: () => [{ roNumber: order.roNumber, action: 'PRIORITY_CHANGED' }],
      }),
    assign: (order, technician) =>
      executeChange(client, {
        key: keyOf('technicians', order.roNumber),
        orders: [order],
        send: () => assignTechnician(order, technician),
        done: i18n.t('toast.assigned'),
        failed: i18n.t('toast.assignFailed'),
        notices: () => [assigned(order.roNumber, technician)],
      }),
    unassign: (order, technician) =>
      executeChange(client, {
        key: keyOf('technicians', order.roNumber),
        orders: [order],
        send: () => unassignTechnician(order, technician),
        done: i18n.t('toast.unassigned'),
        failed: i18n.t('toast.unassignFailed'),
        notices: () => [unassigned(order.roNumber, technician)],
      }),
    reassign: (order, from, to) =>
      executeChange(client, {
        key: keyOf('technicians', order.roNumber),
        orders: [order],
        send: () => reassignTechnician(order, from, to),
        done: i18n.t('toast.reassigned'),
        failed: i18n.t('toast.reassignFailed'),
        notices: () => [unassigned(order.roNumber, from), assigned(order.roNumber, to)],
      }),
    dispatch: (orders, technician) =>
      executeChange(client, {
        key: ['change', 'batch'],
        orders,
        send: () => dispatchOrders(orders, technician),
        done: i18n.t('toast.assigned'),
        failed: i18n.t('toast.assignFailed'),
        notices: (changed) => changed.map(({ roNumber }) => assigned(roNumber, technician)),
      }),
  };
}

/** Whether a change of this order's status is pending, whichever part of this page began it. */
export function useIsStatusChanging(roNumber: number): boolean {
  const cache = useQueryClient().getMutationCache();
  const changing = statusChangeTracker(cache);
  return useSyncExternalStore(changing.subscribe, () => changing.orders().has(roNumber));
}

/** While `send` is under way the order's status counts as changing, wherever it is shown. */
export function statusChangeOf<T>(client: QueryClient, roNumber: number, send: () => Promise<T>): Promise<T> {
  const mutationKey = keyOf('status', roNumber);
  return client
    .getMutationCache()
    .build(client, { mutationKey, mutationFn: send, networkMode: 'always' })
    .execute(undefined);
}

interface StatusChangeTracker {
  orders(): ReadonlySet<unknown>;
  subscribe(listener: () => void): () => void;
}

/** A table checks each of its rows, so the pending mutations are collected once for all of them. */
const statusChangeTrackers = new WeakMap<MutationCache, StatusChangeTracker>();

function statusChangeTracker(cache: MutationCache): StatusChangeTracker {
  let found = statusChangeTrackers.get(cache);
  if (found === undefined) {
    found = trackStatusChanges(cache);
    statusChangeTrackers.set(cache, found);
  }
  return found;
}

function trackStatusChanges(cache: MutationCache): StatusChangeTracker {
  const pendingOrders = () =>
    new Set(
      cache
        .findAll({ mutationKey: ['change', 'status'], status: 'pending' })
        .map(({ options }) => options.mutationKey?.[2]),
    );
  const listeners = new Set<() => void>();
  let orders: ReadonlySet<unknown> = pendingOrders();
  let stop: (() => void) | undefined;
  const update = () => {
    orders = pendingOrders();
    for (const listener of listeners) listener();
  };
  return {
    orders: () => orders,
    subscribe: (listener) => {
      listeners.add(listener);
      if (stop === undefined) {
        stop = cache.subscribe(update);
        update();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}

function keyOf(field: 'status' | 'priority' | 'technicians', roNumber: number) {
  return ['change', field, roNumber];
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
  send(): Promise<EntryResult[]>;
  done: string | ((changed: ChangedResult[]) => { text: string; tone?: 'destructive' });
  failed: string;
  notices(changed: ChangedResult[]): ChangeNotice[];
}

async function executeChange(client: QueryClient, plan: Plan): Promise<Outcome> {
  const [first, ...others] = plan.orders;
  let results: EntryResult[];
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
  const action = undoAction(client, changed);
  const [refusal] = refused;
  if (refusal === undefined) {
    const toast = typeof plan.done === 'string' ? { text: plan.done } : plan.done(changed);
    const detail = changed.length > 1 ? i18n.t('toast.orders', { count: changed.length }) : undefined;
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
  let cached = openedOrder ?? cachedOrders(client).open.get(roNumber);
  if (cached === undefined || !cachedOrders(client).open.has(roNumber)) {
    showToast({ tone: 'destructive', text: i18n.t('toast.orderUnknown', { number: roNumber }) });
    return;
  }
  const before = cached.order.status;
  if (before === status) return;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const outcome = await sendStatus(client, { roNumber, version: cached.version }, status);
    if (outcome.kind !== 'stale') return;
    const now = cachedOrders(client).open.get(roNumber);
    // Somebody changed another field, so this change is sent again.
    if (now === undefined || now.order.status !== before || now.version <= cached.version) break;
    cached = now;
  }
  showOvertakenToast(client, roNumber, status);
}

function sendStatus(
  client: QueryClient,
  order: OrderVersion,
  status: (typeof displayedStatuses)[number],
): Promise<Outcome> {
  return executeChange(client, {
    key: keyOf('status', order.roNumber),
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

/** Somebody set another status while this one was chosen: theirs stands, unless the user insists. */
function showOvertakenToast(
  client: QueryClient,
  roNumber: number,
  status: (typeof displayedStatuses)[number],
): void {
  const cache = cachedOrders(client);
  const now = cache.open.get(roNumber);
  const name = (now ?? cache.closed.get(roNumber))?.by?.person.name ?? i18n.t('conflict.somebody');
  const words = { number: now?.order.roNumber ?? String(roNumber), name };
  if (now === undefined) {
    const detail = i18n.t('conflict.closed', words);
    showToast({ tone: 'destructive', text: i18n.t('toast.statusFailed'), detail });
  } else if (now.order.status === status) {
    // Both users chose the same status; the priority may have been set by hand since.
    const asFollows = now.order.priority === automaticPriority(status);
    const values = { status: i18n.t(`status.${status}`), priority: i18n.t(`priority.${now.order.priority}`) };
    if (asFollows) showToast({ text: i18n.t('toast.statusUpdated', values) });
    else showToast({ tone: 'destructive', text: i18n.t('toast.priorityFailed') });
  } else {
    showToast({
      tone: 'destructive',
      text: i18n.t('toast.statusFailed'),
      detail: i18n.t('conflict.status', { ...words, status: i18n.t(`status.${now.order.status}`) }),
      action: {
        label: i18n.t('conflict.setAnyway', { status: i18n.t(`status.${status}`) }),
        otherWay: i18n.t('conflict.setAnywayOtherWay'),
        run: () => void changeStatus(client, roNumber, status, undefined),
      },
    });
  }
}
