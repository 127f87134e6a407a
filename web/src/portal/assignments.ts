// The assignments that this technician has not answered yet. A message adds one as it arrives; missed ones are loaded
// at each new connection. The stages are reported to the desk.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { createAtom, useSelector } from '@tanstack/react-store';
import { useEffect, useMemo } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { fetchReceipts, type Receipt, reportStage, type Stage } from '../api/receipts.ts';
import type { ChangedResult, Row } from '../api/repair-orders.ts';
import { sessionState } from '../api/session.ts';
import { onSocketMessage, type RoModified } from '../api/socket.ts';
import { QUEUED, submit } from '../offline/outbox.ts';
import { landResults } from '../repair-order/change-results.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import { acceptMutation, handBackMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

export interface Assignment {
  roNumber: number;
  /** The event that assigned it: a later event is another assignment. */
  seq: number;
  by: string;
  /** The order as the message had it; null for an assignment that was loaded, whose order is in the list. */
  order: RepairOrder | null;
}

/** An order that was taken off the technician's list. */
interface RemovedAssignment {
  /** The RO number as it is displayed. */
  number: string;
  by: string;
  seq: number;
}

interface AssignmentState {
  pending: readonly Assignment[];
  removed: readonly RemovedAssignment[];
}

/** Nobody reads more lines than this. */
const MAX_REMOVED = 3;

/** A visible page that is busy for longer than this reports the delivery before the display. */
const SEEN_TIMEOUT_MS = 1_000;

/** Each stage implies the ones before it. */
const stages: readonly Stage[] = ['delivered', 'seen', 'accepted'];

export interface Assignments extends AssignmentState {
  accept(assignments: readonly Assignment[]): void;
  handBack(assignment: Assignment, reason: string): void;
  /** Called once they are rendered on a visible page. */
  markSeen(assignments: readonly Assignment[]): void;
  dismissRemoved(seq: number): void;
}

/**
 * `technician` null: the assignments are another technician's. `arrived`: called for each new one, before it renders.
 */
export function useAssignments(
  technician: number | null,
  arrived: (assignment: Assignment) => void,
): Assignments {
  const client = useQueryClient();
  const desk = useMemo(() => assignmentsOf(client, technician), [client, technician]);
  useEffect(() => desk.listen(arrived), [desk, arrived]);
  const state = useSelector(desk.state);
  return useMemo(() => ({ ...state, ...desk.actions }), [state, desk]);
}

