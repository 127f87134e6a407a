import { expect, test } from 'vitest';
import { boardFreshness } from './freshness.ts';

const at = (ms: number, isComplete: boolean, notRead = false) =>
  boardFreshness({ isComplete, notRead, rightAt: 1_000_000 }, 1_000_000 + ms);

test('a board is live while it hears from the server', () => {
  expect(at(0, true)).toEqual({ kind: 'live' });
  expect(at(9_999, true)).toEqual({ kind: 'live' });
});

test('a board is late when a tick is missing', () => {
  expect(at(10_000, true)).toEqual({ kind: 'late' });
  expect(at(19_999, true)).toEqual({ kind: 'late' });
});

test('a cut connection makes a board late at once, and not live after ten seconds', () => {
  expect(at(100, false)).toEqual({ kind: 'late' });
  expect(at(10_000, false)).toEqual({ kind: 'gone', since: 1_000_000 });
});

test('twenty seconds of silence make a board not live', () => {
  expect(at(20_000, true)).toEqual({ kind: 'gone', since: 1_000_000 });
});

test('a server that cannot read its database makes a board not live at once, however recent the last message', () => {
  expect(at(0, true, true)).toEqual({ kind: 'gone', since: 1_000_000 });
});
