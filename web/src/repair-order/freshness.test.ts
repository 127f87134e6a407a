import { describe, expect, test } from 'vitest';
import { FRESH_FOR_MS, freshness, type Trust } from './freshness.ts';

const AT = 1_000_000;
const LIVE: Trust = { connected: true, behind: false, failure: null, lastAt: AT, any: true };
const NEW: Trust = { ...LIVE, connected: false, behind: true, any: false };

describe('the screen is', () => {
  test('connecting while no message has come and not much time has passed', () => {
    expect(freshness(NEW, AT + 11_999)).toEqual({
      kind: 'connecting',
    });
  });

  test('not live when no message comes at all', () => {
    expect(freshness(NEW, AT + FRESH_FOR_MS)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('live while connected and the last message is young', () => {
    expect(freshness(LIVE, AT + 11_999)).toEqual({ kind: 'live' });
  });

  test('not live since the last message when that is old, even on an open connection', () => {
    expect(freshness(LIVE, AT + FRESH_FOR_MS)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('not live since the last message as soon as the connection is gone', () => {
    expect(freshness({ ...LIVE, connected: false }, AT + 10)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('not live while something is missing or could not be loaded, however young the last message', () => {
    const stale = { kind: 'stale', since: AT };
    expect(freshness({ ...LIVE, behind: true }, AT + 10)).toEqual(stale);
    expect(freshness({ ...LIVE, failure: new Error('down') }, AT + 10)).toEqual(stale);
  });

  test('disconnected when not even the first list could be loaded', () => {
    expect(freshness({ ...NEW, failure: new Error('down') }, AT + 10)).toEqual({ kind: 'disconnected' });
  });
});
