// How far each assignment has come: handed to the technician's devices, shown, accepted, or given back. Kept for the
// whole page and told as it changes, since a row and an open dialog show the same.
import { useSyncExternalStore } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { fetchReceipts, type Receipt } from '../api/receipts.ts';
import { serverNow } from '../api/server-time.ts';
import { onSocketMessage } from '../api/socket.ts';

/** Without acceptance for this long, an assignment is marked. */
export const ACCEPT_TIMEOUT_MS = 180_000;

export type Stage = 'waiting' | 'sent' | 'delivered' | 'seen' | 'accepted' | 'handed-back';

export interface AssignmentState {
  technician: number;
  stage: Stage;
  /** When the stage was reached, ms. */
  at: number;
  assignedAt: number;
  /** The technician has a portal to accept it with, and has not. */
  isWaitedFor: boolean;
  /** Not accepted in time. */
  late: boolean;
  /** Why it was handed back. */
  reason: string | null;
}

const NO_ASSIGNMENTS: readonly AssignmentState[] = [];

let receipts = new Map<number, Map<number, Receipt>>();
let shown = new Map<number, readonly AssignmentState[]>();
const listeners = new Set<() => void>();
let nextLate: ReturnType<typeof setTimeout> | undefined;
let loadCount = 0;

/** Of everybody who was given the order, in no order that means anything. */
export function useAssignmentStates(roNumber: number): readonly AssignmentState[] {
  return useSyncExternalStore(subscribe, () => shown.get(roNumber) ?? NO_ASSIGNMENTS);
}

/** Follows them for as long as the session lasts; the answer ends it. */
export function followReceipts(): () => void {
  const stops = [
    onSocketMessage('ASSIGNMENT_RECEIPT', (message) => {
      if (message === null) void load();
      else land(message.receipt);
    }),
    onEventLogReset(() => {
      forget();
      void load();
    }),
  ];
  void load();
  return () => {
    for (const stop of stops) stop();
    forget();
  };
}

function forget(): void {
  clearTimeout(nextLate);
  loadCount++;
  receipts = new Map();
  show();
}

async function load(): Promise<void> {
  const loadNumber = ++loadCount;
  let all: Receipt[];
  try {
    all = await fetchReceipts();
  } catch (failure) {
    // The next connection asks again; until then what is known stands.
    console.warn('What became of the assignments could not be asked.', failure);
    return;
  }
  if (loadNumber !== loadCount) return;
  const arrived = receipts;
  receipts = new Map();
  for (const receipt of all) put(receipt);
  // What a message brought while the answer was on its way may be newer than the answer.
  for (const ofOrder of arrived.values()) {
    for (const receipt of ofOrder.values()) {
      const listed = receipts.get(receipt.roNumber)?.get(receipt.technicianId);
      if (listed !== undefined && isNewer(receipt, listed)) put(receipt);
    }
  }
  show();
}

function land(receipt: Receipt): void {
  const previous = receipts.get(receipt.roNumber)?.get(receipt.technicianId);
  if (previous !== undefined && isNewer(previous, receipt)) return;
  put(receipt);
  show();
}

function put(receipt: Receipt): void {
  let ofOrder = receipts.get(receipt.roNumber);
  if (ofOrder === undefined) {
    ofOrder = new Map();
    receipts.set(receipt.roNumber, ofOrder);
  }
  ofOrder.set(receipt.technicianId, receipt);
}

/** A later assignment, or a later stage of the same. */
function isNewer(one: Receipt, other: Receipt): boolean {
  return one.seq !== other.seq ? one.seq > other.seq : furthestStage(one) > furthestStage(other);
}

function furthestStage(receipt: Receipt): number {
  return -stages.findIndex(([, at]) => at(receipt) !== null);
}

/** The furthest first. */
const stages: readonly (readonly [Stage, (receipt: Receipt) => string | null])[] = [
  ['handed-back', (receipt) => receipt.handedBackAt],
  ['accepted', (receipt) => receipt.acceptedAt],
  ['seen', (receipt) => receipt.seenAt],
  ['delivered', (receipt) => receipt.deliveredAt],
  ['sent', (receipt) => receipt.sentAt],
  ['waiting', (receipt) => receipt.assignedAt],
];

function stateOf(receipt: Receipt, now: number): AssignmentState {
  const found = stages.find(([, at]) => at(receipt) !== null);
  const [stage, at] = found ?? (['waiting', () => receipt.assignedAt] as const);
  const assignedAt = Date.parse(receipt.assignedAt);
  const isWaitedFor = receipt.portalEnabled && stage !== 'accepted' && stage !== 'handed-back';
  return {
    technician: receipt.technicianId,
    stage,
    at: Date.parse(at(receipt) ?? receipt.assignedAt),
    assignedAt,
    isWaitedFor,
    late: isWaitedFor && now - assignedAt >= ACCEPT_TIMEOUT_MS,
    reason: receipt.reason,
  };
}

/** Makes what is shown, and comes back when the next one is late. */
function show(): void {
  const now = serverNow();
  const before = shown;
  shown = new Map();
  let next = Number.POSITIVE_INFINITY;
  for (const [roNumber, ofOrder] of receipts) {
    const states = [...ofOrder.values()].map((receipt) => stateOf(receipt, now));
    for (const { isWaitedFor, late, assignedAt } of states) {
      if (isWaitedFor && !late) next = Math.min(next, assignedAt + ACCEPT_TIMEOUT_MS);
    }
    // What did not change stays the same object, and its row is not drawn again.
    const previous = before.get(roNumber);
    shown.set(roNumber, previous !== undefined && areEqual(previous, states) ? previous : states);
  }
  clearTimeout(nextLate);
  if (next !== Number.POSITIVE_INFINITY) nextLate = setTimeout(show, Math.max(next - now, 0) + 1);
  for (const listener of listeners) listener();
}

function areEqual(one: readonly AssignmentState[], other: readonly AssignmentState[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
