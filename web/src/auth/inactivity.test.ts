import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { INACTIVITY_MS } from '../api/last-activity.ts';
import { watchActivity } from './inactivity.ts';

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

test('two hours of inactivity sign out, once', () => {
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

test('activity in another tab counts as activity', () => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  localStorage.setItem('dispatch.last-activity', String(Date.now()));
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
});

test('an idle tab stays signed in with an active one, and both end together', () => {
  const idleOther = vi.fn();
  // Its timers are heard like those of the first; what it knows of the first it knows from the storage.
  const stopOther = watchActivity(idleOther);
  vi.advanceTimersByTime(INACTIVITY_MS / 2);
  window.dispatchEvent(new Event('keydown'));
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
  expect(idleOther).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(idle).toHaveBeenCalledTimes(1);
  expect(idleOther).toHaveBeenCalledTimes(1);
  stopOther();
});

test('a tab that slept while another was active stays signed in', () => {
  sleep(INACTIVITY_MS * 3);
  localStorage.setItem('dispatch.last-activity', String(Date.now() - 1_000));
  document.dispatchEvent(new Event('visibilitychange'));
  vi.advanceTimersByTime(INACTIVITY_MS - 1_001);
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(idle).toHaveBeenCalledTimes(1);
});

/** The clock goes on while the timers stand still. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

test.each([
  ['a touch', () => window.dispatchEvent(new Event('mousemove'))],
  ['a look', () => document.dispatchEvent(new Event('visibilitychange'))],
])('a %s after two hours of sleep signs out once instead of counting as activity', (_, wake) => {
  sleep(INACTIVITY_MS);
  wake();
  expect(idle).toHaveBeenCalledTimes(1);
  wake();
  vi.advanceTimersByTime(INACTIVITY_MS * 2);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('time asleep counts as inactivity', () => {
  sleep(INACTIVITY_MS - 60_000);
  vi.advanceTimersByTime(60_000);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a check before the two hours are over is not activity', () => {
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  document.dispatchEvent(new Event('visibilitychange'));
  expect(idle).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a page loaded after two hours of inactivity signs out at once', () => {
  stop();
  sleep(INACTIVITY_MS);
  stop = watchActivity(idle);
  expect(idle).toHaveBeenCalledTimes(1);
});

test('a page loaded within the two hours restarts them', () => {
  stop();
  sleep(INACTIVITY_MS - 1);
  stop = watchActivity(idle);
  vi.advanceTimersByTime(INACTIVITY_MS - 1);
  expect(idle).not.toHaveBeenCalled();
});
