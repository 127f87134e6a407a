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

test('an item after a pause lands at once', () => {
  gathering.add(1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS);
  gathering.add(2);
  expect(landed).toEqual([[1], [2]]);
});

test('items in quick succession land together and in order at the next interval', () => {
  for (const item of [1, 2, 3]) gathering.add(item);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS - 1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(1);
  expect(landed).toEqual([[1], [2, 3]]);
});

test('a steady stream lands once per interval', () => {
  for (let item = 0; item < 100; item++) {
    gathering.add(item);
    vi.advanceTimersByTime(BATCH_INTERVAL_MS / 10);
  }
  expect(landed.length).toBe(11);
  expect(landed.flat()).toEqual(Array.from({ length: 100 }, (_, item) => item));
});

test('a flush lands the waiting items, and only once', () => {
  for (const item of [1, 2]) gathering.add(item);
  gathering.flush();
  expect(landed).toEqual([[1], [2]]);
  vi.advanceTimersByTime(2 * BATCH_INTERVAL_MS);
  gathering.flush();
  expect(landed).toEqual([[1], [2]]);
});

test('an item added while others land waits for the next interval', () => {
  gathering = createBatcher((items) => {
    landed.push([...items]);
    if (items[0] === 1) gathering.add(2);
  });
  gathering.add(1);
  expect(landed).toEqual([[1]]);
  vi.advanceTimersByTime(BATCH_INTERVAL_MS);
  expect(landed).toEqual([[1], [2]]);
});

test('stopping drops the waiting items', () => {
  for (const item of [1, 2]) gathering.add(item);
  gathering.stop();
  vi.advanceTimersByTime(2 * BATCH_INTERVAL_MS);
  gathering.flush();
  expect(landed).toEqual([[1]]);
});
