// An order's history as it was displayed at the time. An entry says what was set; where nothing was set the screen
// showed something else: the dealer system's status, or the technicians who were on it besides.
import type { FieldChange, HistoryEntry } from '../api/repair-orders.ts';
import { displayedStatus } from '../rules/displayed-status.ts';

/** The order after the newest entry. */
export interface HistoryOutcome {
  /** The dealer system's status. */
  customerStatus: string;
  /** By name; null: not known. */
  technicians: readonly string[] | null;
}

/** `entries`: the newest first, without a gap. */
export function displayedHistory(
  entries: readonly HistoryEntry[],
  { customerStatus, technicians }: HistoryOutcome,
): HistoryEntry[] {
  let status = customerStatus;
  let names = technicians;
  return entries.map((entry) => {
    const changes = entry.changes.toReversed().map((change) => {
      if (change.field === 'customerStatus') status = change.from ?? '';
      if (change.field === 'status') return withStatuses(change, status);
      if (change.field !== 'technician' || names === null) return change;
      const after = names;
      names = before(after, change);
      // An assigned technician comes last.
      const to = change.to === null ? after : [...names, change.to];
      return { ...change, from: names.join(', '), to: to.join(', ') };
    });
    return { ...entry, changes: changes.toReversed() };
  });
}

function withStatuses(change: FieldChange, customerStatus: string): FieldChange {
  // What is not set is the dealer system's.
  const displayed = displayedStatus({ appCustomerStatus: null, customerStatus });
  return { ...change, from: change.from ?? displayed, to: change.to ?? displayed };
}

function before(after: readonly string[], { from, to }: FieldChange): readonly string[] {
  const at = to === null ? -1 : after.indexOf(to);
  const others = at < 0 ? after : after.toSpliced(at, 1);
  return from === null ? others : [...others, from];
}
