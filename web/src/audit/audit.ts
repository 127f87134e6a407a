// The filters of the audit trail in the address, and the query of its pages.
import { infiniteQueryOptions } from '@tanstack/react-query';
import { type AuditKind, type AuditOutcome, type AuditQuery, fetchAudit } from '../api/audit.ts';
import { daysAfter, fromWallTime } from '../shop/wall-time.ts';

/** Days of the shop's calendar, 'YYYY-MM-DD'; '' and null for no filter. */
export interface Filters {
  from: string;
  to: string;
  kind: AuditKind | null;
  outcome: AuditOutcome | null;
  person: string;
}

export const noFilters: Filters = { from: '', to: '', kind: null, outcome: null, person: '' };

/** The order in which kinds are offered. A new kind does not compile until it has its place. */
const kindOrder: Record<AuditKind, number> = {
  'sign-in': 0,
  'session-ended': 1,
  'refresh-token-reused': 2,
  'password-changed': 3,
  'password-reset-asked': 4,
  'second-factor-on': 5,
  'second-factor-off': 6,
  'recovery-code-used': 7,
  'provider-linked': 8,
  'user-invited': 9,
  'invitation-withdrawn': 10,
  'user-added': 11,
  'user-removed': 12,
  'roles-changed': 13,
  'technician-link-changed': 14,
  'staff-imported': 15,
  'intake-key-made': 16,
  'intake-key-revoked': 17,
  'intake-key-refused': 18,
  'board-paired': 19,
  'board-link-made': 20,
  'board-revoked': 21,
  'board-deleted': 22,
  'board-refused': 23,
  forbidden: 24,
  'token-key-rotated': 25,
  'audit-exported': 26,
  'database-restored': 27,
  'configuration-changed': 28,
  'set-up': 29,
  'customer-exported': 30,
  'customer-erased': 31,
};

export const isKind = (text: string | null): text is AuditKind =>
  text !== null && Object.hasOwn(kindOrder, text);
export const isOutcome = (text: string | null): text is AuditOutcome => text === 'done' || text === 'refused';
/** The year 9999 is the last one that there is: the day after it, where a range ends, does not exist. */
const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text < '9999' && !Number.isNaN(Date.parse(text));

export const allKinds: readonly AuditKind[] = Object.keys(kindOrder)
  .filter(isKind)
  .toSorted((a, b) => kindOrder[a] - kindOrder[b]);

/** Invalid filters are ignored. */
export function readFilters(params: URLSearchParams): Filters {
  const day = (name: string) => {
    const text = params.get(name) ?? '';
    return isDay(text) ? text : '';
  };
  const [kind, outcome] = [params.get('kind'), params.get('outcome')];
  return {
    from: day('from'),
    to: day('to'),
    kind: isKind(kind) ? kind : null,
    outcome: isOutcome(outcome) ? outcome : null,
    person: params.get('person') ?? '',
  };
}

export function writeFilters(filters: Filters): Record<string, string> {
  const { from, to, kind, outcome, person } = filters;
  const all = { from, to, kind: kind ?? '', outcome: outcome ?? '', person };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
}

/** The range includes both days. */
export function toAuditQuery({ from, to, kind, outcome, person }: Filters): AuditQuery {
  const startOf = (day: string) => new Date(fromWallTime(`${day}T00:00`)).toISOString();
  return {
    ...(from !== '' && { from: startOf(from) }),
    ...(to !== '' && { to: startOf(daysAfter(to, 1)) }),
    ...(kind !== null && { kind }),
    ...(outcome !== null && { outcome }),
    ...(person.trim() !== '' && { person: person.trim() }),
  };
}

export function auditPages(filters: Filters) {
  const query = toAuditQuery(filters);
  return infiniteQueryOptions({
    queryKey: ['audit', query],
    queryFn: ({ pageParam, signal }) => fetchAudit(query, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    // A new visit loads the newest events.
    gcTime: 0,
  });
}
