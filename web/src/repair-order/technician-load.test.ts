import { expect, test } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { freeText, hoursOver, type Load, loadText, withWork } from './technician-load.ts';

const load = (assignedHours: number, jobsWithoutHours = 0): Load => ({
  assignedHours,
  dailyHours: 8,
  jobsWithoutHours,
});

test('a day that is exactly full is not over capacity', () => {
  expect(hoursOver(load(8))).toBe(0);
  expect(hoursOver(load(8.04))).toBe(0);
  expect(hoursOver(load(8.25))).toBe(0.3);
});

test('work is added to the hundredth of an hour', () => {
  expect(withWork(load(0.1, 1), { hours: 0.2, jobsWithoutHours: 2 })).toEqual(load(0.3, 3));
});

test.each([
  ['known hours', load(5.9), '5.9 of 8 h', '2.1 of 8 h free'],
  ['no work', load(0), '0 of 8 h', '8 of 8 h free'],
  ['a full day', load(8), '8 of 8 h', '0 of 8 h free'],
  ['more than a day', load(9.5), '1.5 h over (8 h day)', '1.5 h over (8 h day)'],
  ['hours known in part', load(5.9, 2), 'at least 5.9 of 8 h', 'at most 2.1 of 8 h free'],
  [
    'more than a day, known in part',
    load(9.5, 1),
    'at least 1.5 h over (8 h day)',
    'at least 1.5 h over (8 h day)',
  ],
  ['work of unknown hours alone', load(0, 3), 'hours not known', 'hours not known'],
  ['a load that nobody said', null, 'hours not known', 'hours not known'],
])('%s in words', (_, of, inHand, free) => {
  expect(loadText(of, i18n.t, 'en')).toBe(inHand);
  expect(freeText(of, i18n.t, 'en')).toBe(free);
});
