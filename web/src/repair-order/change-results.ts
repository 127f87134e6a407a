// Lands the answers to changes: the rows of changed orders, and the current rows of refused ones.
import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/http.ts';
import type { ChangedResult, OrderVersion, RefusedResult } from '../api/repair-orders.ts';
import { serverNow } from '../api/server-time.ts';
import { sessionState } from '../api/session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { i18n } from '../i18n/i18n.ts';
import { landRo } from './live-orders.ts';
import type { Author } from './order-cache.ts';

/** The number for rows without an event: they can update a cached order, but confirm nothing else. */
const UNNUMBERED = -1;

/** An order that was not changed, and why. */
type Refusal = Pick<RefusedResult, 'roNumber' | 'error' | 'current'>;

export type Result = ChangedResult | Refusal;

export interface ChangeResults {
  changed: ChangedResult[];
  refused: Refusal[];
}

export function landResults(client: QueryClient, results: readonly Result[]): ChangeResults {
  const changed = results.filter((entry): entry is ChangedResult => 'rows' in entry);
  const refused = results.filter((entry): entry is Refusal => !('rows' in entry));
  for (const { roNumber, rows, version, seq } of changed) {
    // Without an event number nothing had to change, and the cached rows stand.
    landRo(client, { roNumber, rows, version, seq: seq ?? UNNUMBERED, by: seq === null ? undefined : me() });
  }
  for (const entry of refused) landCurrent(client, entry.roNumber, entry);
  return { changed, refused };
}

/** The results of a request of several that failed as a whole, while others did not. */
export function refusedBy(failure: unknown, orders: readonly Pick<OrderVersion, 'roNumber'>[]): Refusal[] {
  const error = errorMessage(failure, i18n.t);
  return orders.map(({ roNumber }) => ({ roNumber, error }));
}

/** Whether a newer version caused the refusal; that version has landed then. */
export function landIfStale(client: QueryClient, roNumber: number, failure: unknown): boolean {
  if (!(failure instanceof ApiError) || failure.code !== 'stale-version') return false;
  landCurrent(client, roNumber, failure.refused);
  return true;
}

function landCurrent(
  client: QueryClient,
  roNumber: number | null,
  refused: Pick<RefusedResult, 'current'> | null,
): void {
  const current = refused?.current;
  if (roNumber === null || current === undefined) return;
  const { rows, version, changedBy, changedAt } = current;
  const by =
    changedBy === null || changedAt === null ? undefined : { person: changedBy, at: Date.parse(changedAt) };
  landRo(client, { roNumber, rows, version, seq: UNNUMBERED, by });
}

function me(): Author | undefined {
  const session = sessionState();
  if (session.status !== 'signed-in') return undefined;
  const { uid, name } = session.user;
  return { person: { uid, name }, at: serverNow() };
}
