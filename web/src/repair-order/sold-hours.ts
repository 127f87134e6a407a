// The hours that work is sold for, as far as they are known.
import type { Row } from '../api/repair-orders.ts';

type Operation = Row['jobs'][number]['operations'][number];

/** Work to be done: the hours that are known, and how many jobs have none. */
export interface Work {
  hours: number;
  jobsWithoutHours: number;
}

export const noWork: Work = { hours: 0, jobsWithoutHours: 0 };

/** A job's hours: those of all its operations; null where none of them has any. */
export function soldHours(operations: readonly Operation[]): number | null {
  let hundredths: number | null = null;
  for (const { soldHours: hours } of operations) {
    if (hours != null) hundredths = (hundredths ?? 0) + toHundredths(hours);
  }
  return hundredths === null ? null : hundredths / 100;
}

export function workOf(jobs: readonly { soldHours: number | null }[]): Work {
  const hours = jobs.flatMap((job) => job.soldHours ?? []);
  return { hours: sumHours(hours), jobsWithoutHours: jobs.length - hours.length };
}

export function sumOfWork(all: readonly Work[]): Work {
  return {
    hours: sumHours(all.map(({ hours }) => hours)),
    jobsWithoutHours: all.reduce((sum, { jobsWithoutHours }) => sum + jobsWithoutHours, 0),
  };
}

/** To the hundredth, in which hours are sold. */
export function sumHours(hours: readonly number[]): number {
  return hours.reduce((sum, one) => sum + toHundredths(one), 0) / 100;
}

/** As hours are shown: of numbers that are shown beside each other the difference must be what anybody subtracts. */
export function toTenth(hours: number): number {
  return Math.round(toHundredths(hours) / 10) / 10;
}

function toHundredths(hours: number): number {
  return Math.round(hours * 100);
}
