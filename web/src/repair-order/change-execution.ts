// Executes plans of changes: sends the request, lands the answer's rows, tells the others on the socket, and shows the
// toast with Undo. A pick that crosses somebody's change of another field is sent again on the newer version; one that
// crosses a change of the same field is the user's to decide.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { OrderVersion } from '../api/repair-orders.ts';
import { i18n } from '../i18n/i18n.ts';
import { showToast } from '../ui/toaster.ts';
import { PRIORITY_NOTICE_DELAY_MS, sendChangeNotice } from './change-notices.ts';
import { alreadySoText, type ChangePlan, dispatchPlan, nothingToChangeText, planOf } from './change-plans.ts';
import { type ChangeResults, landIfStale, landResults, type Result } from './change-results.ts';
import { type Choice, decidedField, isAlreadySo, type OrderChange } from './choice.ts';
import type { DispatchShare } from './dispatch-shares.ts';
import { cachedOrders } from './live-orders.ts';
import { currentDialog, isSeen, type OpenDialog, openWhenNoneIs } from './open-dialog.ts';
import type { OpenOrder } from './order-cache.ts';
import type { OrdersBefore } from './recent-changes.ts';
import { showOvertaken, showRefusal } from './refusal-toast.ts';
import { undoAction } from './undo.ts';

/**
 * The outcome of a change. `stale`: the order is newer than the caller had seen; the newer version has landed, and no
 * toast was shown. `queued`: it is sent when there is a connection. `failed`: the user was told why.
 */
export type Outcome =
  | { kind: 'done' | 'stale' | 'queued' | 'failed' }
  /** The orders that were refused, of several. */
  | { kind: 'partly'; refused: readonly number[] };

/** How changes reach the server, and where the user reads what became of one that did not go through. */
export interface ChangeChannel {
  /** How long the toast with Undo stays, where it is not as long as others. */
  undoMs?: number;
  /** Whether the version on screen is certainly the newest, so that the change names it. */
  namesVersion(): boolean;
  /** Null: it is kept, and sent when there is a connection. */
  send(plan: ChangePlan): Promise<readonly Result[] | null>;
  refused(plan: ChangePlan, failure: unknown): void;
  /** Somebody changed the same field, to something else; or the order changed too often. */
  overtaken(shown: OpenOrder, choice: Choice, now: OpenOrder): void;
  /** Somebody closed the order. */
  closed(shown: OpenOrder, choice: Choice, reason: string): void;
}

/**
 * At once, or not at all. `mayAsk`: whether what an answer asks would be seen. Where it would not, as after the user has
 * gone to another screen, a toast says that the change was not made.
 */
function direct(client: QueryClient, mayAsk: MayAsk): ChangeChannel {
  // A change is sent by the dialog that is open then, if one is.
  const sender = currentDialog();
  return {
    namesVersion: () => true,
    send: (plan) => plan.send(),
    refused: (plan, failure) => {
      const question = plan.ask?.(failure) ?? null;
      if (question !== null && mayAsk(question.kind)) openWhenNoneIs(question, sender);
      else showRefusal(client, plan.failed, keysOf(plan), failure);
    },
    overtaken: (shown, choice, now) => {
      if (mayAsk('conflict')) {
        openWhenNoneIs({ kind: 'conflict', shown, choice });
        return;
      }
      const { key: roNumber } = shown.order;
      showOvertaken(client, planOf({ roNumber, version: undefined }, choice).failed, now);
    },
    closed: (_shown, _choice, reason) => showToast({ tone: 'destructive', text: reason }),
  };
}

type MayAsk = (kind: OpenDialog['kind']) => boolean;

function keysOf({ orders }: ChangePlan): number[] {
  return orders.map(({ roNumber }) => roNumber);
}

/** Attempts against an order that others keep changing in other fields. */
const MAX_ATTEMPTS = 3;

export interface Changes {
  /** What was picked from the order as it was shown. A concurrent change of the same field asks the user. */
  pick(shown: OpenOrder, choice: Choice): Promise<void>;
  /** One attempt; the caller handles a stale version. */
  send(order: OrderVersion, change: OrderChange): Promise<Outcome>;
  /** To each technician their orders; announced and undone as one. */
  dispatch(shares: readonly DispatchShare[]): Promise<Outcome>;
}

export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo(() => changesOf(client), [client]);
}

