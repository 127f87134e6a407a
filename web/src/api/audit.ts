// The calls about the audit trail, by owners.
import { http, unwrapAnswer } from './http.ts';
import type { components } from './schema.ts';

type Schemas = components['schemas'];
export type AuditEvent = Schemas['AuditEvent'];
export type AuditKind = Schemas['AuditKind'];
export type AuditOutcome = Schemas['AuditOutcome'];
export type AuditPage = Schemas['AuditPage'];

/** Which events are asked for; times as ISO. */
export interface AuditQuery {
  from?: string;
  to?: string;
  kind?: string;
  outcome?: AuditOutcome;
  person?: string;
}

/** The newest first. `before`: what the page before gave as `next`. */
export async function fetchAudit(
  query: AuditQuery,
  before: string | null,
  signal?: AbortSignal,
): Promise<AuditPage> {
  const place = before === null ? {} : { before };
  return (await unwrapAnswer(http.GET('/api/audit', { params: { query: { ...query, ...place } }, signal })))
    .result;
}

/** The same as a file. Taking it is in the trail, too. */
export async function fetchAuditFile(query: AuditQuery): Promise<Blob> {
  return unwrapAnswer(http.GET('/api/audit/events.csv', { params: { query }, parseAs: 'blob' }));
}
