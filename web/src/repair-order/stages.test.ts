import { describe, expect, test } from 'vitest';
import { toRepairOrder } from './order.ts';
import { row } from './rows.fixture.ts';
import { someStages, stage } from './stages.fixture.ts';
import { isTooLong, stageName, stageNameById, stagesInUse } from './stages.ts';

const MINUTE = 60_000;
const SINCE = Date.parse('2026-03-02T14:00:00Z');

describe('the stages of a shop', () => {
  test('are none where the shop does not use them', () => {
    expect(stagesInUse({ ...someStages, enabled: false })).toBeNull();
  });

  test('keep deleted ones, which no order is moved to', () => {
    const stages = stagesInUse(someStages);
    expect(stages?.byId.get('polish')?.deleted).toBe(true);
    expect(stages?.current.map(({ id }) => id)).toEqual([
      'to-be-dispatched',
      'in-diagnosis',
      'waiting-for-parts',
      'in-work',
      'ready',
    ]);
  });

  test('are called as the page speaks', () => {
    expect(stageName(stage('wash'), 'de')).toBe('wash (de)');
    expect(stageName(stage('wash'), 'fr')).toBe('wash');
  });

  test('one that is not in the list yet is called by its id', () => {
    const stages = stagesInUse(someStages);
    expect(stages && stageNameById(stages, 'detail-bay', 'en')).toBe('detail-bay');
    expect(stages && stageNameById(stages, 'ready', 'es')).toBe('Ready (es)');
  });
});

describe('too long in a stage', () => {
  const order = { stageSince: SINCE };

  test('is longer than the shop finds right', () => {
    const anHour = stage('to-be-dispatched', { tooLongMinutes: 60 });
    expect(isTooLong(order, anHour, SINCE + 60 * MINUTE)).toBe(false);
    expect(isTooLong(order, anHour, SINCE + 60 * MINUTE + 1)).toBe(true);
  });

  test('is never where the shop names no time or nobody knows since when', () => {
    expect(isTooLong(order, stage('sublet'), SINCE + 9_999 * MINUTE)).toBe(false);
    expect(isTooLong({ stageSince: null }, stage('sublet', { tooLongMinutes: 1 }), SINCE)).toBe(false);
  });
});

test('an order of a shop without stages has none and waits for nothing', () => {
  expect(toRepairOrder([row(1)])).toMatchObject({ stage: null, stageSince: null, holds: [] });
});

test('an order says where it stands, since when, and what it waits for', () => {
  const hold = { id: 1, reason: 'parts', whoActs: 'parts', since: '2026-03-02T14:00:00Z' } as const;
  const [stands] = [
    row(1, { stage: 'waiting-for-parts', stageSince: '2026-03-02T14:00:00Z', holds: [hold] }),
  ];
  expect(toRepairOrder([stands])).toMatchObject({
    stage: 'waiting-for-parts',
    stageSince: SINCE,
    holds: [hold],
  });
});
