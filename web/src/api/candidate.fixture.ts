import type { Candidate, CandidateReason } from './candidates.ts';

interface Facts {
  specialty?: string;
  skills?: readonly Omit<Extract<CandidateReason, { kind: 'skill' }>, 'kind'>[];
  clock?: 'off' | 'idle' | 'on-job';
  portal?: boolean;
  assignedHours?: number;
  dueHours?: number;
  dailyHours?: number;
  dueTodayHours?: number;
  dueTodayJobsWithoutHours?: number;
  hoursLeftToday?: number;
  openOrders?: number;
  jobsWithoutHours?: number;
  week?: Partial<Omit<Extract<CandidateReason, { kind: 'week' }>, 'kind'>>;
}

const emptyWeek = {
  hours: 0,
  jobs: 0,
  jobsWithoutHours: 0,
  kinds: [],
  team: 0,
  teamHours: null,
  teamJobsWithoutHours: 0,
  decided: false,
};

/** A technician of a ranking, on the clock, without work and alone in the week where nothing else is said; their work is for today. */
export function candidate(idTechnician: number, displayName: string, facts: Facts = {}): Candidate {
  const { specialty = '', skills = [], clock = 'idle', portal = true, week = {} } = facts;
  const { assignedHours = 0, dueHours = 0, dailyHours = 8, openOrders = 0, jobsWithoutHours = 0 } = facts;
  const { dueTodayHours = assignedHours, dueTodayJobsWithoutHours = 0, hoursLeftToday = dailyHours } = facts;
  const today = { dueTodayHours, dueTodayJobsWithoutHours, hoursLeftToday };
  return {
    idTechnician,
    displayName,
    specialty,
    levelName: null,
    reasons: [
      ...skills.map((skill): CandidateReason => ({ kind: 'skill', ...skill })),
      { kind: 'clock', state: clock },
      { kind: 'load', assignedHours, dueHours, ...today, dailyHours, openOrders, jobsWithoutHours },
      { kind: 'portal', enabled: portal },
      { kind: 'week', ...emptyWeek, ...week },
    ],
  };
}

export const brakes = (level: number | null, wanted = 3) => ({
  skillName: 'Brakes',
  wanted,
  level,
  state: level === null ? ('lacks' as const) : level < wanted ? ('below' as const) : ('has' as const),
});
