// What is done in the portal, as it is sent: at once, or when the connection is back. Each has a key of its own, so
// that it is done once.
import { type ClockTap, clockPath } from '../api/clock.ts';
import { handBackPath, receiptPath, type Stage } from '../api/receipts.ts';
import type { Deed } from '../offline/outbox.ts';
import { type DisplayedStatus, statusIds } from '../repair-order/order.ts';

/** A UUID; not randomUUID, which plain HTTP in a shop's network does not have. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, place) => {
    // Version 4, variant 1.
    const marked = place === 6 ? (byte & 0x0f) | 0x40 : place === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  }).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function clockDeed(technician: number, tap: ClockTap): Deed {
  const { action, roNumber, jobNumber } = tap;
  const about: Deed['about'] = { kind: 'clock', detail: action };
  if (roNumber !== undefined) about.roNumber = roNumber;
  if (jobNumber !== undefined) about.jobNumber = jobNumber;
  return { key: newKey(), method: 'POST', path: clockPath(technician), body: tap, about };
}

/** `expectedVersion`: the order as it was seen; null where what was seen may be old, and the word counts all the same. */
export function statusDeed(roNumber: number, status: DisplayedStatus, expectedVersion: number | null): Deed {
  const entry = { repairOrderNumber: String(roNumber), idStatus: String(statusIds[status]), expectedVersion };
  return {
    key: newKey(),
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

export function notesDeed(roNumber: number, jobNumber: number, texts: JobTexts): Deed {
  return {
    key: newKey(),
    method: 'PATCH',
    path: `/api/repair-orders/${roNumber}/jobs/${jobNumber}`,
    body: texts,
    about: { kind: 'notes', roNumber, jobNumber },
  };
}

export function receiptDeed(technician: number, roNumber: number, stage: Stage): Deed {
  return {
    key: newKey(),
    method: 'POST',
    path: receiptPath(technician, roNumber),
    body: { stage },
    about: { kind: 'receipt', roNumber, detail: stage },
  };
}

export function handBackDeed(technician: number, roNumber: number, reason: string): Deed {
  return {
    key: newKey(),
    method: 'POST',
    path: handBackPath(technician, roNumber),
    body: { reason },
    about: { kind: 'hand-back', roNumber, detail: reason },
  };
}

export function isTap(body: object): body is ClockTap {
  return 'action' in body && 'at' in body;
}

export function isTexts(body: object): body is JobTexts {
  return 'cause' in body || 'briefTechNotes' in body;
}
