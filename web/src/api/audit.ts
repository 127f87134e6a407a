// The calls about the audit trail, by owners.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type AuditEvent = Schemas['AuditEvent'];
export type AuditKind = Schemas['AuditKind'];
export type AuditOutcome = Schemas['AuditOutcome'];
export type AuditPage = Schemas['AuditPage'];

/** The filters of a request for events; times as ISO 8601. */
export interface AuditQuery {
  from?: string;
  to?: string;
  kind?: string;
  outcome?: AuditOutcome;
  person?: string;
}

/** A page of events, the newest first. `before`: the `next` of the page before. */
export async function fetchAudit(
  query: AuditQuery,
  before: string | null,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const place = before === null ? {} : { before };
  return (await unwrapAnswer(http.GET('/api/audit', { params: { query: { ...query, ...place } }, signal })))
    .result;
}

/** The same events as a file. The download is recorded in the trail, too. */
export async function fetchAuditFile(query: AuditQuery): Promise<Blob> {
  return unwrapAnswer(http.GET('/api/audit/events.csv', { params: { query }, parseAs: 'blob' }));
}
