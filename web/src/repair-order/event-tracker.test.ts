import { expect, test } from 'vitest';
import {
  completeUpTo,
  isBehind,
  newEventTracker,
  withEvent,
  withList,
  withServerSeq,
} from './event-tracker.ts';

test('a list and the events that follow it are complete', () => {
  const stream = withEvent(withEvent(withServerSeq(withList(newEventTracker, 10), 10), 11), 12);
  expect(completeUpTo(stream)).toBe(12);
  expect(isBehind(withServerSeq(stream, 12))).toBe(false);
});

test('a hello ahead of the list means something was missed', () => {
  expect(isBehind(withServerSeq(withList(newEventTracker, 10), 11))).toBe(true);
});

test('an event after a gap does not hide the gap', () => {
  const stream = withEvent(withServerSeq(withList(newEventTracker, 10), 15), 16);
  expect(isBehind(stream)).toBe(true);
  expect(completeUpTo(stream)).toBe(10);
});

test('a list that began before the gap was known does not close it', () => {
  const stream = withServerSeq(newEventTracker, 15);
  expect(isBehind(withList(stream, 14))).toBe(true);
  expect(isBehind(withList(stream, 15))).toBe(false);
});

test('once the list has reached the gap, the events received since count again', () => {
  expect(completeUpTo(withList(withEvent(withServerSeq(withList(newEventTracker, 10), 15), 16), 15))).toBe(
    16,
  );
});

test('a tick ahead of the received events means an event was lost', () => {
  const stream = withEvent(withServerSeq(withList(newEventTracker, 10), 10), 11);
  expect(isBehind(withServerSeq(stream, 12))).toBe(true);
});
