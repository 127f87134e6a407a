// Requests that made one change of the user: whichever of them is undone, the others are undone with it.
import { onEventLogReset } from '../api/event-log-reset.ts';
import { type EntryResult, undoChange } from '../api/repair-orders.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import { type Result, refusedBy } from './change-results.ts';

/** A request by one of its events. */
interface SentRequest {
  roNumber: number;
  seq: number;
  /** The orders that it changed. */
  orders: readonly { roNumber: number }[];
}

/** By the number of each of their events. */
const companions = new Map<number, readonly SentRequest[]>();

/** Undefined when the request changed nothing. */
export function requestOf(results: readonly EntryResult[]): SentRequest | undefined {
  const changed = results.flatMap((entry) =>
    'rows' in entry && entry.seq !== null ? { roNumber: entry.roNumber, seq: entry.seq } : [],
  );
  return changed[0] && { ...changed[0], orders: changed };
}

export function noteSentTogether(requests: readonly SentRequest[]): void {
  if (requests.length > 1) for (const { seq } of requests) companions.set(seq, requests);
}

/** Undoes the request and those that were sent with it. If all fail, the first failure is thrown. */
export async function undoTogether(roNumber: number, seq: number): Promise<readonly Result[]> {
  const requests = companions.get(seq) ?? [{ roNumber, seq, orders: [{ roNumber }] }];
  const answers = await Promise.allSettled(requests.map((one) => undoChange(one.roNumber, one.seq)));
  const failures = answers.filter((answer) => answer.status === 'rejected');
  if (failures.length === answers.length) throw failures[0]?.reason;
  return answers.flatMap((answer, place): readonly Result[] =>
    answer.status === 'fulfilled' ? answer.value : refusedBy(answer.reason, requests[place]?.orders ?? []),
  );
}

onSessionChange(() => {
  if (sessionState().status === 'signed-out') companions.clear();
});

// After a reset the numbers may belong to other events.
onEventLogReset(() => companions.clear());
