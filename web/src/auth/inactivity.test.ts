import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { INACTIVITY_MS, watchActivity } from './inactivity.ts';

let stop: () => void;
const idle = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  idle.mockReset();
  stop = watchActivity(idle);
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

test('two hours without a touch sign out, once', () => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(INACTIVITY_MS);
  expect(idle).toHaveBeenCalledTimes(1);
});

test.each(['mousedown', 'keydown', 'scroll', 'mousemove'])('a %s starts the two hours anew', (event) => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  window.dispatchEvent(new Event(event));
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('activity in another tab counts', () => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  localStorage.setItem('dispatch.last-activity', String(Date.now()));
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
});
