import { expect, test } from 'vitest';
import { displayedStatuses, priorities } from '../api/rules.ts';
import { isRankedByPriority, priorityUrgency, statusUrgency, urgency } from './urgency.ts';

const levels = priorities.map(({ name }) => name);

test('waiting customers come first, then drop-offs by their priority, used cars and PDI', () => {
  const all = displayedStatuses.flatMap((status) => levels.map((priority) => ({ status, priority })));
  const inOrder = all.toSorted((a, b) => urgency(a) - urgency(b));
  const expected = ['Waiting', 'Drop', 'Used', 'PDI'].flatMap((status) =>
    levels.map((priority) => ({ status, priority })),
  );
  expect(inOrder).toEqual(expected);
  expect(displayedStatuses.filter(isRankedByPriority)).toEqual(['Drop']);
  expect(isRankedByPriority('Towed')).toBe(false);
});

test('statuses and priorities each have an order of their own', () => {
  expect(displayedStatuses.toSorted((a, b) => statusUrgency(a) - statusUrgency(b))).toEqual([
    'Waiting',
    'Drop',
    'Used',
    'PDI',
  ]);
  expect(levels.map(priorityUrgency)).toEqual([0, 1, 2, 3]);
});
