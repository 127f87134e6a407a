import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { candidate } from '../api/candidate.fixture.ts';
import { fetchCandidates } from '../api/candidates.ts';
import { ApiError } from '../api/http.ts';
import { fetchTechnicians, type Row } from '../api/repair-orders.ts';
import { technician } from '../api/technician.fixture.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { closeDialog, currentDialog } from '../repair-order/open-dialog.ts';
import { type AssignedTechnician, type RepairOrder, toRepairOrder } from '../repair-order/order.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { TechnicianPicker } from './technician-picker.tsx';

vi.mock('../api/candidates.ts', () => ({ fetchCandidates: vi.fn() }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
}));

const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };

const pick = vi.fn<(action: 'assign' | 'unassign', technician: AssignedTechnician) => void>();
const close = vi.fn();
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(9)], seq: 1 }, 0));
  vi.mocked(fetchTechnicians)
    .mockReset()
    .mockResolvedValue([technician(4, 'Joe Marsh', 'Engine'), technician(5, 'Kim Ito', 'Diesel')]);
  vi.mocked(fetchCandidates)
    .mockReset()
    .mockResolvedValue([candidate(4, 'Joe Marsh'), candidate(5, 'Kim Ito')]);
  pick.mockReset();
});
afterEach(closeDialog);

/** Order 9 with these on it. */
const orderOf = (...technicians: Partial<Row>[]): RepairOrder => {
  const [first = {}, ...others] = technicians;
  return toRepairOrder([row(9, first), ...others.map((one) => row(9, one))]);
};

function Cell({ order }: { order: RepairOrder }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <button type="button" ref={setAnchor}>
        Technicians
      </button>
      {anchor !== null && (
        <TechnicianPicker order={order} anchor={anchor} concurrentChange="" pick={pick} close={close} />
      )}
    </>
  );
}

const cell = (order: RepairOrder) => (
  <QueryClientProvider client={client}>
    <Cell order={order} />
  </QueryClientProvider>
);

/** Opens the picker. What is returned puts others on the order. */
async function open(...technicians: Partial<Row>[]) {
  const { rerender } = render(cell(orderOf(...technicians)));
  // Here once the technicians are.
  await screen.findByRole('option', { name: 'More...' });
  expect(field()).toHaveFocus();
  return (...now: Partial<Row>[]) => rerender(cell(orderOf(...now)));
}

const field = () => screen.getByRole('combobox', { name: 'Technicians of RO 9' });
/** Whom Enter picks. */
const active = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;

test('by their name and Enter somebody is assigned', async () => {
  await open();
  expect(active()).toMatch(/^Joe Marsh/);
  await user.keyboard('kim{Enter}');
  expect(pick).toHaveBeenCalledExactlyOnceWith('assign', { id: 5, name: 'Kim Ito' });
});

test('by their name and Enter nobody is removed and no dialog opens, by an arrow key and Enter they are', async () => {
  await open(JOE);
  await user.keyboard('joe{Enter}');
  expect(active()).toBeUndefined();
  expect(pick).not.toHaveBeenCalled();
  expect(currentDialog()).toBeNull();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(pick).toHaveBeenCalledExactlyOnceWith('unassign', { id: 4, name: 'Joe Marsh' });
});

test('Enter alone removes nobody, where those who could get the order are not known', async () => {
  vi.mocked(fetchTechnicians).mockRejectedValue(new ApiError(0, 'network', 'gone'));
  await open(JOE);
  await user.keyboard('{Enter}');
  expect(pick).not.toHaveBeenCalled();
  expect(currentDialog()).toBeNull();
});

test('whom somebody else assigns while they are chosen is not removed by Enter, and nobody is assigned in their place', async () => {
  const assigned = await open();
  await user.keyboard('{ArrowDown}');
  expect(active()).toMatch(/^Kim Ito/);
  assigned(KIM);
  expect(active()).toBeUndefined();
  await user.keyboard('{Enter}');
  expect(pick).not.toHaveBeenCalled();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(active()).toMatch(/^Joe Marsh/);
  await user.keyboard('{Enter}');
  expect(pick).toHaveBeenCalledExactlyOnceWith('assign', { id: 4, name: 'Joe Marsh' });
});
