import type { Candidate, CandidateReason } from './candidates.ts';

interface Facts {
  specialty?: string;
  skills?: readonly Omit<Extract<CandidateReason, { kind: 'skill' }>, 'kind'>[];
  clock?: 'off' | 'idle' | 'on-job';
  portal?: boolean;
  assignedHours?: number;
  dueHours?: number;
  dailyHours?: number;
  openOrders?: number;
  jobsWithoutHours?: number;
}

/** A technician of a ranking, on the clock and without work where nothing else is said. */
export function candidate(idTechnician: number, displayName: string, facts: Facts = {}): Candidate {
  const { specialty = '', skills = [], clock = 'idle', portal = true } = facts;
  const { assignedHours = 0, dueHours = 0, dailyHours = 8, openOrders = 0, jobsWithoutHours = 0 } = facts;
  return {
    idTechnician,
    displayName,
    specialty,
    levelName: null,
    reasons: [
      ...skills.map((skill): CandidateReason => ({ kind: 'skill', ...skill })),
      { kind: 'clock', state: clock },
      { kind: 'load', assignedHours, dueHours, dailyHours, openOrders, jobsWithoutHours },
      { kind: 'portal', enabled: portal },
    ],
  };
}

export const brakes = (level: number | null, wanted = 3) => ({
  skillName: 'Brakes',
  wanted,
  level,
  state: level === null ? ('lacks' as const) : level < wanted ? ('below' as const) : ('has' as const),
});
