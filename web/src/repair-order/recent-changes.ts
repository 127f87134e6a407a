// The last changes of this page's user, for as long as the page is open: what the tray of changes lists and undoes.
import { createAtom, useSelector } from '@tanstack/react-store';
import { onEventLogReset } from '../api/event-log-reset.ts';
import type { ChangedResult } from '../api/repair-orders.ts';
import { serverNow } from '../api/server-time.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { type RepairOrder, toRepairOrder } from './order.ts';

export const MAX_RECENT_CHANGES = 20;
/** The tray of them, among the tools of a screen that has it. */
export const RECENT_CHANGES_TOOL = 'recent-changes';

/** An order as it was displayed before a change and after it; `before` null: the caller did not say. */
export interface ChangedOrder {
  before: RepairOrder | null;
  after: RepairOrder;
}

/** What became of a change; null: nothing yet. */
type ChangeOutcome =
  | { kind: 'undone' }
  /** The server does not undo it. */
  | { kind: 'refused'; reason: string }
  /** Everything was loaded anew since: the number may belong to another event. */
  | { kind: 'reset' };

/** The change of one request, which is undone as a whole. */
export interface RecentChange {
  roNumber: number;
  /** The event that undoing it names. */
  seq: number;
  /** When its answer came (ms, the server's clock). */
  at: number;
  orders: readonly ChangedOrder[];
  /** What the toast said of it; null where nobody gave it. */
  text: string | null;
  outcome: ChangeOutcome | null;
}

/** Orders by their number. */
export type OrdersBefore = ReadonlyMap<number, RepairOrder>;

const none: readonly RecentChange[] = [];
/** The newest first. */
const changes = createAtom(none);

export function useRecentChanges(): readonly RecentChange[] {
  return useSelector(changes);
}

/** Null when nothing had to change. */
export function recordChange(
  changed: readonly ChangedResult[],
  before: OrdersBefore,
  text: string | null,
): RecentChange | null {
  const orders: ChangedOrder[] = [];
  let event: Pick<RecentChange, 'roNumber' | 'seq'> | null = null;
  for (const { roNumber, seq, rows } of changed) {
    if (seq === null) continue;
    event ??= { roNumber, seq };
    const [row, ...others] = rows;
    if (row === undefined) continue;
    orders.push({ before: before.get(roNumber) ?? null, after: toRepairOrder([row, ...others]) });
  }
  if (event === null) return null;
  const change = { ...event, at: serverNow(), orders, text, outcome: null };
  changes.set((earlier) => [change, ...earlier].slice(0, MAX_RECENT_CHANGES));
  return change;
}

export function settleChange(seq: number, outcome: ChangeOutcome): void {
  changes.set((all) => all.map((change) => (change.seq === seq ? { ...change, outcome } : change)));
}

// The next user does not see the previous user's changes.
onSessionChange(() => {
  if (sessionState().status === 'signed-out') changes.set(none);
});

// After a reset the number may belong to another event.
onEventLogReset(() => {
  changes.set((all) => all.map((change) => ({ ...change, outcome: { kind: 'reset' } })));
});
