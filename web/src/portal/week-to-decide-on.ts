// The week in which whoever decides on proposed corrections begins. Pure.
import type { ProposedEntry } from '../api/clock.ts';
import { mondayOf, wallDay } from '../shop/wall-time.ts';

/** Days as texts are midnights of UTC, so that every week is as long. */
const WEEK_MS = 7 * 86_400_000;

/** What is read of a proposal. */
type Proposed = Pick<ProposedEntry, 'technicianId'> & { entry: Pick<ProposedEntry['entry'], 'startedAt'> };

/** The week of the technician's oldest entry with a proposal, as weeks before this one; 0 where none waits. */
export function weekToDecideOn(proposed: readonly Proposed[], technician: number, now: number): number {
  const theirs = proposed.filter(({ technicianId }) => technicianId === technician);
  const oldest = Math.min(...theirs.map(({ entry }) => Date.parse(entry.startedAt)));
  if (!Number.isFinite(oldest)) return 0;
  const monday = (at: number) => Date.parse(mondayOf(wallDay(at)));
  return Math.max(0, (monday(now) - monday(oldest)) / WEEK_MS);
}
