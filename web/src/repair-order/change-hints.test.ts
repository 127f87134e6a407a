import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followHints, HINT_WAIT_MS, type Hints } from './change-hints.ts';

let fetched: number[];
let answer: (() => void)[];
let hints: Hints;

beforeEach(() => {
  vi.useFakeTimers();
  fetched = [];
  answer = [];
  hints = followHints((roNumber) => {
    fetched.push(roNumber);
    return new Promise((done) => answer.push(done));
  });
});

afterEach(() => {
  hints.stop();
  vi.useRealTimers();
});

const later = () => vi.advanceTimersByTimeAsync(HINT_WAIT_MS);

test('a burst of hints about an order fetches it once, and another order separately', async () => {
  for (let hint = 0; hint < 10; hint++) hints.add(1);
  hints.add(2);
  await later();
  expect(fetched).toEqual([1, 2]);
});

test('hints that come while the order is fetched lead to one more fetch, after it', async () => {
  hints.add(1);
  await later();
  hints.add(1);
  hints.add(1);
  await later();
  expect(fetched).toEqual([1]);
  answer[0]?.();
  await later();
  expect(fetched).toEqual([1, 1]);
  answer[1]?.();
  await later();
  expect(fetched).toEqual([1, 1]);
});

test('an order whose rows arrive by message meanwhile is not fetched', async () => {
  hints.add(1);
  hints.landed(1);
  await later();
  expect(fetched).toEqual([]);
});

test('an order whose rows arrive by message during its fetch is not fetched again', async () => {
  hints.add(1);
  await later();
  hints.add(1);
  hints.landed(1);
  answer[0]?.();
  await later();
  expect(fetched).toEqual([1]);
});

test('a hint after the order has landed fetches it', async () => {
  hints.landed(1);
  hints.add(1);
  await later();
  expect(fetched).toEqual([1]);
});

test('nothing is fetched any more once the page has stopped listening', async () => {
  hints.add(1);
  await later();
  hints.add(1);
  hints.add(2);
  hints.stop();
  answer[0]?.();
  await later();
  expect(fetched).toEqual([1]);
});
