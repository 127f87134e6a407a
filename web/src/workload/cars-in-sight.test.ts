import { expect, test } from 'vitest';
import { carsInSight } from './cars-in-sight.ts';

test.each([
  ['a wide screen', 715, 4, 'calc((100% - 68px) / 4)'],
  ['a desk screen with narrow columns', 571, 3, 'calc((100% - 62px) / 3)'],
  // The button that shows the rest takes the place of a car in the second line.
  ['a phone', 344, 3, 'calc((100% - 6px) / 2)'],
  ['next to no room', 100, 1, 'calc((100% - 0px) / 1)'],
])('%s has room for some cars of one width', (_, width, count, carWidth) => {
  expect(carsInSight(width)).toEqual({ count, carWidth });
});
