import { expect, test } from 'vitest';
import { completeTo, heard, isBehind, listed, newStream, pulsed } from './event-tracker.ts';

test('a list and the events that follow it are complete', () => {
  const stream = heard(heard(pulsed(listed(newStream, 10), 10), 11), 12);
  expect(completeTo(stream)).toBe(12);
  expect(isBehind(pulsed(stream, 12))).toBe(false);
});

test('a hello ahead of the list means something was missed', () => {
  expect(isBehind(pulsed(listed(newStream, 10), 11))).toBe(true);
});

test('an event after a gap does not hide the gap', () => {
  const stream = heard(pulsed(listed(newStream, 10), 15), 16);
  expect(isBehind(stream)).toBe(true);
  expect(completeTo(stream)).toBe(10);
});

test('a list that began before the gap was known does not close it', () => {
  const stream = pulsed(newStream, 15);
  expect(isBehind(listed(stream, 14))).toBe(true);
  expect(isBehind(listed(stream, 15))).toBe(false);
});

test('once the list has reached the gap, what was heard since counts again', () => {
  expect(completeTo(listed(heard(pulsed(listed(newStream, 10), 15), 16), 15))).toBe(16);
});

test('a tick ahead of what was heard means an event was lost', () => {
  const stream = heard(pulsed(listed(newStream, 10), 10), 11);
  expect(isBehind(pulsed(stream, 12))).toBe(true);
});
