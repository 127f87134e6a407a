import { expect, test } from 'vitest';
import { isNeeded } from './saved-answers.ts';

test.each([
  ['details-7', true],
  ['details-8', false],
  ['versions-7-2', true],
  ['versions-8-7', false],
  ['time-7', true],
  ['time-77', false],
  ['entries-3-2026-03-02', true],
  ['entries-3-2026-02-23', false],
  ['portal-8', true],
  ['closed-8', true],
  ['clock-8', true],
])('whether %s is still needed: %s', (name, expected) => {
  expect(isNeeded(name, { roNumbers: new Set([7]), firstWeek: '2026-03-02' })).toBe(expected);
});
