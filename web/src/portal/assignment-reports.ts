// Reports to the desk how far this technician's assignments have come: delivered, seen, accepted. Each stage implies the
// ones before it, so that none is reported twice.
import { reportStage, type Stage } from '../api/receipts.ts';
import { submit } from '../offline/outbox.ts';
import { acceptMutation } from './mutations.ts';

/** An assignment by its order and its event: a later event is another assignment. */
export interface AssignmentId {
  roNumber: number;
  seq: number;
}

/** A visible page that is busy for longer than this reports the delivery before the display. */
const SEEN_TIMEOUT_MS = 1_000;

const stages: readonly Stage[] = ['delivered', 'seen', 'accepted'];

export class AssignmentReports {
  private readonly technician: number;
  /** By order, the event and the furthest stage that this page reported. */
  private readonly furthest = new Map<number, { seq: number; stage: Stage }>();

  constructor(technician: number) {
    this.technician = technician;
  }

  /** False: an acceptance was refused. Whatever else fails is reported again at the next connection. */
  async report({ roNumber, seq }: AssignmentId, stage: Stage): Promise<boolean> {
    const before = this.furthest.get(roNumber);
    if (before !== undefined && before.seq >= seq && stages.indexOf(before.stage) >= stages.indexOf(stage))
      return true;
    this.furthest.set(roNumber, { seq, stage });
    try {
      // An acceptance counts even if it was made offline.
      if (stage === 'accepted') await submit(acceptMutation(this.technician, roNumber));
      else await reportStage(this.technician, roNumber, stage);
      return true;
    } catch (failure) {
      console.warn(`Repair order ${roNumber} could not be reported as ${stage}.`, failure);
      if (this.furthest.get(roNumber)?.stage === stage) this.furthest.delete(roNumber);
      return stage !== 'accepted';
    }
  }

  /** 'seen' implies 'delivered', and follows within a second on a visible page. */
  reportDelivered(assignment: AssignmentId): void {
    if (document.visibilityState === 'hidden') void this.report(assignment, 'delivered');
    else setTimeout(() => void this.report(assignment, 'delivered'), SEEN_TIMEOUT_MS);
  }

  clear(): void {
    this.furthest.clear();
  }
}
