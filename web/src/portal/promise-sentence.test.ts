import { expect, test } from 'vitest';
import type { OrderPromise } from '../api/promises.ts';
import { i18n } from '../i18n/i18n.ts';
import { promiseSentence } from './promise-sentence.ts';

const PROMISED = '2026-03-02T15:00:00Z';

function risk(changes: Partial<OrderPromise>): OrderPromise {
  return {
    roNumber: 1,
    promisedDateTime: PROMISED,
    state: 'on-time',
    reasons: [],
    hoursLeft: 2.125,
    jobsLeft: 1,
    jobsWithoutHours: 0,
    jobsOverHours: 0,
    technicians: 1,
    technicianId: 7,
    technicianName: 'Maria Lopez',
    freeAt: null,
    hoursBefore: 0,
    ordersBefore: 0,
    holdUntil: null,
    closesAt: null,
    readyAbout: null,
    beginBy: null,
    finishedAt: null,
    lateMs: null,
    ...changes,
  };
}

function said(of: OrderPromise | null): string {
  const short = (at: number) => new Date(at).toISOString().slice(11, 16);
  return promiseSentence(of, Date.parse(PROMISED), { t: i18n.t, locale: 'en-US', short }).text;
}

test.each([
  ['nothing is known of it', null, 'Promised 15:00'],
  ['there is time', { beginBy: '2026-03-02T12:40:00Z' }, 'Begin by 12:40 to be ready by 15:00'],
  ['it is late', { state: 'late', lateMs: 60_000 }, 'Late since 15:00: 2.1 h of work left'],
  [
    'it was ready too late',
    { state: 'late', hoursLeft: 0, finishedAt: '2026-03-02T15:30:00Z' },
    'Late since 15:00',
  ],
  [
    'other cars come first',
    {
      state: 'at-risk',
      reasons: ['does-not-fit', 'tight'],
      freeAt: '2026-03-02T14:30:00Z',
      beginBy: '2026-03-02T12:52:00Z',
    },
    'At risk: 2.1 h of work left, free from 14:30, promised 15:00',
  ],
  [
    'a figure is missing',
    { state: 'at-risk', reasons: ['does-not-fit'], beginBy: '2026-03-02T12:52:00Z' },
    'At risk: 2.1 h of work left, promised 15:00',
  ],
  [
    "the technician's day ends sooner than the shop's",
    {
      state: 'at-risk',
      reasons: ['day-ends'],
      closesAt: '2026-03-02T18:00:00Z',
      beginBy: '2026-03-02T12:52:00Z',
    },
    'At risk: 2.1 h of work left, the day ends before it is done, promised 15:00',
  ],
  [
    'its own work does not fit any more',
    { state: 'at-risk', reasons: ['does-not-fit'], freeAt: '2026-03-02T14:30:00Z' },
    'At risk, cannot be ready by 15:00: 2.1 h of work left',
  ],
  [
    'hours are not known',
    { state: 'unknown', reasons: ['hours-unknown'], jobsWithoutHours: 2 },
    'Not certain: 2 jobs without sold hours, promised 15:00',
  ],
] satisfies [string, Partial<OrderPromise> | null, string][])('%s', (_, changes, sentence) => {
  expect(said(changes && risk(changes))).toBe(sentence);
});

const reasons: Record<OrderPromise['reasons'][number], true> = {
  'does-not-fit': true,
  'day-ends': true,
  'hold-lasts': true,
  tight: true,
  'nobody-has-it': true,
  'no-jobs': true,
  'hours-unknown': true,
  'hours-used-up': true,
  'queue-unknown': true,
  'hold-without-end': true,
  'not-clocked-in': true,
  'clocked-out': true,
};

test.each(Object.keys(reasons))('the reason %s is a sentence with every figure in it', (reason) => {
  const at = '2026-03-02T14:30:00Z';
  const figures = { beginBy: at, freeAt: at, closesAt: at, holdUntil: at, jobsWithoutHours: 1 };
  const text = said(
    risk({ state: 'at-risk', reasons: [reason as OrderPromise['reasons'][number]], ...figures }),
  );
  expect(text).toMatch(/^At risk: .+ promised 15:00$/);
  expect(text).not.toMatch(/\{\{|portal\./);
});
