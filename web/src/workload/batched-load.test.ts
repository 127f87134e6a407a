import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBatchedLoad, LOAD_INTERVAL_MS } from './batched-load.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a change after a pause loads at once', () => {
  const load = vi.fn(async () => undefined);
  createBatchedLoad(load).ask();
  expect(load).toHaveBeenCalledTimes(1);
});

test('a burst is loaded at once and then at most every half second', async () => {
  const load = vi.fn(async () => undefined);
  const loads = createBatchedLoad(load);
  for (let ms = 0; ms < 2_000; ms += 50) {
    loads.ask();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(load).toHaveBeenCalledTimes(2_000 / LOAD_INTERVAL_MS + 1);
});

test('the last change of a burst is loaded, and nothing after it', async () => {
  const load = vi.fn(async () => undefined);
  const loads = createBatchedLoad(load);
  loads.ask();
  loads.ask();
  await vi.advanceTimersByTimeAsync(LOAD_INTERVAL_MS - 1);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a change during a slow load is loaded after it, not in parallel', async () => {
  let finish = () => undefined as undefined;
  const load = vi.fn(
    () =>
      new Promise<void>((done) => {
        finish = () => void done();
      }),
  );
  const loads = createBatchedLoad(load);
  loads.ask();
  loads.ask();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(load).toHaveBeenCalledTimes(1);
  finish();
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(2);
});

test('a failed load does not prevent the next one', async () => {
  const load = vi.fn(async () => {
    throw new Error('away');
  });
  const loads = createBatchedLoad(load);
  loads.ask();
  await vi.advanceTimersByTimeAsync(LOAD_INTERVAL_MS);
  loads.ask();
  expect(load).toHaveBeenCalledTimes(2);
});

test('nothing is loaded after a stop', async () => {
  const load = vi.fn(async () => undefined);
  const loads = createBatchedLoad(load);
  loads.ask();
  loads.ask();
  loads.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
});
