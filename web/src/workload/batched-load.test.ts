import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBatchedLoad, LOAD_INTERVAL_MS } from './batched-load.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what comes after a pause is loaded at once', () => {
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

test('the last of a burst is not forgotten, and after it nothing is loaded any more', async () => {
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

test('what is told during a slow load is loaded after it, not beside it', async () => {
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

test('a load that failed does not keep the next from being made', async () => {
  const load = vi.fn(async () => {
    throw new Error('away');
  });
  const loads = createBatchedLoad(load);
  loads.ask();
  await vi.advanceTimersByTimeAsync(LOAD_INTERVAL_MS);
  loads.ask();
  expect(load).toHaveBeenCalledTimes(2);
});

test('whoever has stopped loads nothing', async () => {
  const load = vi.fn(async () => undefined);
  const loads = createBatchedLoad(load);
  loads.ask();
  loads.ask();
  loads.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
});
