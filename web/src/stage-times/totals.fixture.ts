// Totals for tests, as the server sends them.
import type { TimeInStages } from '../api/stages.ts';

const HOUR_MS = 3_600_000;

const stays = { ended: 12, goingOn: 2, tooLong: 3, medianMs: 1.5 * HOUR_MS, p90Ms: 26 * HOUR_MS };
const time = (stage: string | null, hours: number) => ({ stage, totalMs: hours * HOUR_MS });

/** Two days: 30 hours of waiting for parts, 10 of work, 2 of which nothing is known. */
export function someTotals(changes: Partial<TimeInStages> = {}): TimeInStages {
  return {
    days: ['2026-11-16', '2026-11-17'],
    knownFrom: null,
    until: '2026-11-18T06:00:00Z',
    cars: 4,
    stages: [
      { ...time('waiting-for-parts', 30), byDayMs: [24 * HOUR_MS, 6 * HOUR_MS], cars: 2, stays },
      {
        ...time('in-work', 10),
        byDayMs: [0, 10 * HOUR_MS],
        cars: 1,
        stays: { ...stays, ended: 1, goingOn: 0, tooLong: 0, p90Ms: null },
      },
      {
        ...time(null, 2),
        byDayMs: [2 * HOUR_MS, 0],
        cars: 1,
        stays: { ...stays, ended: 1, goingOn: 0, tooLong: 0, medianMs: null, p90Ms: null },
      },
    ],
    technicians: [
      {
        technicianId: 11,
        name: 'Ann Kowalczyk',
        totalMs: 10 * HOUR_MS,
        cars: 1,
        stages: [time('in-work', 10)],
      },
      {
        technicianId: 14,
        name: 'Jean-Luc Fournier',
        totalMs: 34 * HOUR_MS,
        cars: 2,
        stages: [time('waiting-for-parts', 30), time('in-work', 4)],
      },
      { technicianId: null, name: null, totalMs: 50 * HOUR_MS, cars: 1, stages: [time(null, 50)] },
    ],
    advisors: [
      {
        name: '=Dana Whitfield',
        totalMs: 42 * HOUR_MS,
        cars: 4,
        stages: [time('waiting-for-parts', 30), time('in-work', 10), time(null, 2)],
      },
    ],
    ...changes,
  };
}
