import { beforeAll, expect, test } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import type { Hold } from '../api/stages.ts';
import { i18n, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { differences } from './differences.ts';
import { toRepairOrder } from './order.ts';
import { row } from './rows.fixture.ts';

const words = {
  now: Date.parse('2026-03-02T14:00:00Z'),
  short: (at: number) => new Date(at).toISOString().slice(11, 16),
  stageName: (id: string) => `the stage ${id}`,
};
const parts: Hold = { id: 3, reason: 'parts', whoActs: 'parts', since: '2026-03-02T13:00:00Z' };

beforeAll(() => loadTexts(stageTexts));

const order = (changes: Partial<Row>) => toRepairOrder([row(7, changes)]);
const between = (before: Partial<Row>, after: Partial<Row>) =>
  differences(order(before), order(after), i18n.t, words);

test('orders that are displayed alike have none', () => {
  expect(between({ version: 1 }, { version: 2 })).toEqual([]);
});

test('a change of the stage is one, with what the stages are called', () => {
  expect(between({ stage: 'wash' }, { stage: 'ready' })).toEqual([
    { field: 'stage', from: 'the stage wash', to: 'the stage ready' },
  ]);
  expect(between({}, { stage: 'ready' })).toEqual([{ field: 'stage', from: '–', to: 'the stage ready' }]);
});

test('a hold that begins or ends is one', () => {
  expect(between({}, { holds: [parts] })).toEqual([{ field: 'holds', from: '–', to: 'Parts' }]);
  expect(between({ holds: [parts] }, { holds: [] })).toEqual([{ field: 'holds', from: 'Parts', to: '–' }]);
});

test('another expected end, another note and another hold are one of the holds', () => {
  const later = { ...parts, expectedUntil: '2026-03-02T14:30:00Z', note: 'Water pump' };
  const other = { ...parts, id: 4, jobNumber: 2 };
  expect(between({ holds: [parts] }, { holds: [later, other] })).toEqual([
    { field: 'holds', from: 'Parts', to: 'Parts, until 14:30: Water pump; Parts (Job 2)' },
  ]);
});

test('only the fields that are asked for are compared', () => {
  const [before, after] = [order({}), order({ stage: 'wash', holds: [parts], priorityName: 'High' })];
  expect(differences(before, after, i18n.t, words, ['priority'])).toEqual([
    { field: 'priority', from: 'Low', to: 'High' },
  ]);
});
