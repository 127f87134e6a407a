import { expect, test } from 'vitest';
import { brakes, candidate } from '../api/candidate.fixture.ts';
import { i18n } from '../i18n/i18n.ts';
import { fitTexts, shortFitTexts } from './technician-ranking.ts';

const textsOf = (levels: readonly (number | null)[]) =>
  shortFitTexts(candidate(1, 'Ann', { skills: levels.map((level) => brakes(level)) }).reasons, i18n.t, 'en');

test('few skills are named in a line of a list, of many it says how many somebody has', () => {
  expect(textsOf([3, null])).toEqual(['Brakes level 3', 'no Brakes']);
  expect(textsOf([3, null, null, 3])).toEqual(['2 of 4 skills']);
});

test('the skill that includes another is named where there is room, and not in a line of a list', () => {
  const skill = { ...brakes(5), includedIn: 'Brake Master' };
  const { reasons } = candidate(1, 'Ann', { skills: [skill] });
  expect(fitTexts(reasons, i18n.t, 'en')).toEqual(['Brakes level 5 (as Brake Master)']);
  expect(shortFitTexts(reasons, i18n.t, 'en')).toEqual(['Brakes level 5']);
});
