import { describe, expect, test } from 'vitest';
import { GONE_AFTER_MS, LATE_AFTER_MS } from '../api/server-timing.ts';
import { computeFreshness, type FreshnessInputs } from './freshness.ts';

const AT = 1_000_000;
const LIVE: FreshnessInputs = {
  connection: 'greeted',
  behind: false,
  notReadSince: null,
  failure: null,
  lastAt: AT,
  any: true,
  catchingUpSince: null,
};
const NEW: FreshnessInputs = { ...LIVE, connection: 'lost', behind: true, any: false };

describe('the screen is', () => {
  test('connecting while no message has come and not much time has passed', () => {
    expect(computeFreshness(NEW, AT + LATE_AFTER_MS - 1)).toEqual({ kind: 'connecting' });
  });

  test('not live when no message comes at all', () => {
    expect(computeFreshness(NEW, AT + LATE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('live while connected and the last message is recent', () => {
    expect(computeFreshness(LIVE, AT + LATE_AFTER_MS - 1)).toEqual({ kind: 'live' });
  });

  test('late when the last message is older than ten seconds, and not live when nothing follows', () => {
    expect(computeFreshness(LIVE, AT + LATE_AFTER_MS)).toEqual({ kind: 'late', since: AT });
    expect(computeFreshness(LIVE, AT + GONE_AFTER_MS - 1)).toEqual({ kind: 'late', since: AT });
    expect(computeFreshness(LIVE, AT + GONE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('late as soon as the connection is cut, and not live when it is not back after ten seconds', () => {
    const cut: FreshnessInputs = { ...LIVE, connection: 'lost' };
    expect(computeFreshness(cut, AT + 10)).toEqual({ kind: 'late', since: AT });
    expect(computeFreshness(cut, AT + LATE_AFTER_MS)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live at once when the list cannot be loaded over a connection that was cut', () => {
    const cut: FreshnessInputs = { ...LIVE, connection: 'lost', failure: new Error('down') };
    expect(computeFreshness(cut, AT + 10)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live while events are missing or could not be loaded, however recent the last message', () => {
    const stale = { kind: 'stale', since: AT };
    expect(computeFreshness({ ...LIVE, behind: true }, AT + 10)).toEqual(stale);
    expect(computeFreshness({ ...LIVE, failure: new Error('down') }, AT + 10)).toEqual(stale);
  });

  test('catching up while missed events are on their way, and not live when that takes long', () => {
    const behind: FreshnessInputs = { ...LIVE, behind: true, catchingUpSince: AT + 60_000 };
    expect(computeFreshness(behind, AT + 71_999)).toEqual({ kind: 'catching-up', since: AT });
    expect(computeFreshness(behind, AT + 72_000)).toEqual({ kind: 'stale', since: AT });
  });

  test('not live when the server cannot read its database, whatever it sends', () => {
    const notRead: FreshnessInputs = { ...LIVE, lastAt: AT + 60_000, notReadSince: AT };
    expect(computeFreshness(notRead, AT + 60_001)).toEqual({ kind: 'not-read', since: AT });
    expect(computeFreshness({ ...NEW, connection: 'greeted', notReadSince: AT }, AT + 10)).toEqual({
      kind: 'not-read',
      since: AT,
    });
    expect(computeFreshness({ ...notRead, connection: 'lost' }, AT + 60_001)).toEqual({
      kind: 'stale',
      since: AT,
    });
  });

  test('not live since a moment of the server’s clock, and late by the age of the last message', () => {
    const ahead = 3_600_000;
    expect(computeFreshness(LIVE, AT + LATE_AFTER_MS - 1, ahead)).toEqual({ kind: 'live' });
    const stale = { kind: 'stale', since: AT + ahead };
    expect(computeFreshness(LIVE, AT + GONE_AFTER_MS, ahead)).toEqual(stale);
    const notRead: FreshnessInputs = { ...LIVE, notReadSince: AT + ahead };
    expect(computeFreshness(notRead, AT + 10, ahead)).toEqual({ kind: 'not-read', since: AT + ahead });
  });

  test('not live on an open connection before the server has greeted', () => {
    const open: FreshnessInputs = { ...LIVE, connection: 'open' };
    expect(computeFreshness(open, AT + 10).kind).not.toBe('live');
  });

  test('never catching up before it was live: that is connecting', () => {
    const open: FreshnessInputs = { ...NEW, connection: 'greeted', catchingUpSince: AT };
    expect(computeFreshness(open, AT + 10)).toEqual({ kind: 'connecting' });
  });

  test('disconnected when the first list could not be loaded', () => {
    expect(computeFreshness({ ...NEW, failure: new Error('down') }, AT + 10)).toEqual({
      kind: 'disconnected',
    });
  });
});
