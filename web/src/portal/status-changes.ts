// A status picked in the portal: the desk's change, except that it goes through the outbox, and that a refusal is
// shown above the list. It names the version it was decided on only when that is certainly the newest: a change that is
// sent later applies to any version.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { ApiError } from '../api/http.ts';
import type { EntryResult, OrderVersion } from '../api/repair-orders.ts';
import { i18n } from '../i18n/i18n.ts';
import { currentOutbox, type Mutation, onLateAnswer, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { type ChangeChannel, pickChoice } from '../repair-order/change-execution.ts';
import { landResults } from '../repair-order/change-results.ts';
import { currentFreshness } from '../repair-order/freshness.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { type DisplayedStatus, displayedStatuses } from '../repair-order/statuses.ts';
import { undoAction } from '../repair-order/undo.ts';
import { statusMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';
import { UNDO_MS } from './undoable-taps.ts';

/** `shown`: the order as it was on screen. */
export type PickStatus = (shown: RepairOrder, status: DisplayedStatus) => void;

export function usePickStatus(): PickStatus {
  const client = useQueryClient();
  return useCallback((...picked) => void pickStatus(client, ...picked), [client]);
}

/** Also retries a change that was refused later. */
export function pickStatus(client: QueryClient, shown: RepairOrder, status: DisplayedStatus): Promise<void> {
  const cached = cachedOrders(client).open.get(shown.key);
  const opened = { version: 0, seq: -1, changedAt: 0, by: null, ...cached, order: shown };
  const channel = outboxChannel(shown, status, cached !== undefined);
  return pickChoice(client, opened, { field: 'status', status }, channel);
}

/** `isCached`: the order is not only known from the last list that this device saved. */
function outboxChannel(displayed: RepairOrder, status: DisplayedStatus, isCached: boolean): ChangeChannel {
  const mutationOf = (order: OrderVersion | undefined) => {
    if (order === undefined) throw new Error('A status is picked for an order.');
    return statusMutation(order, status);
  };
  const refuse = (roNumber: number, reason: string) =>
    addRefusedChange(statusMutation({ roNumber }, status), new ApiError(409, 'stale-version', reason));
  return {
    undoMs: UNDO_MS,
    namesVersion: () => isCached && isNothingNewer(),
    send: async ({ orders: [order] }) => {
      const mutation = mutationOf(order);
      const answer = await submit(mutation);
      if (answer !== QUEUED) return resultsOf(answer);
      noteDisplayed(mutation, displayed);
      return null;
    },
    refused: ({ orders: [order] }, failure) => addRefusedChange(mutationOf(order), failure),
    overtaken: (shown, _choice, { order, by }) => {
      const name = by?.person.name ?? i18n.t('conflict.somebody');
      const words = { name, number: order.roNumber, status: i18n.t(`status.${order.status}`) };
      refuse(shown.order.key, i18n.t('conflict.status', words));
    },
    closed: (shown, _choice, reason) => refuse(shown.order.key, reason),
  };
}

/** The orders as they were displayed when a status was picked that could not be sent yet, by the pick's key. */
const displayedBefore = new Map<Mutation['key'], RepairOrder>();

export function noteDisplayed({ key }: Mutation, displayed: RepairOrder): void {
  displayedBefore.set(key, displayed);
}

/** A pick or tap that was sent later, without a toast, is among the last changes, too: there it can be undone. */
export function useLateChanges(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onLateAnswer(({ key, about }, answer) => {
        if (!lateKinds.includes(about.kind)) return;
        const displayed = displayedBefore.get(key);
        displayedBefore.delete(key);
        const before = new Map(displayed === undefined ? [] : [[displayed.key, displayed]]);
        undoAction(client, landResults(client, resultsOf(answer)).changed, before, tapText(about));
      }),
    [client],
  );
}

/** What a tap on a stage or a hold says; null: a status, which the order shows. */
export function tapText({ kind, detail }: Mutation['about']): string | null {
  if (kind === 'stage') return i18n.t('portal.stage.taps.check');
  if (kind === 'hold-end') return i18n.t('portal.stage.end');
  return kind === 'hold' ? i18n.t(`portal.stage.taps.${detail === 'approval' ? detail : 'parts'}`) : null;
}

const lateKinds: readonly Mutation['about']['kind'][] = ['status', 'hold', 'hold-end', 'stage'];

/** No unanswered change of the order will arrive before this one. */
export function isNothingNewer(): boolean {
  const { waiting, underWay } = currentOutbox();
  return currentFreshness().kind === 'live' && waiting.length === 0 && underWay === 0;
}

export function resultsOf(answer: unknown): EntryResult[] {
  const hasResult = (answer: unknown): answer is { result: EntryResult | EntryResult[] } =>
    typeof answer === 'object' && answer !== null && 'result' in answer && answer.result !== null;
  return hasResult(answer) ? [answer.result].flat() : [];
}

/** The status picked for an order that waits for the connection: the last one counts. */
export function useWaitingStatuses(): ReadonlyMap<number, DisplayedStatus> {
  const { waiting } = useOutbox();
  return useMemo(() => new Map(waiting.flatMap(waitingStatus)), [waiting]);
}

function waitingStatus({ about }: Mutation): [number, DisplayedStatus][] {
  const status = displayedStatuses.find((one) => one === about.detail);
  return about.kind === 'status' && about.roNumber !== undefined && status !== undefined
    ? [[about.roNumber, status]]
    : [];
}
