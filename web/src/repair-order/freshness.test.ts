import { describe, expect, test } from 'vitest';
import { freshness, GONE_AFTER_MS, LATE_AFTER_MS, type Trust } from './freshness.ts';

const AT = 1_000_000;
const LIVE: Trust = {
  connection: 'greeted',
  behind: false,
  notReadSince: null,
  failure: null,
  lastAt: AT,
  any: true,
  catchingUpSince: null,
};
const NEW: Trust = { ...LIVE, connection: 'lost', behind: true, any: false };

describe('the screen is', () => {
  test('connecting while no message has come and not much time has passed', () => {
    expect(freshness(NEW, AT + LATE_AFTER_MS - 1)).toEqual({ kind: 'connecting' });
  });

  test('not live when no message comes at all', () => {
    expect(freshness(NEW, AT + LATE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('live while connected and the last message is young', () => {
    expect(freshness(LIVE, AT + LATE_AFTER_MS - 1)).toEqual({ kind: 'live' });
  });

  test('late when the last message is older than ten seconds, and not live when nothing follows', () => {
    expect(freshness(LIVE, AT + LATE_AFTER_MS)).toEqual({ kind: 'late', since: AT });
    expect(freshness(LIVE, AT + GONE_AFTER_MS - 1)).toEqual({ kind: 'late', since: AT });
    expect(freshness(LIVE, AT + GONE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('late as soon as the connection is cut, and not live when it is not back by ten seconds', () => {
    const cut: Trust = { ...LIVE, connection: 'lost' };
    expect(freshness(cut, AT + 10)).toEqual({ kind: 'late', since: AT });
    expect(freshness(cut, AT + LATE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live at once when the list cannot be loaded over a connection that was cut', () => {
    const cut: Trust = { ...LIVE, connection: 'lost', failure: new Error('down') };
    expect(freshness(cut, AT + 10)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live while something is missing or could not be loaded, however young the last message', () => {
    const stale = { kind: 'stale', since: AT };
    expect(freshness({ ...LIVE, behind: true }, AT + 10)).toEqual(stale);
    expect(freshness({ ...LIVE, failure: new Error('down') }, AT + 10)).toEqual(stale);
  });

  test('catching up while what is missing is on its way, and not live when that takes long', () => {
    const behind: Trust = { ...LIVE, behind: true, catchingUpSince: AT + 60_000 };
    expect(freshness(behind, AT + 71_999)).toEqual({ kind: 'catching-up', since: AT });
    expect(freshness(behind, AT + 72_000)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live since the server cannot read its database, whatever is heard of it', () => {
    const notRead: Trust = { ...LIVE, lastAt: AT + 60_000, notReadSince: AT };
    expect(freshness(notRead, AT + 60_001)).toEqual({ kind: 'not-read', since: AT });
    expect(freshness({ ...NEW, connection: 'greeted', notReadSince: AT }, AT + 10)).toEqual({
      kind: 'not-read',
      since: AT,
    });
    expect(freshness({ ...notRead, connection: 'lost' }, AT + 60_001)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live on an open connection before the server has greeted', () => {
    const open: Trust = { ...LIVE, connection: 'open' };
    expect(freshness(open, AT + 10).kind).not.toBe('live');
  });

  test('never catching up before it was live: that is connecting', () => {
    const open: Trust = { ...NEW, connection: 'greeted', catchingUpSince: AT };
    expect(freshness(open, AT + 10)).toEqual({ kind: 'connecting' });
  });

  test('disconnected when not even the first list could be loaded', () => {
    expect(freshness({ ...NEW, failure: new Error('down') }, AT + 10)).toEqual({ kind: 'disconnected' });
  });
});
