import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BATCH_INTERVAL_MS, type Batcher, createBatcher } from './batching.ts';

let landed: number[][];
let gathering: Batcher<number>;

beforeEach(() => {
  vi.useFakeTimers();
  landed = [];
  gathering = createBatcher((items) => landed.push([...items]));
});

afterEach(() => {
  vi.useRealTimers();
});

test('what comes after a pause lands at once', () => {
  gathering.add(1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS);
  gathering.add(2);
  expect(landed).toEqual([[1], [2]]);
});

test('what comes soon after lands together, in order, when it is time', () => {
  for (const item of [1, 2, 3]) gathering.add(item);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS - 1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(landed).toEqual([[1], [2, 3]]);
});

test('a steady stream lands no more often than that', () => {
  for (let item = 0; item < 100; item++) {
    gathering.add(item);
    vi.advanceTimersByTime(BATCH_INTERVAL_MS / 10);
  }
  expect(landed.length).toBe(11);
  expect(landed.flat()).toEqual(Array.from({ length: 100 }, (_, item) => item));
});

test('what waits lands when somebody needs it, and only once', () => {
  for (const item of [1, 2]) gathering.add(item);
  gathering.flush();
  expect(landed).toEqual([[1], [2]]);
  vi.advanceTimersByTime(2 * BATCH_INTERVAL_MS);
  gathering.flush();
  expect(landed).toEqual([[1], [2]]);
});

test('what comes while others land waits for the next time', () => {
  gathering = createBatcher((items) => {
    landed.push([...items]);
    if (items[0] === 1) gathering.add(2);
  });
  gathering.add(1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS);
  expect(landed).toEqual([[1], [2]]);
});

test('what waits when it ends is forgotten', () => {
  for (const item of [1, 2]) gathering.add(item);
  gathering.stop();
  vi.advanceTimersByTime(2 * BATCH_INTERVAL_MS);
  gathering.flush();
  expect(landed).toEqual([[1]]);
});
