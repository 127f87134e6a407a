import { describe, expect, test } from 'vitest';
import { brakes, candidate } from '../api/candidate.fixture.ts';
import { i18n } from '../i18n/i18n.ts';
import { loadOf } from './technician-load.ts';
import { fitTexts, shortFitTexts, shortWhyText } from './technician-ranking.ts';

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

describe('why somebody is chosen, in two lines', () => {
  const week = { team: 3, teamHours: 9, hours: 1, jobs: 1, decided: true };
  const why = (skillName: string, levels: readonly (number | null)[], assignedHours = 2) => {
    const skills = levels.map((level) => ({ ...brakes(level), skillName, includedIn: 'Brake Master' }));
    const facts = { skills, clock: 'on-job', portal: false, assignedHours, dueHours: 1, week } as const;
    const ann = candidate(1, 'Ann', facts);
    return shortWhyText(ann, loadOf(ann), i18n.t, 'en');
  };

  test('is told without what else a skill includes, and in few words that the week decided', () => {
    expect(why('Brakes', [3])).toBe(
      'Brakes level 3, 2 of 8 h promised today, least this week, 1 h due before it, no portal, on a job',
    );
  });

  test('counts the skills that somebody has where their names need a third line', () => {
    const others = '2 of 8 h promised today, least this week, 1 h due before it, no portal, on a job';
    expect(why('Transmission Tradesman', [3, 4])).toBe(`2 of 2 skills, ${others}`);
    expect(why('Electrical Craftsman', [3, null], 9)).toBe(
      '1 of 2 skills, least this week, no Electrical Craftsman, no portal, on a job, 1 h over today (8 h left)',
    );
    expect(why('Transmission Tradesman', [null, null])).toMatch(/least this week, 0 of 2 skills, /);
  });

  test('says of a full day only by how much it is', () => {
    expect(why('Brakes', [3], 9)).toBe(
      'Brakes level 3, least this week, no portal, on a job, 1 h over today (8 h left)',
    );
  });
});
