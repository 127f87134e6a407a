import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ClosedOrder, fetchClosedOrders } from '../api/technicians.ts';
import { loadSavedScreen } from '../offline/saved-screens.ts';
import { closedJob, closedOrder } from './closed-orders.fixture.ts';
import { ClosedOrdersSheet } from './closed-orders-sheet.tsx';

vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchClosedOrders: vi.fn(),
}));
vi.mock('../offline/saved-screens.ts', async (original) => ({
  ...(await original<typeof import('../offline/saved-screens.ts')>()),
  loadSavedScreen: vi.fn(),
}));

const closed = [
  closedOrder(401, { jobs: [closedJob(1, { opcode: 'BRKF', concern: 'Squeaks', hasStory: false })] }),
  closedOrder(402, { displayNumber: 'C77', vehicle: '2019 Volkswagen Golf', customer: 'MÜLLER,ZOË' }),
];

async function open(answer: ClosedOrder[] = closed) {
  vi.mocked(fetchClosedOrders).mockResolvedValue(answer);
  return show();
}

async function show() {
  const openOrder = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <ClosedOrdersSheet technician={7} openOrder={openOrder} close={() => undefined} />
    </QueryClientProvider>,
  );
  const sheet = within(await screen.findByRole('dialog', { name: 'Finished cars' }));
  return { sheet, openOrder, user: userEvent.setup() };
}

test('what is typed narrows the list, and clearing it brings the whole list back', async () => {
  const { sheet, user } = await open();
  const cars = () => sheet.queryAllByRole('listitem').map((item) => item.textContent);
  const both = [expect.stringContaining('Smith, Jo'), expect.stringContaining('Golf')];
  await sheet.findAllByRole('listitem');
  expect(cars()).toEqual(both);
  const field = sheet.getByRole('textbox', { name: 'Find a car' });
  await user.type(field, 'golf MULLER');
  expect(cars()).toEqual([expect.stringContaining('C77')]);
  await user.clear(field);
  await user.type(field, 'squeaks');
  expect(cars()).toEqual([expect.stringContaining('401')]);
  await user.type(field, ' golf');
  expect(cars()).toEqual([]);
  expect(sheet.getByText('No finished car matches')).toBeInTheDocument();
  await user.click(sheet.getByRole('button', { name: 'Clear search' }));
  expect(field).toHaveValue('');
  expect(cars()).toEqual(both);
});

test('a found order opens by its key, whatever number is displayed', async () => {
  const { sheet, openOrder, user } = await open();
  await sheet.findAllByRole('listitem');
  await user.type(sheet.getByRole('textbox', { name: 'Find a car' }), 'c77');
  await user.click(sheet.getByRole('button', { name: /^C77/ }));
  expect(openOrder.mock.calls).toEqual([[402]]);
});

test('a job that was worked on without a story says that it is owed', async () => {
  const jobs = [
    closedJob(1, { opcode: 'DONE' }),
    closedJob(2, { opcode: 'OWED', hasStory: false }),
    closedJob(3, { opcode: 'OTHERS', workedOn: false, hasStory: false }),
  ];
  const { sheet } = await open([closedOrder(401, { jobs })]);
  const [car] = await sheet.findAllByRole('listitem');
  expect(car).toHaveTextContent(/1\. DONE 2\. OWED Story owed$/);
});

test('nothing closed is told apart from nothing found', async () => {
  const { sheet } = await open([]);
  expect(await sheet.findByText('No order of yours was closed in the last 30 days')).toBeInTheDocument();
});

test('without a connection the list is the last known one, and is searched all the same', async () => {
  vi.mocked(fetchClosedOrders).mockRejectedValue(new ApiError(0, 'network', 'Away.'));
  vi.mocked(loadSavedScreen).mockResolvedValue({ value: closed, at: Date.now() });
  const { sheet, user } = await show();
  expect(await sheet.findByText(/^Last known, of /)).toBeInTheDocument();
  await user.type(sheet.getByRole('textbox', { name: 'Find a car' }), 'golf');
  expect(sheet.getAllByRole('listitem')).toHaveLength(1);
});
