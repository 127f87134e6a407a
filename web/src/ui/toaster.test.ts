import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { currentToast, dismissActions, dismissToast, showToast } from './toaster.ts';

/** How long a failure is in sight before a success takes its place (ms). */
const READ_MS = 2_000;
const undo = { label: 'Undo', otherWay: '', run: () => undefined };

const fail = (text: string) => showToast({ tone: 'destructive', text });
const inSight = () => {
  const toast = currentToast();
  return toast?.open === true ? toast.text : null;
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  // What waits is shown, and then forgotten.
  vi.runAllTimers();
  dismissToast(currentToast()?.id ?? 0);
  vi.runAllTimers();
  vi.useRealTimers();
});

test('a success takes the place of what is in sight at once, a failure too', () => {
  showToast({ text: 'saved' });
  showToast({ text: 'moved' });
  expect(inSight()).toBe('moved');
  fail('not saved');
  expect(inSight()).toBe('not saved');
});

test('a failure is in sight for two seconds before a success takes its place', () => {
  fail('not saved');
  vi.advanceTimersByTime(500);
  showToast({ text: 'moved' });
  vi.advanceTimersByTime(READ_MS - 501);
  expect(inSight()).toBe('not saved');
  vi.advanceTimersByTime(1);
  expect(inSight()).toBe('moved');
});

test('after that a success takes its place at once', () => {
  fail('not saved');
  vi.advanceTimersByTime(READ_MS);
  showToast({ text: 'moved' });
  expect(inSight()).toBe('moved');
});

test('one that was dismissed keeps no other waiting', () => {
  dismissToast(fail('not saved'));
  showToast({ text: 'moved' });
  expect(inSight()).toBe('moved');
});

test('of several that wait the latest comes', () => {
  fail('not saved');
  showToast({ text: 'moved' });
  vi.advanceTimersByTime(1_000);
  showToast({ text: 'assigned' });
  vi.advanceTimersByTime(READ_MS - 1_000);
  expect(inSight()).toBe('assigned');
  vi.advanceTimersByTime(READ_MS);
  expect(inSight()).toBe('assigned');
});

test('another failure takes its place at once, and has its own two seconds', () => {
  fail('not saved');
  showToast({ text: 'moved' });
  vi.advanceTimersByTime(1_500);
  fail('not assigned');
  expect(inSight()).toBe('not assigned');
  vi.advanceTimersByTime(READ_MS - 1);
  expect(inSight()).toBe('not assigned');
  vi.advanceTimersByTime(1);
  expect(inSight()).toBe('moved');
});

test('each has an id, also one that waits', () => {
  const failed = fail('not saved');
  expect(currentToast()?.id).toBe(failed);
  const moved = showToast({ text: 'moved' });
  expect(currentToast()?.id).toBe(failed);
  vi.advanceTimersByTime(READ_MS);
  expect(currentToast()?.id).toBe(moved);
});

test('actions are dismissed where they are in sight and where they wait, and what has none stays', () => {
  showToast({ text: 'moved', action: undo });
  dismissActions();
  expect(inSight()).toBeNull();

  fail('not saved');
  showToast({ text: 'assigned', action: undo });
  dismissActions();
  expect(inSight()).toBe('not saved');
  vi.advanceTimersByTime(READ_MS);
  expect(inSight()).toBe('not saved');

  fail('not moved');
  showToast({ text: 'copied' });
  dismissActions();
  vi.advanceTimersByTime(READ_MS);
  expect(inSight()).toBe('copied');
});
