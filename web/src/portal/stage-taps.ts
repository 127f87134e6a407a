// What a technician says of where a car stands, with one tap each: it needs parts, it needs an approval, it is done and
// to be checked. Sent as a status is: through the outbox, with the version it was decided on where that is certainly the
// newest, and a refusal is shown above the list.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import { useCallback, useMemo } from 'react';
import { ApiError } from '../api/http.ts';
import type { Hold } from '../api/stages.ts';
import { i18n } from '../i18n/i18n.ts';
import { type Mutation, QUEUED, submit, useOutbox } from '../offline/outbox.ts';
import { landIfStale, landResults } from '../repair-order/change-results.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { undoAction } from '../repair-order/undo.ts';
import { showToast } from '../ui/toaster.ts';
import { QUALITY_CHECK, stageMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';
import { isNothingNewer, noteDisplayed, resultsOf, tapText } from './status-changes.ts';
import { UNDO_MS } from './undoable-taps.ts';

export const holdTaps = ['parts', 'approval'] as const;
/** What a technician may hold an order for. */
export type HoldTap = (typeof holdTaps)[number];

export type StageTap =
  | { kind: 'hold'; reason: HoldTap; jobNumber?: number; note?: string }
  | { kind: 'check' }
  | { kind: 'end-hold'; hold: Hold };

/** `shown`: the order as it was on screen. */
export type SendStageTap = (shown: RepairOrder, tap: StageTap) => void;

/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

export function useStageTap(): SendStageTap {
  const client = useQueryClient();
  return useCallback((shown, tap) => void sendStageTap(client, shown, tap), [client]);
}

async function sendStageTap(client: QueryClient, shown: RepairOrder, tap: StageTap): Promise<void> {
  let seen = cachedOrders(client).open.get(shown.key);
  for (let attempt = 1; ; attempt++) {
    const version = isNothingNewer() ? seen?.version : undefined;
    const mutation = stageMutation({ roNumber: shown.key, version }, tap);
    try {
      const answer = await submitted(mutation);
      if (answer === QUEUED) noteDisplayed(mutation, shown);
      else showDone(client, shown, tap, answer, tapText(mutation.about));
      return;
    } catch (failure) {
      const now = landIfStale(client, shown.key, failure)
        ? cachedOrders(client).open.get(shown.key)
        : undefined;
      // Somebody changed something else: it is sent again.
      if (now !== undefined && attempt < MAX_ATTEMPTS && standsAsShown(now, shown)) {
        seen = now;
        continue;
      }
      addRefusedChange(mutation, now === undefined ? inPlainWords(failure) : overtaken(now));
      return;
    }
  }
}

function showDone(
  client: QueryClient,
  shown: RepairOrder,
  tap: StageTap,
  answer: unknown,
  text: string | null,
): void {
  const { changed } = landResults(client, resultsOf(answer));
  const action = undoAction(client, changed, new Map([[shown.key, shown]]), text);
  const said = tap.kind === 'hold' ? tap.reason : tap.kind;
  showToast({
    text: i18n.t(`portal.stage.said.${said}`, { number: shown.roNumber }),
    ...(action && { action, durationMs: UNDO_MS }),
  });
}

function standsAsShown({ order }: OpenOrder, shown: RepairOrder): boolean {
  const ids = (holds: readonly Hold[]) => holds.map(({ id }) => id).join();
  return order.stage === shown.stage && ids(order.holds) === ids(shown.holds);
}

function overtaken({ order, by }: OpenOrder): ApiError {
  const name = by?.person.name ?? i18n.t('conflict.somebody');
  return new ApiError(
    409,
    'stale-version',
    i18n.t('portal.stage.overtaken', { name, number: order.roNumber }),
  );
}

function inPlainWords(failure: unknown): unknown {
  if (!(failure instanceof ApiError) || failure.code !== 'on-hold') return failure;
  return new ApiError(failure.status, failure.code, i18n.t('portal.stage.onHold'));
}

/** Taps whose answer this page waits for. */
const inFlight = createAtom<readonly Mutation[]>([]);

async function submitted(mutation: Mutation): Promise<unknown> {
  inFlight.set((before) => [...before, mutation]);
  try {
    return await submit(mutation);
  } finally {
    inFlight.set((before) => before.filter(({ key }) => key !== mutation.key));
  }
}

/** A tap that the server has not answered. */
export interface UnansweredTap {
  /** Null: the end of a hold. */
  said: HoldTap | typeof QUALITY_CHECK | null;
  /** Null: the whole order. */
  jobNumber: number | null;
  /** It waits for the connection. */
  isQueued: boolean;
}

export const noTaps: readonly UnansweredTap[] = [];

/** By order. */
export function useUnansweredStageTaps(): ReadonlyMap<number, readonly UnansweredTap[]> {
  const { waiting } = useOutbox();
  const sending = useSelector(inFlight);
  return useMemo(() => {
    const taps = new Map<number, UnansweredTap[]>();
    const add = ({ about }: Mutation, isQueued: boolean) => {
      const { kind, roNumber, jobNumber = null } = about;
      if (roNumber === undefined || (kind !== 'hold' && kind !== 'stage' && kind !== 'hold-end')) return;
      const tap = { said: saidBy(about), jobNumber, isQueued };
      taps.set(roNumber, [...(taps.get(roNumber) ?? []), tap]);
    };
    for (const one of waiting) add(one, true);
    for (const one of sending) if (waiting.every(({ key }) => key !== one.key)) add(one, false);
    return taps;
  }, [waiting, sending]);
}

function saidBy({ kind, detail }: Mutation['about']): UnansweredTap['said'] {
  if (kind === 'stage') return QUALITY_CHECK;
  return kind === 'hold' ? (holdTaps.find((one) => one === detail) ?? null) : null;
}
