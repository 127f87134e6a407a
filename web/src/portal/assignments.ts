// The technician's assignments for the portal's components.
import { useQueryClient } from '@tanstack/react-query';
import { createAtom, type ReadonlyAtom } from '@tanstack/react-store';
import { useEffect, useMemo } from 'react';
import {
  type Assignment,
  type AssignmentState,
  AssignmentTracker,
  noAssignments,
} from './assignment-tracker.ts';

/** A component that shows them selects what it shows from `state`; nothing else renders at their change. */
export interface Assignments {
  state: ReadonlyAtom<AssignmentState>;
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
  const tracker = useMemo(
    () => (technician === null ? null : new AssignmentTracker(client, technician)),
    [client, technician],
  );
  useEffect(() => tracker?.listen(arrived), [tracker, arrived]);
  return useMemo(() => assignmentsOf(tracker), [tracker]);
}

function assignmentsOf(tracker: AssignmentTracker | null): Assignments {
  return {
    state: tracker?.state ?? none,
    accept: (assignments) => tracker?.accept(assignments),
    handBack: (assignment, reason) => void tracker?.handBack(assignment, reason),
    markSeen: (assignments) => tracker?.markSeen(assignments),
    dismissRemoved: (seq) => tracker?.dismissRemoved(seq),
  };
}

const none = createAtom(noAssignments);
