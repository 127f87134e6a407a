import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { type ClosedOrder, fetchClosedOrders } from '../api/technicians.ts';
import { closedJob, closedOrder } from './closed-orders.fixture.ts';
import type { PortalRights } from './portal-access.ts';
import { PortalHeader } from './portal-header.tsx';

vi.mock('../api/technicians.ts', async (original) => ({
  ...(await original<typeof import('../api/technicians.ts')>()),
  fetchClosedOrders: vi.fn(),
}));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => false }));

const own: PortalRights = { own: true, clock: true, entries: 'read', endsHolds: false };
const desk: PortalRights = { own: false, clock: false, entries: null, endsHolds: true };

const owed = { hasStory: false };
const one = closedOrder(1, { jobs: [closedJob(1, owed), closedJob(2)] });
const two = closedOrder(2, { jobs: [closedJob(1, owed), closedJob(2, owed)] });
const none = closedOrder(3, { jobs: [closedJob(1)] });

beforeEach(() => {
  vi.mocked(fetchClosedOrders).mockReset();
});

async function header(closed: ClosedOrder[], rights = own) {
  vi.mocked(fetchClosedOrders).mockResolvedValue(closed);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const open = vi.fn();
  render(
    <QueryClientProvider client={client}>
      <PortalHeader technician={7} rights={rights} title="Maria" specialty="" open={open} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  return open;
}

const finishedCars = () => screen.getByRole('button', { name: /^Finished cars/ });
const drawnCount = () => finishedCars().querySelector('[data-count]')?.getAttribute('data-count') ?? null;

test.each<[string, ClosedOrder[], string | null]>([
  ['Finished cars: 3 stories to write', [one, none, two], '3'],
  ['Finished cars: 1 story to write', [one], '1'],
  ['Finished cars', [none], null],
  ['Finished cars', [], null],
])('the finished cars are counted by the stories they are owed: “%s”', async (name, closed, count) => {
  await header(closed);
  await waitFor(() => expect(finishedCars()).toHaveAccessibleName(name));
  expect(vi.mocked(fetchClosedOrders).mock.calls.map(([technician]) => technician)).toEqual([7]);
  expect(drawnCount()).toBe(count);
});

test('the count opens the finished cars', async () => {
  const open = await header([one]);
  await userEvent.click(await screen.findByRole('button', { name: 'Finished cars: 1 story to write' }));
  expect(open.mock.calls).toEqual([[{ kind: 'closed-orders' }]]);
});

test('the desk, which writes no stories for them, sees no count and asks for none', async () => {
  await header([one, two], desk);
  expect(finishedCars()).toHaveAccessibleName('Finished cars');
  expect(drawnCount()).toBeNull();
  expect(fetchClosedOrders).not.toHaveBeenCalled();
});
