import { expect, test } from 'vitest';
import { Pager } from './pager.ts';

test('each page is shown for its time, and the first follows the last', () => {
  const pager = new Pager();
  const pageAfter = (seconds: number) => pager.pageAt(3, 15_000, 1_000 + seconds * 1_000);
  expect([0, 14, 15, 29, 30, 45].map(pageAfter)).toEqual([0, 0, 1, 1, 2, 0]);
});

test('the pager leaves a page that no longer exists, and never turns a single page', () => {
  const pager = new Pager();
  pager.pageAt(2, 5_000, 1_000);
  expect(pager.pageAt(2, 5_000, 6_000)).toBe(1);
  expect(pager.pageAt(1, 5_000, 7_000)).toBe(0);
  expect(pager.pageAt(1, 5_000, 90_000)).toBe(0);
  // A second page that comes later does not come up at once.
  expect(pager.pageAt(2, 5_000, 91_000)).toBe(0);
});
