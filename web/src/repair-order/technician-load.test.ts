import { expect, test } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import {
  hoursOverToday,
  loadText,
  nothingAdded,
  sumOfAdded,
  type Today,
  withWork,
  workOfOrder,
} from './technician-load.ts';

const NOW = Date.parse('2026-03-02T12:00:00Z');

const today = (dueTodayHours: number, hoursLeftToday = 6, dueTodayJobsWithoutHours = 0): Today => ({
  dueTodayHours,
  dueTodayJobsWithoutHours,
  hoursLeftToday,
});

test('a day that is exactly full is not over', () => {
  expect(hoursOverToday(today(6))).toBe(0);
  expect(hoursOverToday(today(6.04))).toBe(0);
  expect(hoursOverToday(today(6.25))).toBe(0.3);
});

test('work is added to the hundredth of an hour, where it is promised for today', () => {
  const jobs = [0.2, null, null].map((soldHours) => ({ soldHours }));
  const order = (promised: string | null) =>
    workOfOrder({ jobs, promised: promised === null ? null : Date.parse(promised) } as never, NOW);
  expect(withWork(today(0.1, 6, 1), order('2026-03-02T17:00:00Z'))).toEqual(today(0.3, 6, 3));
  // Late.
  expect(withWork(today(0.1, 6, 1), order('2026-02-27T17:00:00Z'))).toEqual(today(0.3, 6, 3));
  expect(withWork(today(0.1, 6, 1), order('2026-03-03T09:00:00Z'))).toEqual(today(0.1, 6, 1));
  expect(withWork(today(0.1, 6, 1), order(null))).toEqual(today(0.1, 6, 1));
  const all = sumOfAdded([order(null), nothingAdded, order('2026-03-02T17:00:00Z')]);
  expect(all).toEqual({
    all: { hours: 0.4, jobsWithoutHours: 4 },
    dueToday: { hours: 0.2, jobsWithoutHours: 2 },
  });
});

test.each([
  ['known hours', today(3.9), '3.9 of 6 h promised today'],
  ['no work', today(0), '0 of 6 h promised today'],
  ['a full day', today(6), '6 of 6 h promised today'],
  ['more than a day', today(7.5), '1.5 h over today (6 h left)'],
  ['hours known in part', today(3.9, 6, 2), 'at least 3.9 of 6 h promised today'],
  ['more than a day, known in part', today(7.5, 6, 1), 'at least 1.5 h over today (6 h left)'],
  ['work when the day is over', today(1, 0), '1 h over today (0 h left)'],
  ['no work when the day is over', today(0, 0), 'no hours left today'],
  ['work of unknown hours alone', today(0, 6, 3), 'hours not known'],
  ['a load that nobody said', null, 'hours not known'],
])('%s in words', (_, of, words) => {
  expect(loadText(of, i18n.t, 'en')).toBe(words);
});
