// The portal's changes as mutations, sent at once or when the connection is back. Each has its own idempotency key,
// so that it takes effect once.
import { type ClockTap, type ClockUndo, clockPath } from '../api/clock.ts';
import { idempotencyKey } from '../api/http.ts';
import { handBackPath, receiptPath, type Stage } from '../api/receipts.ts';
import { type OrderVersion, STATUS_PATH, statusBody } from '../api/repair-orders.ts';
import type { Mutation } from '../offline/outbox.ts';
import { type DisplayedStatus, statusIds } from '../repair-order/statuses.ts';
import type { StageTap } from './stage-taps.ts';

export function clockMutation(technician: number, tap: ClockTap): Mutation {
  const { action, roNumber, jobNumber } = tap;
  const about: Mutation['about'] = { kind: 'clock', detail: action };
  if (roNumber !== undefined) about.roNumber = roNumber;
  if (jobNumber !== undefined) about.jobNumber = jobNumber;
  return { key: idempotencyKey(), method: 'POST', path: clockPath(technician), body: tap, about };
}

/** Undoes the technician's last tap. `undoes`: its key, where this page made it. */
export function clockUndoMutation(technician: number, undoes: string | null): Mutation {
  const body: ClockUndo = { action: 'undo' };
  return {
    key: idempotencyKey(),
    method: 'POST',
    path: clockPath(technician),
    body,
    ...(undoes !== null && { undoes }),
    about: { kind: 'clock', detail: body.action },
  };
}

/** Without a version the change applies to any. */
export function statusMutation(order: OrderVersion, status: DisplayedStatus): Mutation {
  return {
    key: idempotencyKey(),
    method: 'POST',
    path: STATUS_PATH,
    body: statusBody(order, statusIds[status]),
    about: { kind: 'status', roNumber: order.roNumber, detail: status },
  };
}

/** The stage of a car that is done and to be checked; its id stays, whatever the shop calls it. */
export const QUALITY_CHECK = 'quality-check';

/** Without a version the tap applies to any. */
export function stageMutation({ roNumber, version }: OrderVersion, tap: StageTap): Mutation {
  const path = `/api/repair-orders/${roNumber}`;
  const common = { key: idempotencyKey(), method: 'POST' as const };
  const expectedVersion = version ?? null;
  switch (tap.kind) {
    case 'check': {
      const about: Mutation['about'] = { kind: 'stage', roNumber, detail: QUALITY_CHECK };
      return { ...common, path: `${path}/stage`, body: { stage: QUALITY_CHECK, expectedVersion }, about };
    }
    case 'end-hold': {
      const { id, reason } = tap.hold;
      const about: Mutation['about'] = { kind: 'hold-end', roNumber, detail: reason };
      return { ...common, path: `${path}/holds/${id}/end`, body: { expectedVersion }, about };
    }
    case 'hold': {
      const { reason, jobNumber, note } = tap;
      const about: Mutation['about'] = { kind: 'hold', roNumber, detail: reason };
      if (jobNumber !== undefined) about.jobNumber = jobNumber;
      return { ...common, path: `${path}/holds`, body: { reason, jobNumber, note, expectedVersion }, about };
    }
  }
}

/** A missing field keeps its value. */
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

export function isClockMutation(body: object): body is ClockTap | ClockUndo {
  return 'action' in body;
}

export function isNotesMutation(body: object): body is JobTexts {
  return 'cause' in body || 'briefTechNotes' in body;
}
