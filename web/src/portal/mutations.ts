// What is done in the portal, as it is sent: at once, or when the connection is back. Each has a key of its own, so
// that it is done once.
import { type ClockTap, clockPath } from '../api/clock.ts';
import { idempotencyKey } from '../api/http.ts';
import { handBackPath, receiptPath, type Stage } from '../api/receipts.ts';
import type { Mutation } from '../offline/outbox.ts';
import { type DisplayedStatus, statusIds } from '../repair-order/order.ts';

export function clockMutation(technician: number, tap: ClockTap): Mutation {
  const { action, roNumber, jobNumber } = tap;
  const about: Mutation['about'] = { kind: 'clock', detail: action };
  if (roNumber !== undefined) about.roNumber = roNumber;
  if (jobNumber !== undefined) about.jobNumber = jobNumber;
  return { key: idempotencyKey(), method: 'POST', path: clockPath(technician), body: tap, about };
}

/** `expectedVersion`: the order as it was seen; null where what was seen may be old, and the word counts all the same. */
export function statusMutation(
  roNumber: number,
  status: DisplayedStatus,
  expectedVersion: number | null,
): Mutation {
  const entry = { repairOrderNumber: String(roNumber), idStatus: String(statusIds[status]), expectedVersion };
  return {
    key: idempotencyKey(),
    method: 'POST',
    path: '/api/repair-orders/update-status',
    body: { data: [entry] },
    about: { kind: 'status', roNumber, detail: status },
  };
}

/** What is left out stays as it is. */
export interface JobTexts {
  cause?: string;
  briefTechNotes?: string;
}

export function notesMutation(roNumber: number, jobNumber: number, texts: JobTexts): Mutation {
  return {
    key: idempotencyKey(),
    method: 'PATCH',
    path: `/api/repair-orders/${roNumber}/jobs/${jobNumber}`,
    body: texts,
    about: { kind: 'notes', roNumber, jobNumber },
  };
}

export function acceptMutation(technician: number, roNumber: number): Mutation {
  return {
    key: idempotencyKey(),
    method: 'POST',
    path: receiptPath(technician, roNumber),
    body: { stage: 'accepted' satisfies Stage },
    about: { kind: 'receipt', roNumber, detail: 'accepted' },
  };
}

export function handBackMutation(technician: number, roNumber: number, reason: string): Mutation {
  return {
    key: idempotencyKey(),
    method: 'POST',
    path: handBackPath(technician, roNumber),
    body: { reason },
    about: { kind: 'hand-back', roNumber, detail: reason },
  };
}

export function isClockMutation(body: object): body is ClockTap {
  return 'action' in body && 'at' in body;
}

export function isNotesMutation(body: object): body is JobTexts {
  return 'cause' in body || 'briefTechNotes' in body;
}
