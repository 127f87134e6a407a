// What the desk gave this technician and they have not answered yet. A message puts it here in the moment it arrives;
// what came while nobody looked is asked for at each new connection. The desk is told how far it has come.
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { fetchReceipts, type Receipt, reportStage, type Stage } from '../api/receipts.ts';
import type { Changed, Row } from '../api/repair-orders.ts';
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
  /** The event that assigned it: a later one is another assignment. */
  seq: number;
  by: string;
  /** What the message said of the order; what came otherwise is in the list. */
  order: RepairOrder | null;
}

/** An order that was taken off the technician's list. */
interface Taken {
  /** As people read it. */
  number: string;
  by: string;
  seq: number;
}

interface Held {
  pending: readonly Assignment[];
  taken: readonly Taken[];
}

/** More lines than that nobody reads. */
const TAKEN_AT_MOST = 3;

/** A page that is looked at and busy for longer reports the delivery first. */
const SEEN_WITHIN_MS = 1_000;

/** Each says the ones before it, too. */
const stages: readonly Stage[] = ['delivered', 'seen', 'accepted'];

export interface Assignments extends Held {
  accept(assignments: readonly Assignment[]): void;
  handBack(assignment: Assignment, reason: string): void;
  /** They are on a screen that is looked at. */
  seen(assignments: readonly Assignment[]): void;
  dismissTaken(seq: number): void;
}

/** `technician` null: they are somebody else's to answer. `arrived`: at each new one, before it is drawn. */
export function useAssignments(
  technician: number | null,
  arrived: (assignment: Assignment) => void,
): Assignments {
  const client = useQueryClient();
  const desk = useMemo(() => assignmentsOf(client, technician), [client, technician]);
  useEffect(() => desk.listen(arrived), [desk, arrived]);
  const held = useSyncExternalStore(desk.subscribe, desk.held);
  return useMemo(() => ({ ...held, ...desk.actions }), [held, desk]);
}

