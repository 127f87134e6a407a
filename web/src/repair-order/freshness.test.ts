import { describe, expect, test } from 'vitest';
import { FRESH_FOR_MS, freshness } from './freshness.ts';

const AT = 1_000_000;

describe('the screen is', () => {
  test('connecting while no message has come and not much time has passed', () => {
    expect(freshness({ connected: false, lastAt: AT, any: false }, AT + 11_999)).toEqual({
      kind: 'connecting',
    });
  });

  test('not live when no message comes at all', () => {
    expect(freshness({ connected: false, lastAt: AT, any: false }, AT + FRESH_FOR_MS)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('live while connected and the last message is young', () => {
    expect(freshness({ connected: true, lastAt: AT, any: true }, AT + 11_999)).toEqual({ kind: 'live' });
  });

  test('not live since the last message when that is old, even on an open connection', () => {
    expect(freshness({ connected: true, lastAt: AT, any: true }, AT + FRESH_FOR_MS)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('not live since the last message as soon as the connection is gone', () => {
    expect(freshness({ connected: false, lastAt: AT, any: true }, AT + 10)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });
});
