import { expect, test } from 'vitest';
import { completeTo, heard, isAnotherLog, isBehind, listed, newStream, pulsed } from './stream.ts';

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

test('a server that lacks what was agreed with it has another log', () => {
  const stream = pulsed(heard(pulsed(listed(newStream, 10), 10), 12), 12);
  expect(isAnotherLog(stream, 11)).toBe(true);
  expect(isAnotherLog(stream, 12)).toBe(false);
});

test('a list that is a moment ahead of the greeting is no sign of another log', () => {
  const stream = listed(pulsed(listed(newStream, 10), 10), 12);
  expect(isAnotherLog(stream, 11)).toBe(false);
});