/** `mayAsk`: whoever brings the user to the question says so; else it is asked where it is seen. */
export function changesOf(client: QueryClient, mayAsk: MayAsk = isSeen): Changes {
  const execute = (plan: ChangePlan) => executePlan(client, plan, direct(client, mayAsk));
  return {
    pick: (shown, choice) => pickChoice(client, shown, choice, direct(client, mayAsk)),
    send: async (order, change) =>
      isNothing(client, order, change) ? { kind: 'done' } : execute(planOf(order, change)),
    dispatch: (shares) => execute(dispatchPlan(shares)),
  };
}

/** The order is what was chosen, at the version that the choice was made on: says so. */
function isNothing(client: QueryClient, { roNumber, version }: OrderVersion, change: OrderChange): boolean {
  const now = cachedOrders(client).open.get(roNumber);
  if (now === undefined || now.version !== version) return false;
  if (!isAlreadySo(now.order, change)) return false;
  showToast(nothingToChangeText(now.order, change));
  return true;
}

export async function pickChoice(
  client: QueryClient,
  shown: OpenOrder,
  choice: Choice,
  channel: ChangeChannel,
): Promise<void> {
  if (isAlreadySo(shown.order, choice)) {
    showToast(nothingToChangeText(shown.order, choice));
    return;
  }
  const { key: roNumber } = shown.order;
  const decided = decidedField[choice.field];
  let decidedOn = shown;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const version = channel.namesVersion() ? decidedOn.version : undefined;
    const outcome = await executePlan(client, planOf({ roNumber, version }, choice), channel);
    if (outcome.kind !== 'stale') return;
    const now = cachedOrders(client).open.get(roNumber);
    // Somebody changed another field, so this change is sent again.
    if (now === undefined || decided(now.order) !== decided(shown.order) || now.version <= decidedOn.version)
      break;
    decidedOn = now;
  }
  resolveOvertaken(client, shown, choice, channel);
}

/** The order is not as it was when this was chosen: the user decides, unless both chose the same. */
function resolveOvertaken(
  client: QueryClient,
  shown: OpenOrder,
  choice: Choice,
  channel: ChangeChannel,
): void {
  const cache = cachedOrders(client);
  const { key, roNumber: number } = shown.order;
  const now = cache.open.get(key);
  if (now === undefined) {
    const name = cache.closed.get(key)?.by?.person.name ?? i18n.t('conflict.somebody');
    channel.closed(shown, choice, i18n.t('conflict.closed', { number, name }));
  } else if (isAlreadySo(now.order, choice)) {
    showToast(alreadySoText(now.order, choice));
  } else {
    channel.overtaken(shown, choice, now);
  }
}

async function executePlan(client: QueryClient, plan: ChangePlan, channel: ChangeChannel): Promise<Outcome> {
  const [first, ...others] = plan.orders;
  const before = displayedOrders(client, plan.orders);
  let results: readonly Result[] | null;
  try {
    results = await whileChanging(client, plan.key, () => channel.send(plan));
  } catch (failure) {
    if (first !== undefined && others.length === 0 && landIfStale(client, first.roNumber, failure)) {
      return { kind: 'stale' };
    }
    channel.refused(plan, failure);
    return { kind: 'failed' };
  }
  if (results === null) return { kind: 'queued' };
  const landed = landResults(client, results);
  sendChangeNotice(...plan.notices(landed.changed));
  const { laterNotices } = plan;
  if (laterNotices !== undefined)
    setTimeout(() => sendChangeNotice(...laterNotices), PRIORITY_NOTICE_DELAY_MS);
  return showResults(client, plan, landed, before, channel.undoMs);
}

/** While `send` is under way, what `key` names counts as changing, wherever it is shown. */
function whileChanging<T>(client: QueryClient, key: readonly unknown[], send: () => Promise<T>): Promise<T> {
  return client
    .getMutationCache()
    .build(client, { mutationKey: key, mutationFn: send, networkMode: 'always' })
    .execute(undefined);
}

function showResults(
  client: QueryClient,
  plan: ChangePlan,
  { changed, refused }: ChangeResults,
  before: OrdersBefore,
  undoMs?: number,
): Outcome {
  const done = plan.done(changed, before);
  const action = undoAction(client, changed, before, done.text);
  const [refusal] = refused;
  if (refusal === undefined) {
    const durationMs = undoMs === undefined ? {} : { durationMs: undoMs };
    showToast({ ...done, ...(action && { action, ...durationMs }) });
    return { kind: 'done' };
  }
  const words = { count: refused.length, total: changed.length + refused.length, reason: refusal.error };
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
