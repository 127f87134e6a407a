import { expect, test } from 'vitest';
import { soldHours, sumOfWork, workOf } from './sold-hours.ts';

const operation = (hours: number | null) => ({
  operationCode: 'LOF',
  operationDesciption: '',
  soldHours: hours,
});

test('a job is sold for the known hours of all its operations, to the hundredth', () => {
  expect(soldHours([operation(0.1), operation(null), operation(0.2)])).toBe(0.3);
  expect(soldHours([operation(0)])).toBe(0);
});

test('a job has no hours where none of its operations has any', () => {
  expect(soldHours([operation(null)])).toBeNull();
  expect(soldHours([])).toBeNull();
});

test('work is the known hours and the number of jobs without any', () => {
  const work = workOf([{ soldHours: 1.1 }, { soldHours: null }, { soldHours: 2.2 }]);
  expect(work).toEqual({ hours: 3.3, jobsWithoutHours: 1 });
  expect(sumOfWork([work, work])).toEqual({ hours: 6.6, jobsWithoutHours: 2 });
});
