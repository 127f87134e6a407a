// How full technicians' todays are beside each other, all their work in days, and what a car would add. Pure.
import type { Workload } from '../api/technicians.ts';
import { sumHours, workOf } from '../repair-order/sold-hours.ts';
import { isOverToday, isPromisedForToday, type Today } from '../repair-order/technician-load.ts';
import type { MovingCar } from './moves.ts';

export type Backlog = Pick<Workload, 'assignedHours' | 'jobsWithoutHours' | 'dailyHours'>;

/** 1: what is promised takes all that is left of the day. */
export function shareOfToday(today: Today): number {
  if (today.hoursLeftToday === 0) return isOverToday(today) ? Number.POSITIVE_INFINITY : 0;
  return today.dueTodayHours / today.hoursLeftToday;
}

export function backlogDays({ assignedHours, dailyHours }: Backlog): number {
  return assignedHours / dailyHours;
}

/** Hours. With less room a short day would look like a long one. */
const MIN_SCALE = 8;

/** The hours that every bar has room for, so that an hour is as long in each. */
export function barScale(all: readonly Today[]): number {
  return all.reduce(
    (most, { dueTodayHours, hoursLeftToday }) => Math.max(most, dueTodayHours, hoursLeftToday),
    MIN_SCALE,
  );
}

/**
 * The technician's work if they got the car in place of whom it is taken from, by the server's rules: what is left of it is
 * shared evenly by all who are on it.
 */
export function withCar<T extends Today & Backlog & Pick<Workload, 'technicianId'>>(
  technician: T,
  { shown: { order }, from, jobsLeft }: MovingCar,
  now: number,
): T {
  const { technicianId } = technician;
  const before = new Set([...order.technicians.map(({ id }) => id), ...order.etlIds]);
  const others = order.technicians.filter(({ id }) => id !== from).map(({ id }) => id);
  const after = new Set([...others, technicianId, ...order.etlIds]);
  const { hours, jobsWithoutHours } = workOf(jobsLeft);
  const had = before.has(technicianId);
  const addedHours = hours / after.size - (had ? hours / before.size : 0);
  const addedJobs = had ? 0 : jobsWithoutHours;
  const isDue = isPromisedForToday(order, now);
  return {
    ...technician,
    assignedHours: sumHours([technician.assignedHours, addedHours]),
    jobsWithoutHours: technician.jobsWithoutHours + addedJobs,
    dueTodayHours: sumHours([technician.dueTodayHours, isDue ? addedHours : 0]),
    dueTodayJobsWithoutHours: technician.dueTodayJobsWithoutHours + (isDue ? addedJobs : 0),
  };
}
