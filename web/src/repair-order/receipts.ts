// The stage of each assignment: delivered, seen, accepted or handed back. Kept once for the page, because a row and
// an open dialog show the same state.
import { useSyncExternalStore } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { createListeners } from '../api/listeners.ts';
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
  /** The technician has a portal and has not accepted yet. */
  isWaitedFor: boolean;
  /** Not accepted in time. */
  late: boolean;
  /** Why it was handed back. */
  reason: string | null;
}

const NO_ASSIGNMENTS: readonly AssignmentState[] = [];

let receipts = new Map<number, Map<number, Receipt>>();
let shown = new Map<number, readonly AssignmentState[]>();
const listeners = createListeners();
let nextLate: ReturnType<typeof setTimeout> | undefined;
let loadCount = 0;
/** What messages brought since the load under way began: its answer may be older. */
let landedSinceLoad: Set<Receipt> | null = null;

/** The states of all technicians who got the order, unordered. */
export function useAssignmentStates(roNumber: number): readonly AssignmentState[] {
  return useSyncExternalStore(listeners.subscribe, () => shown.get(roNumber) ?? NO_ASSIGNMENTS);
}

/** The same of every order. */
export function useAllAssignmentStates(): ReadonlyMap<number, readonly AssignmentState[]> {
  return useSyncExternalStore(listeners.subscribe, () => shown);
}

/** Follows the receipts while the session lasts. Returns a function that stops. */
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
  const landed = new Set<Receipt>();
  landedSinceLoad = landed;
  let all: Receipt[];
  try {
    all = await fetchReceipts();
  } catch (failure) {
    // The next connection loads them again; until then the cached ones stand.
    console.warn('What became of the assignments could not be asked.', failure);
    return;
  } finally {
    if (landedSinceLoad === landed) landedSinceLoad = null;
  }
  if (loadNumber !== loadCount) return;
  const arrived = receipts;
  receipts = new Map();
  for (const receipt of all) put(receipt);
  // A receipt from a message may be newer than the answer, or of an assignment that the answer does not have yet.
  for (const ofOrder of arrived.values()) {
    for (const receipt of ofOrder.values()) {
      const listed = receipts.get(receipt.roNumber)?.get(receipt.technicianId);
      if (listed === undefined ? landed.has(receipt) : isNewer(receipt, listed)) put(receipt);
    }
  }
  show();
}

function land(receipt: Receipt): void {
  const previous = receipts.get(receipt.roNumber)?.get(receipt.technicianId);
  if (previous !== undefined && isNewer(previous, receipt)) return;
  landedSinceLoad?.add(receipt);
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

/** Computes the shown states, and schedules the next update for when an assignment becomes late. */
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
    // Unchanged states stay the same object, so that their rows do not render again.
    const previous = before.get(roNumber);
    shown.set(roNumber, previous !== undefined && areEqual(previous, states) ? previous : states);
  }
  clearTimeout(nextLate);
  if (next !== Number.POSITIVE_INFINITY) nextLate = setTimeout(show, Math.max(next - now, 0) + 1);
  listeners.notify();
}

function areEqual(one: readonly AssignmentState[], other: readonly AssignmentState[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
