// A status picked in the portal. It goes through the outbox. It names the version it was decided on only when that is
// certainly the newest: a change that is sent later applies to any version.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { ApiError } from '../api/http.ts';
import type { EntryResult } from '../api/repair-orders.ts';
import { i18n } from '../i18n/i18n.ts';
import { currentOutbox, type Mutation, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { PRIORITY_NOTICE_DELAY_MS, sendChangeNotice } from '../repair-order/change-notices.ts';
import { landIfStale, landResults } from '../repair-order/change-results.ts';
import { statusChangeOf } from '../repair-order/changes.ts';
import { currentFreshness } from '../repair-order/freshness.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { type DisplayedStatus, displayedStatuses } from '../repair-order/statuses.ts';
import { showToast } from '../ui/toaster.ts';
import { statusMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

export type PickStatus = (roNumber: number, status: DisplayedStatus, openedOrder?: OpenOrder) => void;

export function usePickStatus(): PickStatus {
  const client = useQueryClient();
  return useCallback((...picked) => void pickStatus(client, ...picked), [client]);
}

/** Also retries a change that was refused later, once, for any version. */
export async function pickStatus(
  client: QueryClient,
  roNumber: number,
  status: DisplayedStatus,
  openedOrder?: OpenOrder,
): Promise<void> {
  let cached = openedOrder ?? cachedOrders(client).open.get(roNumber);
  const before = cached?.order.status;
  if (before === status) return;
  for (let attempt = 1; ; attempt++) {
    const mutation = statusMutation(roNumber, status, isStillWanted() ? (cached?.version ?? null) : null);
    try {
      const answer = await statusChangeOf(client, roNumber, () => submit(mutation));
      if (answer !== QUEUED) landed(client, roNumber, status, answer);
      return;
    } catch (failure) {
      const now = landIfStale(client, roNumber, failure)
        ? cachedOrders(client).open.get(roNumber)
        : undefined;
      // Somebody changed another field, so this change is sent again.
      const stands = now !== undefined && now.order.status === before && now.version > (cached?.version ?? 0);
      if (!stands || attempt === MAX_ATTEMPTS) {
        addRefusedChange(mutation, now === undefined || stands ? failure : overtaken(now));
        return;
      }
      cached = now;
    }
  }
}

/** No queued change of the order will arrive before this one. */
function isStillWanted(): boolean {
  return currentFreshness().kind === 'live' && currentOutbox().waiting.length === 0;
}

function overtaken(now: OpenOrder): ApiError {
  const name = now.by?.person.name ?? i18n.t('conflict.somebody');
  const status = i18n.t(`status.${now.order.status}`);
  const text = i18n.t('conflict.status', { name, number: now.order.roNumber, status });
  return new ApiError(409, 'stale-version', text);
}

function landed(client: QueryClient, roNumber: number, status: DisplayedStatus, answer: unknown): void {
  const { changed } = landResults(client, resultsOf(answer));
  sendChangeNotice({ roNumber, action: 'STATUS_CHANGED' });
  setTimeout(() => sendChangeNotice({ roNumber, action: 'PRIORITY_CHANGED' }), PRIORITY_NOTICE_DELAY_MS);
  const priority = changed[0]?.rows[0]?.priorityName ?? (status === 'Waiting' ? 'Waiting' : 'Low');
  const words = { status: i18n.t(`status.${status}`), priority: i18n.t(`priority.${priority}`) };
  showToast({ text: i18n.t('toast.statusUpdated', words) });
}

function resultsOf(answer: unknown): EntryResult[] {
  const hasResult = (answer: unknown): answer is { result: EntryResult[] } =>
    typeof answer === 'object' && answer !== null && 'result' in answer && Array.isArray(answer.result);
  return hasResult(answer) ? answer.result : [];
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
