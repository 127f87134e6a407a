import { expect, test } from 'vitest';
import { boardFreshness } from './freshness.ts';

const at = (ms: number, whole: boolean, notRead = false) =>
  boardFreshness({ whole, notRead, rightAt: 1_000_000 }, 1_000_000 + ms);

test('a board is live while it is heard from', () => {
  expect(at(0, true)).toEqual({ kind: 'live' });
  expect(at(9_999, true)).toEqual({ kind: 'live' });
});

test('it is late when a tick is missing', () => {
  expect(at(10_000, true)).toEqual({ kind: 'late' });
  expect(at(19_999, true)).toEqual({ kind: 'late' });
});

test('a connection that is cut makes it late at once, and after ten seconds not live since it was last right', () => {
  expect(at(100, false)).toEqual({ kind: 'late' });
  expect(at(10_000, false)).toEqual({ kind: 'gone', since: 1_000_000 });
});

test('silence makes it not live after twenty', () => {
  expect(at(20_000, true)).toEqual({ kind: 'gone', since: 1_000_000 });
});

test('a server that cannot read its database makes it not live at once, however young the last message', () => {
  expect(at(0, true, true)).toEqual({ kind: 'gone', since: 1_000_000 });
});
