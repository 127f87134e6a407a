import { expect, test, vi } from 'vitest';
import { createListeners } from './listeners.ts';

test('tells everybody who listens, until they stop', () => {
  const { notify, subscribe } = createListeners<[string]>();
  const [one, other] = [vi.fn(), vi.fn()];
  const stop = subscribe(one);
  subscribe(other);
  notify('first');
  stop();
  notify('second');
  expect(one.mock.calls).toEqual([['first']]);
  expect(other.mock.calls).toEqual([['first'], ['second']]);
});

test('starts with the first listener and stops with the last', () => {
  const stop = vi.fn();
  const start = vi.fn(() => stop);
  const { subscribe } = createListeners(start);
  expect(start).not.toHaveBeenCalled();
  const leave = [subscribe(vi.fn()), subscribe(vi.fn())];
  expect(start).toHaveBeenCalledTimes(1);
  leave[0]?.();
  // Leaving twice counts once.
  leave[0]?.();
  expect(stop).not.toHaveBeenCalled();
  leave[1]?.();
  expect(stop).toHaveBeenCalledTimes(1);
  subscribe(vi.fn());
  expect(start).toHaveBeenCalledTimes(2);
});
