import { expect, test } from 'vitest';
import { i18n } from '../i18n/i18n.ts';
import { hoursAndMinutes, spanText } from './duration-text.ts';

const DAY = 1_440;

test('a duration is told in its two largest units, without one that is zero', () => {
  const told = [0, 25, 60, 80, 120, DAY, 2 * DAY + 3 * 60 + 59, 3 * DAY + 59];
  expect(told.map((minutes) => spanText(minutes, i18n.t))).toEqual([
    '0 min',
    '25 min',
    '1 h',
    '1 h 20 min',
    '2 h',
    '1 d',
    '2 d 3 h',
    '3 d',
  ]);
});

test('hours of work are told without days', () => {
  const told = [25, 80, 40 * 60, 41 * 60 + 5];
  expect(told.map((minutes) => hoursAndMinutes(minutes, i18n.t))).toEqual([
    '25 min',
    '1 h 20 min',
    '40 h',
    '41 h 5 min',
  ]);
});