function assignmentsOf(client: QueryClient, technician: number | null) {
  let held: Held = { pending: [], taken: [] };
  const listeners = new Set<() => void>();
  /** Answered here: a list that was asked for before brings none of these back. */
  const answered = new Map<number, number>();
  /** By order, the event and how far its assignment was reported here. */
  const told = new Map<number, { seq: number; stage: Stage }>();

  const set = (next: Partial<Held>) => {
    held = { ...held, ...next };
    for (const listener of listeners) listener();
  };
  const without = (roNumber: number, upTo = Number.POSITIVE_INFINITY) =>
    held.pending.filter((one) => one.roNumber !== roNumber || one.seq > upTo);
  const isAnswered = ({ roNumber, seq }: { roNumber: number; seq: number }) =>
    seq <= (answered.get(roNumber) ?? -1);

  const tell = async ({ roNumber, seq }: { roNumber: number; seq: number }, stage: Stage) => {
    if (technician === null) return;
    const before = told.get(roNumber);
    if (before !== undefined && before.seq >= seq && stages.indexOf(before.stage) >= stages.indexOf(stage))
      return;
    told.set(roNumber, { seq, stage });
    try {
      // What was accepted counts, also when it was without a connection; the others are told again at the next one.
      if (stage === 'accepted') await submit(acceptMutation(technician, roNumber));
      else await reportStage(technician, roNumber, stage);
    } catch (failure) {
      console.warn(`Repair order ${roNumber} could not be reported as ${stage}.`, failure);
      if (told.get(roNumber)?.stage === stage) told.delete(roNumber);
      if (stage !== 'accepted') return;
      // It was taken away meanwhile, mostly; what still stands comes back with the list.
      answered.delete(roNumber);
      void load();
    }
  };

  /** Seen says that it was delivered, and comes a moment later where the page is looked at. */
  const tellDelivered = (assignment: { roNumber: number; seq: number }) => {
    if (document.visibilityState === 'hidden') void tell(assignment, 'delivered');
    else setTimeout(() => void tell(assignment, 'delivered'), SEEN_WITHIN_MS);
  };

  const add = (assignment: Assignment) => {
    if (isAnswered(assignment)) return false;
    const previous = held.pending.find(({ roNumber }) => roNumber === assignment.roNumber);
    if (previous !== undefined && previous.seq >= assignment.seq) return false;
    set({ pending: [...without(assignment.roNumber), assignment] });
    return true;
  };

  const load = async () => {
    if (technician === null) return;
    const before = new Set(held.pending);
    let receipts: Receipt[];
    try {
      receipts = await fetchReceipts();
    } catch (failure) {
      console.warn('The assignments could not be loaded; the next connection asks again.', failure);
      return;
    }
    const open = receipts.filter((one) => isOpen(one, technician) && !isAnswered(one));
    const listed = new Map(open.map((one) => [one.roNumber, one]));
    // What came while the list was on its way is newer than the list.
    const kept = held.pending.filter((one) => listed.has(one.roNumber) || !before.has(one));
    const added = open.filter(({ roNumber }) => kept.every((one) => one.roNumber !== roNumber));
    set({ pending: [...kept, ...added.map(assignmentIn)] });
    for (const receipt of added) if (receipt.deliveredAt === null) tellDelivered(receipt);
  };

  const modified = (message: RoModified, arrived: (assignment: Assignment) => void) => {
    const { action, techId, roNumber, rows, seq } = message;
    // Of a client's hint nothing is certain; the server's own message has rows.
    if (techId !== technician || rows === undefined || seq === undefined) return;
    if (action === 'TECH_ASSIGNED' && rows.some((row) => row.regularIdTechnician === technician)) {
      const assignment = { roNumber, seq, by: message.by?.name ?? '', order: orderOf(rows) };
      if (!add(assignment)) return;
      arrived(assignment);
      tellDelivered(assignment);
    }
    if (action === 'TECH_UNASSIGNED') {
      const previous = held.pending.find((one) => one.roNumber === roNumber);
      const number =
        orderOf(rows)?.roNumber ??
        cachedOrders(client).open.get(roNumber)?.order.roNumber ??
        previous?.order?.roNumber ??
        String(roNumber);
      const mine = message.by?.uid === readerId();
      const taken = mine ? held.taken : [...held.taken, { number, by: message.by?.name ?? '', seq }];
      set({ pending: without(roNumber, seq), taken: taken.slice(-TAKEN_AT_MOST) });
    }
  };

  return {
    held: () => held,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
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
          told.clear();
          set({ pending: [], taken: [] });
          void load();
        }),
        // Answered on another device.
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
        set({ pending: held.pending.filter((one) => !assignments.includes(one)) });
        for (const assignment of assignments) void tell(assignment, 'accepted');
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
      seen: (assignments: readonly Assignment[]) => {
        for (const assignment of assignments) void tell(assignment, 'seen');
      },
      dismissTaken: (seq: number) => set({ taken: held.taken.filter((one) => one.seq !== seq) }),
    },
  };
}

function isOpen(receipt: Receipt, technician: number): boolean {
  const { technicianId, acceptedAt, handedBackAt } = receipt;
  return technicianId === technician && acceptedAt === null && handedBackAt === null;
}

function assignmentIn({ roNumber, seq, assignedBy }: Receipt): Assignment {
  return { roNumber, seq, by: assignedBy.name, order: null };
}

function orderOf([first, ...others]: Row[]): RepairOrder | null {
  return first === undefined ? null : toRepairOrder([first, ...others]);
}

function readerId(): string | null {
  const session = sessionState();
  return session.status === 'signed-in' ? session.user.uid : null;
}

function isChanged(answer: unknown): answer is { result: Changed } {
  return typeof answer === 'object' && answer !== null && 'result' in answer;
}
