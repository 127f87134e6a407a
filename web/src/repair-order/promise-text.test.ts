import { afterEach, beforeAll, expect, test } from 'vitest';
import type { OrderPromise, PromiseHistory } from '../api/promises.ts';
import { changeLanguage, i18n, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { movesText, promiseText } from './promise-text.ts';

const promise: OrderPromise = {
  roNumber: 4389,
  state: 'at-risk',
  reasons: ['does-not-fit'],
  promisedDateTime: '2026-03-02T15:00:00Z',
  readyAbout: '2026-03-02T16:36:00Z',
  beginBy: '2026-03-02T12:54:00Z',
  closesAt: '2026-03-02T18:00:00Z',
  finishedAt: null,
  freeAt: '2026-03-02T14:30:00Z',
  holdUntil: null,
  hoursBefore: 0,
  ordersBefore: 0,
  hoursLeft: 2.1,
  jobsLeft: 1,
  jobsOverHours: 0,
  jobsWithoutHours: 0,
  lateMs: null,
  technicianId: 7,
  technicianName: 'Tyler',
  technicians: 1,
};
const words = { t: i18n.t, locale: 'en', short: (at: number) => new Date(at).toISOString().slice(11, 16) };

beforeAll(() => loadTexts(stageTexts));
afterEach(() => changeLanguage('en'));

test('a promise at risk says what is left, who is free when, what was promised, and why', () => {
  expect(promiseText(promise, words)).toBe(
    '2.1 h left, Tyler is free from 14:30, promised 15:00, the work does not fit before it',
  );
});

test.each([
  ['en', 'Cannot be ready by 15:00: 2.1 h of work left, Tyler is free from 14:30'],
  ['de', 'Bis 15:00 nicht mehr zu schaffen: noch 2,1 h Arbeit, Tyler ist ab 14:30 frei'],
  [
    'es',
    'Ya no puede estar lista a tiempo (15:00): quedan 2,1 h de trabajo, Tyler está libre a partir de 14:30',
  ],
] as const)('one that its own work no longer fits before says so first (%s)', async (language, expected) => {
  await changeLanguage(language);
  expect(promiseText({ ...promise, beginBy: null }, { ...words, locale: language })).toBe(expected);
});

test('where the day ends first, that stays said', () => {
  expect(promiseText({ ...promise, reasons: ['day-ends'], beginBy: null }, words)).toBe(
    'Cannot be ready by 15:00: 2.1 h of work left, Tyler is free from 14:30, the day ends before it is done',
  );
});

test.each([
  ['only just fits, after hours', { reasons: ['tight'] }],
  ['waits for its hold', { reasons: ['hold-lasts'] }],
  ['has only unknown work left', { hoursLeft: 0 }],
  ['is late already', { state: 'late', reasons: [] }],
] satisfies [string, Partial<OrderPromise>][])('one that %s is not called impossible', (_, changes) => {
  expect(promiseText({ ...promise, beginBy: null, ...changes }, words)).toContain(' h left, Tyler');
});

test('what is not known is left out', () => {
  const unknown: OrderPromise = {
    ...promise,
    technicianName: null,
    freeAt: null,
    reasons: ['nobody-has-it'],
  };
  expect(promiseText(unknown, words)).toBe('2.1 h left, promised 15:00, nobody has it');
});

test('a hold and lateness are told with their figures', () => {
  const late: OrderPromise = {
    ...promise,
    state: 'late',
    reasons: [],
    holdUntil: '2026-03-02T14:00:00Z',
    lateMs: 3_900_000,
  };
  expect(promiseText(late, words)).toBe(
    '2.1 h left, on hold until 14:00, Tyler is free from 14:30, promised 15:00, late by 1 h 5 min',
  );
});

test('a finished car says when its work was done', () => {
  const finished: OrderPromise = { ...promise, finishedAt: '2026-03-02T14:10:00Z', reasons: [] };
  expect(promiseText(finished, words)).toBe('All jobs finished 14:10, promised 15:00');
});

test.each([
  [1, 90, 'Moved once, 1 h 30 min later than first said (12:30)'],
  [2, 150, 'Moved twice, 2 h 30 min later than first said (12:30)'],
  [3, -30, 'Moved 3 times, 30 min earlier than first said (12:30)'],
  [2, 0, 'Moved twice, now as first said'],
  [0, 0, null],
])('a promise that was moved %i times says how far: %i min', (count, minutes, expected) => {
  const [from, to] = ['2026-03-02T12:30:00Z', '2026-03-02T13:00:00Z'];
  const moved = { from, to, at: from, by: { uid: '', name: '' }, channel: 'import' } as const;
  const history: PromiseHistory = {
    firstPromised: from,
    promisedDateTime: to,
    laterMs: minutes * 60_000,
    moves: Array.from({ length: count }, () => moved),
  };
  expect(movesText(history, words)).toBe(expected);
});
