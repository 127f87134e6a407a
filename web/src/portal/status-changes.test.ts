import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import type { Row } from '../api/repair-orders.ts';
import { currentOutbox, type Mutation, QUEUED, submit } from '../offline/outbox.ts';
import { currentFreshness } from '../repair-order/freshness.ts';
import { cachedOrders, openOrders } from '../repair-order/live-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { useRecentChanges } from '../repair-order/recent-changes.ts';
import { row } from '../repair-order/rows.fixture.ts';
import type { DisplayedStatus } from '../repair-order/statuses.ts';
import { currentToast, dismissToast } from '../ui/toaster.ts';
import { addRefusedChange } from './refused-changes.ts';
import { pickStatus, useLateChanges } from './status-changes.ts';

vi.mock('../offline/outbox.ts', async (original) => ({
  ...(await original<typeof import('../offline/outbox.ts')>()),
  submit: vi.fn(),
  currentOutbox: vi.fn(),
  onLateAnswer: (listener: typeof answerLate) => {
    answerLate = listener;
    return () => undefined;
  },
}));

let answerLate: (mutation: Mutation, answer: unknown) => void;
vi.mock('../repair-order/freshness.ts', async (original) => ({
  ...(await original<typeof import('../repair-order/freshness.ts')>()),
  currentFreshness: vi.fn(),
}));
vi.mock('./refused-changes.ts', async (original) => ({
  ...(await original<typeof import('./refused-changes.ts')>()),
  addRefusedChange: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  isConnected: () => true,
  sendNotice: async () => undefined,
}));

let client: QueryClient;
const submitted = vi.mocked(submit);

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  submitted.mockReset().mockResolvedValue(QUEUED);
  vi.mocked(addRefusedChange).mockReset();
  vi.mocked(currentOutbox).mockReturnValue({ waiting: [], underWay: 0, refused: [] });
  vi.mocked(currentFreshness).mockReturnValue({ kind: 'live' });
  dismissToast(currentToast()?.id ?? -1);
});

const wrapper = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client }, children);

/** The order on screen, with the status that it is shown with. */
const shown = (status: DisplayedStatus = 'Drop') => ({ ...toRepairOrder([row(7)]), status });

const sent = () => submitted.mock.calls.map(([{ body }]) => (body as { data: readonly object[] }).data[0]);

function stale(changes: Partial<Row>): ApiError {
  const rows = [row(7, { version: 2, ...changes })];
  const changedBy = { uid: 'u2', name: 'Ben' };
  const current = { rows, version: 2, changedBy, changedAt: '2026-03-02T15:00:00Z' };
  const refused = { ok: false, code: 'stale-version', error: 'Stale.', roNumber: 7, current } as const;
  return new ApiError(409, 'stale-version', 'Stale.', refused);
}

test('on a live page the change names the version that it was decided on', async () => {
  await pickStatus(client, shown(), 'PDI');
  expect(sent()).toEqual([{ repairOrderNumber: '7', idStatus: '13', expectedVersion: 1 }]);
});

test('without a connection the change applies to any version, and picking the former status takes it back', async () => {
  vi.mocked(currentFreshness).mockReturnValue({ kind: 'stale', since: 0 });
  await pickStatus(client, shown(), 'PDI');
  await pickStatus(client, shown('PDI'), 'Drop');
  expect(sent()).toEqual([
    { repairOrderNumber: '7', idStatus: '13', expectedVersion: null },
    { repairOrderNumber: '7', idStatus: '10', expectedVersion: null },
  ]);
});

test('while another change is under way, the change applies to any version', async () => {
  vi.mocked(currentOutbox).mockReturnValue({ waiting: [], underWay: 1, refused: [] });
  await pickStatus(client, shown(), 'PDI');
  expect(sent()).toEqual([{ repairOrderNumber: '7', idStatus: '13', expectedVersion: null }]);
});

test('an order that only the last saved list has is changed in any version', async () => {
  client.clear();
  await pickStatus(client, shown(), 'PDI');
  expect(sent()).toEqual([{ repairOrderNumber: '7', idStatus: '13', expectedVersion: null }]);
});

test('a pick that was sent later is among the last changes, with what was displayed before it', async () => {
  await pickStatus(client, shown(), 'PDI');
  const [sentLater] = submitted.mock.calls[0] ?? [];
  const changes = renderHook(
    () => {
      useLateChanges();
      return useRecentChanges();
    },
    { wrapper },
  );
  expect(changes.result.current).toEqual([]);
  const rows = [row(7, { version: 2, appCustomerStatus: 'PDI' })];
  act(() =>
    answerLate(sentLater as Mutation, { result: [{ roNumber: 7, ok: true, version: 2, seq: 2, rows }] }),
  );
  expect(cachedOrders(client).open.get(7)?.order.status).toBe('PDI');
  expect(changes.result.current).toMatchObject([
    { seq: 2, orders: [{ before: { status: 'Drop' }, after: { status: 'PDI' } }] },
  ]);
});

test('the toast has Undo', async () => {
  const rows = [row(7, { version: 2, appCustomerStatus: 'PDI' })];
  submitted.mockResolvedValueOnce({ result: [{ roNumber: 7, ok: true, version: 2, seq: 2, rows }] });
  await pickStatus(client, shown(), 'PDI');
  expect(cachedOrders(client).open.get(7)?.order.status).toBe('PDI');
  expect(currentToast()).toMatchObject({
    text: 'Status updated to PDI and priority set to Low',
    action: { label: 'Undo' },
  });
});

test('somebody else’s status on the way is explained above the list', async () => {
  submitted.mockRejectedValueOnce(stale({ appCustomerStatus: 'Used' }));
  await pickStatus(client, shown(), 'PDI');
  expect(addRefusedChange).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ about: { kind: 'status', roNumber: 7, detail: 'PDI' } }),
    expect.objectContaining({ message: 'Ben set RO 7 to Used.' }),
  );
});

test('somebody else’s priority on the way is no obstacle', async () => {
  submitted.mockRejectedValueOnce(stale({ priorityName: 'High' }));
  await pickStatus(client, shown(), 'PDI');
  expect(sent()).toMatchObject([{ expectedVersion: 1 }, { expectedVersion: 2 }]);
  expect(addRefusedChange).not.toHaveBeenCalled();
});
