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

/** The clock goes on while the timers stand still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

test.each([
  ['a touch', () => window.dispatchEvent(new Event('mousemove'))],
  ['a look', () => document.dispatchEvent(new Event('visibilitychange'))],
])('%s after two hours of sleep signs out, once, before it counts as activity', (_, wake) => {
  sleep(INACTIVITY_MS);
  wake();
  expect(idle).toHaveBeenCalledTimes(1);
  wake();
  vi.advanceTimersByTime(INACTIVITY_MS * 2);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a look after less than that is no activity', () => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a page that is loaded after the two hours signs out at once', () => {
  stop();
  sleep(INACTIVITY_MS);
  stop = watchActivity(idle);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a page that is loaded within them starts them anew', () => {
  stop();
  sleep(INACTIVITY_MS - 1);
  stop = watchActivity(idle);
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
});
