// The assignments that one technician has not answered yet, and the orders that were taken off their list. A message
// adds one as it arrives; missed ones are loaded at each new connection.
import type { QueryClient } from '@tanstack/react-query';
import { createAtom } from '@tanstack/react-store';
import { onEventLogReset } from '../api/event-log-reset.ts';
import { fetchReceipts, type Receipt } from '../api/receipts.ts';
import type { ChangedResult, Row } from '../api/repair-orders.ts';
import { sessionState } from '../api/session.ts';
import { onSocketMessage, type RoModified, type SocketMessages } from '../api/socket.ts';
import { QUEUED, submit } from '../offline/outbox.ts';
import { landResults } from '../repair-order/change-results.ts';
import { cachedOrders } from '../repair-order/live-orders.ts';
import { type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import { type AssignmentId, AssignmentReports } from './assignment-reports.ts';
import { handBackMutation } from './mutations.ts';
import { addRefusedChange } from './refused-changes.ts';

export interface Assignment extends AssignmentId {
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

export interface AssignmentState {
  pending: readonly Assignment[];
  removed: readonly RemovedAssignment[];
}

/** Nobody reads more lines than this. */
const MAX_REMOVED = 3;

export const noAssignments: AssignmentState = { pending: [], removed: [] };

export class AssignmentTracker {
  private readonly client: QueryClient;
  private readonly technician: number;
  private readonly reports: AssignmentReports;
  readonly state = createAtom(noAssignments);
  /** By order, the event answered on this page: a list requested earlier does not bring it back. */
  private readonly answered = new Map<number, number>();
  /** What messages said is over, in the order of their arrival: a list requested earlier does not bring it back. */
  private readonly ended: AssignmentId[] = [];

  constructor(client: QueryClient, technician: number) {
    this.client = client;
    this.technician = technician;
    this.reports = new AssignmentReports(technician);
  }

  /** `arrived`: called for each new one, before it renders. Returns what ends it. */
  listen(arrived: (assignment: Assignment) => void): () => void {
    void this.load();
    const stops = [
      onSocketMessage('RO_MODIFIED', (message) => {
        if (message === null) void this.load();
        else this.handleModified(message, arrived);
      }),
      onSocketMessage('ASSIGNMENT_RECEIPT', (message) => this.handleReceipt(message)),
      onEventLogReset(() => {
        this.answered.clear();
        this.reports.clear();
        this.set(noAssignments);
        void this.load();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  accept(assignments: readonly Assignment[]): void {
    for (const { roNumber, seq } of assignments) this.answered.set(roNumber, seq);
    this.set({ pending: this.state.get().pending.filter((one) => !assignments.includes(one)) });
    for (const assignment of assignments) void this.reportAccepted(assignment);
  }

  async handBack({ roNumber, seq }: Assignment, reason: string): Promise<void> {
    this.answered.set(roNumber, seq);
    this.set({ pending: this.without(roNumber) });
    const mutation = handBackMutation(this.technician, roNumber, reason);
    try {
      const answer = await submit(mutation);
      if (answer !== QUEUED && isChanged(answer)) landResults(this.client, [answer.result]);
    } catch (failure) {
      addRefusedChange(mutation, failure);
      this.reopen(roNumber);
    }
  }

  markSeen(assignments: readonly Assignment[]): void {
    for (const assignment of assignments) void this.reports.report(assignment, 'seen');
  }

  dismissRemoved(seq: number): void {
    this.set({ removed: this.state.get().removed.filter((one) => one.seq !== seq) });
  }

  private async reportAccepted(assignment: Assignment): Promise<void> {
    if (!(await this.reports.report(assignment, 'accepted'))) this.reopen(assignment.roNumber);
  }

  /** Usually the order was reassigned meanwhile; an assignment that still stands comes back with the list. */
  private reopen(roNumber: number): void {
    this.answered.delete(roNumber);
    void this.load();
  }

  private async load(): Promise<void> {
    const before = new Set(this.state.get().pending);
    const endedBefore = this.ended.length;
    let receipts: Receipt[];
    try {
      receipts = await fetchReceipts();
    } catch (failure) {
      console.warn('The assignments could not be loaded; the next connection asks again.', failure);
      return;
    }
    const endedSince = this.ended.slice(endedBefore);
    const open = receipts.filter(
      (one) =>
        this.isOpen(one) &&
        !this.isAnswered(one) &&
        endedSince.every(({ roNumber, seq }) => roNumber !== one.roNumber || seq < one.seq),
    );
    const listed = new Map(open.map((one) => [one.roNumber, one.seq]));
    // An assignment that arrived during the request is newer than the list; one whose order was assigned again while
    // there was no connection is older.
    const stillOpen = this.state
      .get()
      .pending.filter((one) =>
        listed.has(one.roNumber) ? one.seq >= (listed.get(one.roNumber) ?? 0) : !before.has(one),
      );
    const added = open.filter(({ roNumber }) => stillOpen.every((one) => one.roNumber !== roNumber));
    this.set({ pending: [...stillOpen, ...added.map(toAssignment)] });
    for (const receipt of added) if (receipt.deliveredAt === null) this.reports.reportDelivered(receipt);
  }

  private handleModified(message: RoModified, arrived: (assignment: Assignment) => void): void {
    const { action, techId, roNumber, rows, seq } = message;
    // A client's hint is not reliable; the server's own message has rows.
    if (techId !== this.technician || rows === undefined || seq === undefined) return;
    const by = message.by?.name ?? '';
    if (action === 'TECH_ASSIGNED' && rows.some((row) => row.regularIdTechnician === this.technician)) {
      const assignment = { roNumber, seq, by, order: orderOf(rows) };
      if (!this.add(assignment)) return;
      arrived(assignment);
      this.reports.reportDelivered(assignment);
    }
    if (action === 'TECH_UNASSIGNED') {
      const isOwn = message.by?.uid === readerId();
      const line = { number: this.displayedNumber(roNumber, rows), by, seq };
      this.ended.push({ roNumber, seq });
      const removed = isOwn ? this.state.get().removed : [...this.state.get().removed, line];
      this.set({ pending: this.without(roNumber, seq), removed: removed.slice(-MAX_REMOVED) });
    }
  }

  /** The assignment may have been answered on another device. */
  private handleReceipt(message: SocketMessages['ASSIGNMENT_RECEIPT'] | null): void {
    const receipt = message?.receipt;
    if (receipt === undefined || receipt.technicianId !== this.technician || this.isOpen(receipt)) return;
    this.ended.push({ roNumber: receipt.roNumber, seq: receipt.seq });
    this.set({ pending: this.without(receipt.roNumber, receipt.seq) });
  }

  /** Whether it is new. */
  private add(assignment: Assignment): boolean {
    if (this.isAnswered(assignment)) return false;
    const previous = this.state.get().pending.find(({ roNumber }) => roNumber === assignment.roNumber);
    if (previous !== undefined && previous.seq >= assignment.seq) return false;
    this.set({ pending: [...this.without(assignment.roNumber), assignment] });
    return true;
  }

  private displayedNumber(roNumber: number, rows: Row[]): string {
    const order =
      orderOf(rows) ??
      cachedOrders(this.client).open.get(roNumber)?.order ??
      this.state.get().pending.find((one) => one.roNumber === roNumber)?.order;
    return order?.roNumber ?? String(roNumber);
  }

  private without(roNumber: number, upTo = Number.POSITIVE_INFINITY): readonly Assignment[] {
    return this.state.get().pending.filter((one) => one.roNumber !== roNumber || one.seq > upTo);
  }

  private isAnswered({ roNumber, seq }: AssignmentId): boolean {
    return seq <= (this.answered.get(roNumber) ?? -1);
  }

  private isOpen({ technicianId, acceptedAt, handedBackAt }: Receipt): boolean {
    return technicianId === this.technician && acceptedAt === null && handedBackAt === null;
  }

  private set(next: Partial<AssignmentState>): void {
    this.state.set((before) => ({ ...before, ...next }));
  }
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
