// Whom an advisor has called, and who is called by a press that was one too many.
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type CustomersToCall, fetchCustomersToCall, recordCall } from '../api/customer-calls.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { press, pressElsewhere } from '../ui/double-click.fixture.ts';
import { CustomerList } from './customer-list.tsx';
import { customersOf, useRecordCall } from './customers.ts';

vi.mock('../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../api/customer-calls.ts', () => ({ fetchCustomersToCall: vi.fn(), recordCall: vi.fn() }));

const rows = [row(7, { customer: 'Ada Lovelace' }), row(8, { customer: 'Grace Hopper' })];
const orders = new Map(rows.map((one) => [one.repairOrderNumber, toRepairOrder([one])]));
const NOON = '2026-03-02T12:00:00Z';

/** Ada and Grace; `called`: about whom somebody was called already. */
function listOf(...called: number[]): CustomersToCall {
  return {
    advisor: 'Dana Whitfield',
    advisors: [],
    result: [7, 8].map((roNumber) => ({
      roNumber,
      version: 1,
      promise: null,
      reasons: [{ reason: 'ready', since: NOON, calledAt: called.includes(roNumber) ? NOON : null }],
    })),
  };
}

function Screen() {
  const { data } = useQuery(customersOf(null));
  const call = useRecordCall(null);
  const customers = (data?.result ?? []).flatMap((customer) => {
    const order = orders.get(customer.roNumber);
    return order === undefined ? [] : [{ customer, order }];
  });
  return <CustomerList customers={customers} call={call} />;
}

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter>
        <Screen />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: /^Mark as called: Ada/ });
}

const called = (name: string) => screen.getByRole('button', { name: new RegExp(`^Mark as called: ${name}`) });
const calledAbout = () => vi.mocked(recordCall).mock.calls.map(([{ roNumber }]) => roNumber);

beforeAll(() => loadTexts(stageTexts));
beforeEach(() => {
  vi.mocked(fetchCustomersToCall).mockReset().mockResolvedValueOnce(listOf()).mockResolvedValue(listOf(7));
  vi.mocked(recordCall)
    .mockReset()
    .mockImplementation(async ({ roNumber }) => [
      { ok: true, roNumber, version: 2, seq: 2, rows: [row(roNumber, { version: 2 })] },
    ]);
  pressElsewhere();
});

test('a double press does not mark the customer as called who comes in the place of the first', async () => {
  await open();
  press(called('Ada'), 'mouse', 1);
  const section = await screen.findByRole('region', { name: 'Called 1' });
  expect(within(section).getByText('Ada Lovelace')).toBeInTheDocument();
  press(called('Grace'), 'mouse', 2);
  await act(async () => undefined);
  expect(calledAbout()).toEqual([7]);
});

test('the button is busy until the list has been asked for again', async () => {
  let answer: (list: CustomersToCall) => void = () => undefined;
  vi.mocked(fetchCustomersToCall)
    .mockReset()
    .mockResolvedValueOnce(listOf())
    .mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
  await open();
  press(called('Ada'), 'mouse', 1);
  press(called('Ada'), 'mouse', 2);
  await vi.waitFor(() => expect(fetchCustomersToCall).toHaveBeenCalledTimes(2));
  expect(called('Ada')).toHaveAttribute('aria-disabled', 'true');
  press(called('Ada'), 'mouse', 1);
  expect(calledAbout()).toEqual([7]);
  await act(async () => answer(listOf(7)));
  expect(await screen.findByRole('region', { name: 'Called 1' })).toBeInTheDocument();
  expect(called('Grace')).not.toHaveAttribute('aria-disabled');
});
