import { beforeAll, expect, test } from 'vitest';
import { candidate } from '../api/candidate.fixture.ts';
import { i18n } from '../i18n/i18n.ts';
import { reasonText, whyText } from './technician-ranking.ts';
import { kindTexts, ownText, teamWeekText, weekOf, weekText } from './technician-week.ts';

type Week = NonNullable<Parameters<typeof candidate>[2]>['week'];

beforeAll(() => i18n.changeLanguage('en'));

const reasonsOf = (week: Week) =>
  candidate(1, 'Ann', { week: { team: 3, teamHours: 9.25, ...week } }).reasons;

function textOf(week: Week): string | null {
  const found = weekOf(reasonsOf(week));
  return found === null ? null : weekText(found, i18n.t, 'en');
}

test.each<[string, Week, string]>([
  ['hours', { hours: 6.5, jobs: 4 }, '6.5 h this week, the team 9.3 h on average'],
  ['nothing', {}, 'nothing yet this week, the team 9.3 h on average'],
  [
    'some hours that nobody knows',
    { hours: 6.5, jobs: 4, jobsWithoutHours: 1, teamJobsWithoutHours: 1 },
    'at least 6.5 h this week, the team at least 9.3 h on average',
  ],
  [
    'no hours at all',
    { jobs: 1, jobsWithoutHours: 1, team: 0, teamHours: null },
    '1 job this week, hours not known',
  ],
  ['one, who is no team', { hours: 6.5, jobs: 4, team: 1, teamHours: 6.5 }, '6.5 h this week'],
  ['nothing, and nobody to compare with', { team: 0, teamHours: null }, 'nothing yet this week'],
])('the week in words: %s', (_, week, text) => {
  expect(textOf(week)).toBe(text);
});

test('a line of a list has it in short', () => {
  const week = weekOf(reasonsOf({ hours: 6.5, jobs: 4 }));
  expect(week === null ? null : ownText(week, i18n.t, 'en')).toBe('6.5 h this week');
  expect(week === null ? null : teamWeekText(week, i18n.t, 'en')).toBe('Team this week: 9.3 h on average');
});

test('kinds of work have their hours, or their jobs where no hours are known', () => {
  const week = weekOf(
    reasonsOf({
      hours: 4,
      jobs: 5,
      kinds: [
        { kind: 'waiter', hours: 1.5, jobs: 2, jobsWithoutHours: 0 },
        { kind: 'diagnosis', hours: 1, jobs: 2, jobsWithoutHours: 1 },
        { kind: 'menu', hours: 0, jobs: 2, jobsWithoutHours: 2 },
      ],
    }),
  );
  expect(week === null ? null : kindTexts(week, i18n.t, 'en')).toEqual([
    'waiters 1.5 h',
    'diagnosis 1+ h',
    'menu work 2 jobs',
  ]);
});

test('that the week decided is said where it did, and nowhere else', () => {
  const least = 'has had the least this week of those who fit equally well';
  const why = (decided: boolean) =>
    whyText(
      candidate(1, 'Ann', { week: { team: 3, teamHours: 9, hours: 1, jobs: 1, decided } }),
      null,
      i18n.t,
      'en',
    );
  expect(why(true)).toContain(least);
  expect(why(false)).not.toContain('this week');
  expect(reasonText(reasonsOf({ decided: true }), i18n.t, 'en')).toContain(least);
});
