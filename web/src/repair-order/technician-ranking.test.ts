import { expect, test } from 'vitest';
import { brakes, candidate } from '../api/candidate.fixture.ts';
import { i18n } from '../i18n/i18n.ts';
import { shortFitTexts } from './technician-ranking.ts';

const textsOf = (levels: readonly (number | null)[]) =>
  shortFitTexts(candidate(1, 'Ann', { skills: levels.map((level) => brakes(level)) }).reasons, i18n.t, 'en');

test('few skills are named in a line of a list, of many it says how many somebody has', () => {
  expect(textsOf([3, null])).toEqual(['Brakes level 3', 'no Brakes']);
  expect(textsOf([3, null, null, 3])).toEqual(['2 of 4 skills']);
});
