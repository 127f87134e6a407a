import { expect, test } from 'vitest';
import { dueAt } from './due-time.ts';

test('an order is due when it was promised, else at its ETA', () => {
  expect(dueAt({ promised: 5, eta: 3 })).toBe(5);
  expect(dueAt({ promised: null, eta: 3 })).toBe(3);
});