function assignmentsOf(client: QueryClient, technician: number | null) {
  const state = createAtom<AssignmentState>({ pending: [], removed: [] });
  /** The assignments answered on this page: a list requested earlier does not bring them back. */
  const answered = new Map<number, number>();
  /** By order, the event and the furthest stage that this page reported. */
  const reportedStages = new Map<number, { seq: number; stage: Stage }>();

  const set = (next: Partial<AssignmentState>) => state.set((before) => ({ ...before, ...next }));
  const without = (roNumber: number, upTo = Number.POSITIVE_INFINITY) =>
    state.get().pending.filter((one) => one.roNumber !== roNumber || one.seq > upTo);
  const isAnswered = ({ roNumber, seq }: { roNumber: number; seq: number }) =>
    seq <= (answered.get(roNumber) ?? -1);

  const report = async ({ roNumber, seq }: { roNumber: number; seq: number }, stage: Stage) => {
    if (technician === null) return;
    const before = reportedStages.get(roNumber);
    if (before !== undefined && before.seq >= seq && stages.indexOf(before.stage) >= stages.indexOf(stage))
      return;
    reportedStages.set(roNumber, { seq, stage });
    try {
      // An acceptance counts even if it was made offline; the other stages are reported again at the next connection.
      if (stage === 'accepted') await submit(acceptMutation(technician, roNumber));
      else await reportStage(technician, roNumber, stage);
    } catch (failure) {
      console.warn(`Repair order ${roNumber} could not be reported as ${stage}.`, failure);
      if (reportedStages.get(roNumber)?.stage === stage) reportedStages.delete(roNumber);
      if (stage !== 'accepted') return;
      // Usually the order was reassigned meanwhile; an assignment that still stands comes back with the list.
      answered.delete(roNumber);
      void load();
    }
  };

  /** 'seen' implies 'delivered', and follows within a second on a visible page. */
  const reportDelivered = (assignment: { roNumber: number; seq: number }) => {
    if (document.visibilityState === 'hidden') void report(assignment, 'delivered');
    else setTimeout(() => void report(assignment, 'delivered'), SEEN_TIMEOUT_MS);
  };

  const add = (assignment: Assignment) => {
    if (isAnswered(assignment)) return false;
    const previous = state.get().pending.find(({ roNumber }) => roNumber === assignment.roNumber);
    if (previous !== undefined && previous.seq >= assignment.seq) return false;
    set({ pending: [...without(assignment.roNumber), assignment] });
    return true;
  };

  const load = async () => {
    if (technician === null) return;
    const before = new Set(state.get().pending);
    let receipts: Receipt[];
    try {
      receipts = await fetchReceipts();
    } catch (failure) {
      console.warn('The assignments could not be loaded; the next connection asks again.', failure);
      return;
    }
    const open = receipts.filter((one) => isOpen(one, technician) && !isAnswered(one));
    const listed = new Map(open.map((one) => [one.roNumber, one]));
    // An assignment that arrived during the request is newer than the list.
    const stillOpen = state.get().pending.filter((one) => listed.has(one.roNumber) || !before.has(one));
    const added = open.filter(({ roNumber }) => stillOpen.every((one) => one.roNumber !== roNumber));
    set({ pending: [...stillOpen, ...added.map(toAssignment)] });
    for (const receipt of added) if (receipt.deliveredAt === null) reportDelivered(receipt);
  };

  const modified = (message: RoModified, arrived: (assignment: Assignment) => void) => {
    const { action, techId, roNumber, rows, seq } = message;
    // A client's hint is not reliable; the server's own message has rows.
    if (techId !== technician || rows === undefined || seq === undefined) return;
    if (action === 'TECH_ASSIGNED' && rows.some((row) => row.regularIdTechnician === technician)) {
      const assignment = { roNumber, seq, by: message.by?.name ?? '', order: orderOf(rows) };
      if (!add(assignment)) return;
      arrived(assignment);
      reportDelivered(assignment);
    }
    if (action === 'TECH_UNASSIGNED') {
      const previous = state.get().pending.find((one) => one.roNumber === roNumber);
      const number =
        orderOf(rows)?.roNumber ??
        cachedOrders(client).open.get(roNumber)?.order.roNumber ??
        previous?.order?.roNumber ??
        String(roNumber);
      const mine = message.by?.uid === readerId();
      const removed = mine
        ? state.get().removed
        : [...state.get().removed, { number, by: message.by?.name ?? '', seq }];
      set({ pending: without(roNumber, seq), removed: removed.slice(-MAX_REMOVED) });
    }
  };

  return {
    state,
    listen: (arrived: (assignment: Assignment) => void) => {
      if (technician === null) return undefined;
      void load();
      const stops = [
        onSocketMessage('RO_MODIFIED', (message) => {
          if (message === null) void load();
          else modified(message, arrived);
        }),
        onEventLogReset(() => {
          answered.clear();
          reportedStages.clear();
          set({ pending: [], removed: [] });
          void load();
        }),
        // The assignment was answered on another device.
        onSocketMessage('ASSIGNMENT_RECEIPT', (message) => {
          const receipt = message?.receipt;
          if (receipt === undefined || receipt.technicianId !== technician || isOpen(receipt, technician))
            return;
          set({ pending: without(receipt.roNumber, receipt.seq) });
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    actions: {
      accept: (assignments: readonly Assignment[]) => {
        for (const { roNumber, seq } of assignments) answered.set(roNumber, seq);
        set({ pending: state.get().pending.filter((one) => !assignments.includes(one)) });
        for (const assignment of assignments) void report(assignment, 'accepted');
      },
      handBack: async (assignment: Assignment, reason: string) => {
        if (technician === null) return;
        const { roNumber, seq } = assignment;
        answered.set(roNumber, seq);
        set({ pending: without(roNumber) });
        const mutation = handBackMutation(technician, roNumber, reason);
        try {
          const answer = await submit(mutation);
          if (answer !== QUEUED && isChanged(answer)) landResults(client, [answer.result]);
        } catch (failure) {
          addRefusedChange(mutation, failure);
          answered.delete(roNumber);
          void load();
        }
      },
      markSeen: (assignments: readonly Assignment[]) => {
        for (const assignment of assignments) void report(assignment, 'seen');
      },
      dismissRemoved: (seq: number) => set({ removed: state.get().removed.filter((one) => one.seq !== seq) }),
    },
  };
}

function isOpen(receipt: Receipt, technician: number): boolean {
  const { technicianId, acceptedAt, handedBackAt } = receipt;
  return technicianId === technician && acceptedAt === null && handedBackAt === null;
}

function toAssignment({ roNumber, seq, assignedBy }: Receipt): Assignment {
  return { roNumber, seq, by: assignedBy.name, order: null };
}

function orderOf([first, ...others]: Row[]): RepairOrder | null {
  return first === undefined ? null : toRepairOrder([first, ...others]);
}

function readerId(): string | null {
  const session = sessionState();
  return session.status === 'signed-in' ? session.user.uid : null;
}

function isChanged(answer: unknown): answer is { result: ChangedResult } {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}
