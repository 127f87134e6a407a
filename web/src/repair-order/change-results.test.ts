import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ChangedResult } from '../api/repair-orders.ts';
import { noteServerTime } from '../api/server-time.ts';
import { landResults } from './change-results.ts';
import { cachedOrders, openOrders } from './live-orders.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { recordChange } from './recent-changes.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u1', name: 'Dana' } }),
}));

/** The device's clock is an hour slow. */
const DEVICE = Date.parse('2026-03-02T14:00:00Z');
const SERVER = DEVICE + 3_600_000;
const changed: ChangedResult = { ok: true, roNumber: 7, rows: [row(7, { version: 2 })], version: 2, seq: 9 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: DEVICE });
  noteServerTime(new Date(SERVER).toISOString());
});
afterEach(() => vi.useRealTimers());

test('a change of the user’s own bears the server’s time, as those of others do', () => {
  const client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  landResults(client, [changed]);
  expect(cachedOrders(client).open.get(7)?.by).toEqual({ person: { uid: 'u1', name: 'Dana' }, at: SERVER });
});

test('the last changes are listed with the server’s time', () => {
  expect(recordChange([changed], new Map(), null)?.at).toBe(SERVER);
});
