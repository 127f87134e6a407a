import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import type { Row } from '../api/repair-orders.ts';
import { currentOutbox, submit } from '../offline/outbox.ts';
import { currentFreshness } from '../repair-order/freshness.ts';
import { cachedOrders, openOrders } from '../repair-order/live-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { currentToast, dismissToast } from '../ui/toaster.ts';
import { addRefusedChange } from './refused-changes.ts';
import { type StageTap, useStageTap, useUnansweredStageTaps } from './stage-taps.ts';

vi.mock('../offline/outbox.ts', async (original) => ({
  ...(await original<typeof import('../offline/outbox.ts')>()),
  submit: vi.fn(),
  currentOutbox: vi.fn(),
}));
vi.mock('../repair-order/freshness.ts', async (original) => ({
  ...(await original<typeof import('../repair-order/freshness.ts')>()),
  currentFreshness: vi.fn(),
}));
vi.mock('./refused-changes.ts', async (original) => ({
  ...(await original<typeof import('./refused-changes.ts')>()),
  addRefusedChange: vi.fn(),
}));

let client: QueryClient;
const submitted = vi.mocked(submit);
const inWork = row(7, { stage: 'in-work' });
const parts: StageTap = { kind: 'hold', reason: 'parts' };

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [inWork], seq: 1 }, 0));
  submitted.mockReset();
  vi.mocked(addRefusedChange).mockReset();
  vi.mocked(currentOutbox).mockReturnValue({ waiting: [], underWay: 0, refused: [] });
  vi.mocked(currentFreshness).mockReturnValue({ kind: 'live' });
  dismissToast(currentToast()?.id ?? -1);
});

const wrapper = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client }, children);

async function say(tap: StageTap): Promise<void> {
  const { result } = renderHook(() => useStageTap(), { wrapper });
  await act(async () => result.current(toRepairOrder([inWork]), tap));
}

const sent = () => submitted.mock.calls.map(([{ path, body }]) => [path, body]);
const answer = (changes: Partial<Row>) => ({
  result: { roNumber: 7, ok: true, version: 2, seq: 2, rows: [row(7, { version: 2, ...changes })] },
});

function stale(changes: Partial<Row>): ApiError {
  const rows = [row(7, { version: 2, ...changes })];
  const changedBy = { uid: 'u2', name: 'Ben' };
  const current = { rows, version: 2, changedBy, changedAt: '2026-03-02T15:00:00Z' };
  const refused = { ok: false, code: 'stale-version', error: 'Stale.', roNumber: 7, current } as const;
  return new ApiError(409, 'stale-version', 'Stale.', refused);
}

test('each tap is one request, with the version that it was decided on', async () => {
  submitted.mockResolvedValue(answer({ stage: 'in-work' }));
  await say({ kind: 'hold', reason: 'approval', jobNumber: 2, note: 'Pads' });
  await say({ kind: 'check' });
  await say({
    kind: 'end-hold',
    hold: { id: 3, reason: 'parts', whoActs: 'parts', since: '2026-03-02T14:00:00Z' },
  });
  expect(sent()).toEqual([
    ['/api/repair-orders/7/holds', { reason: 'approval', jobNumber: 2, note: 'Pads', expectedVersion: 1 }],
    ['/api/repair-orders/7/stage', { stage: 'quality-check', expectedVersion: 2 }],
    ['/api/repair-orders/7/holds/3/end', { expectedVersion: 2 }],
  ]);
});

test('the answer lands at once, and the toast has Undo', async () => {
  submitted.mockResolvedValue(answer({ stage: 'waiting-for-parts' }));
  await say(parts);
  expect(cachedOrders(client).open.get(7)?.order.stage).toBe('waiting-for-parts');
  expect(currentToast()).toMatchObject({ text: 'RO 7 waits for parts', action: { label: 'Undo' } });
});

test('somebody’s change of something else is no obstacle', async () => {
  submitted.mockRejectedValueOnce(stale({ stage: 'in-work', priorityName: 'High' }));
  submitted.mockResolvedValueOnce(answer({ stage: 'waiting-for-parts' }));
  await say(parts);
  expect(sent()).toMatchObject([
    ['/api/repair-orders/7/holds', { expectedVersion: 1 }],
    ['/api/repair-orders/7/holds', { expectedVersion: 2 }],
  ]);
  expect(addRefusedChange).not.toHaveBeenCalled();
});

test('a car that somebody moved meanwhile stays there, and the technician reads who it was', async () => {
  submitted.mockRejectedValueOnce(stale({ stage: 'wash' }));
  await say({ kind: 'check' });
  expect(submitted).toHaveBeenCalledTimes(1);
  expect(addRefusedChange).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ about: { kind: 'stage', roNumber: 7, detail: 'quality-check' } }),
    expect.objectContaining({ message: 'Ben changed where RO 7 stands in the meantime.' }),
  );
});

test('a car on hold is refused in plain words', async () => {
  submitted.mockRejectedValueOnce(new ApiError(409, 'on-hold', 'Repair order 7 is held in its stage.'));
  await say({ kind: 'check' });
  expect(addRefusedChange).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    expect.objectContaining({ message: 'The car still waits. The desk ends the hold first.' }),
  );
});

test('a tap shows as made until it is answered', async () => {
  let answered: (answer: unknown) => void = () => undefined;
  submitted.mockReturnValue(new Promise((done) => (answered = done)));
  const { result } = renderHook(() => ({ tap: useStageTap(), unanswered: useUnansweredStageTaps().get(7) }), {
    wrapper,
  });
  act(() => result.current.tap(toRepairOrder([inWork]), parts));
  expect(result.current.unanswered).toEqual([{ said: 'parts', jobNumber: null, isQueued: false }]);
  await act(async () => answered(answer({ stage: 'waiting-for-parts' })));
  expect(result.current.unanswered).toBeUndefined();
});
