// The desk's search and filters, as somebody at the keyboard uses them, and what they hide of a selection.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openOrders } from '../repair-order/live-orders.ts';
import { closeDialog, currentDialog } from '../repair-order/open-dialog.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Dashboard } from './dashboard.tsx';
import { clearSelection, selection } from './selection.ts';

vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));
vi.mock('../api/candidates.ts', () => ({ fetchCandidates: () => new Promise(() => undefined) }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: () => new Promise(() => undefined),
}));

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
const opened = { createDateTime: hoursAgo(1) };
/** 5 to 2 are unassigned, 1 has a technician; 5 is overdue by its ETA, 4 is due soon, 3 by a promise is not. */
const shop = [
  row(5, { customer: 'SULLIVAN,TED', vehicle: '2015 Toyota Tundra', createDateTime: hoursAgo(5) }),
  row(4, { customer: 'REED,ANN', vehicle: '2018 Toyota Corolla', createDateTime: hoursAgo(2.8) }),
  row(3, {
    customer: 'LEE,SAM',
    appCustomerStatus: 'Used',
    createDateTime: hoursAgo(5),
    promisedDateTime: hoursAgo(-5),
  }),
  row(2, { ...opened, customer: 'NUÑEZ,ANA', appCustomerStatus: 'Used' }),
  row(1, { ...opened, customer: 'COLE,TOM', regularIdTechnician: 1, regularTechFullName: 'Ana Ruiz' }),
];

let user: ReturnType<typeof userEvent.setup>;

// Loading the dialogs' code for the first time takes as long as the machine is busy.
beforeAll(async () => {
  await import('./dialogs.tsx');
}, 120_000);
beforeEach(() => {
  user = userEvent.setup();
  // jsdom has no layout: without a height no row would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
afterEach(() => {
  act(closeDialog);
  act(clearSelection);
});

function show(address: string) {
  history.replaceState(null, '', address);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: shop, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Dashboard />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

const field = () => screen.getByRole('textbox', { name: 'Search repair orders' });
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const lines = () =>
  screen
    .queryAllByRole('row')
    .flatMap((line) => (line.dataset.key === undefined ? [] : Number(line.dataset.key)));
const EMPTY = 'No repair orders found matching your criteria';

test('Enter in the search field searches at once and goes to the first order found', async () => {
  show('/');
  await user.type(field(), 'toyota{Enter}');
  expect(lines()).toEqual([5, 4]);
  expect(document.activeElement).toHaveAttribute('data-key', '5');
});

test('arrow down in the search field goes to the first order, wherever one was before', async () => {
  show('/');
  await user.click(field());
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement).toHaveAttribute('data-key', '5');
  await user.keyboard('jj/{ArrowDown}');
  expect(document.activeElement).toHaveAttribute('data-key', '5');
});

test('hits on the tab All are counted beside the field, and a click shows them', async () => {
  show('/?tab=used&q=honda');
  expect(lines()).toEqual([3, 2]);
  await user.click(button('2 here, 3 in All'));
  await waitFor(() => expect(lines()).toEqual([1, 3, 2]));
  expect(screen.queryByText(/ in All$/)).not.toBeInTheDocument();
});

test('without a hit here, Enter goes on to the first one in All', async () => {
  show('/?tab=used');
  await user.type(field(), 'sullivan');
  await screen.findByText(EMPTY);
  expect(button('0 here, 1 in All')).toBeInTheDocument();
  expect(button('Show 1 in All')).toBeInTheDocument();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(document.activeElement).toHaveAttribute('data-key', '5'));
  expect(new URLSearchParams(location.search).get('tab')).toBe('all');
});

test('an empty list offers to clear the search', async () => {
  show('/?q=nobody');
  expect(screen.getByText(EMPTY)).toBeInTheDocument();
  const [, clear] = screen.getAllByRole('button', { name: 'Clear search' });
  await user.click(clear as HTMLElement);
  expect(lines()).toHaveLength(5);
  expect(field()).toHaveValue('');
});

test('overdue and nearly due orders are counted, and listed by a click', async () => {
  show('/');
  expect(button('Due soon 1')).toHaveAttribute('aria-pressed', 'false');
  await user.click(button('Overdue 1'));
  expect(lines()).toEqual([5]);
  expect(button('Overdue 1')).toHaveAttribute('aria-pressed', 'true');
  await user.click(button('Due soon 1'));
  expect(lines()).toEqual([4]);
  expect(new URLSearchParams(location.search).get('due')).toBe('soon');
  await user.type(field(), 'sullivan{Enter}');
  expect(screen.getByText(EMPTY)).toBeInTheDocument();
  await user.click(button('Clear the filter Due soon'));
  expect(lines()).toEqual([5]);
});

test('a selection that the search hides is said, shown again, or dropped', async () => {
  show('/?tab=unassigned');
  await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
  expect(screen.getByText('4 RO(s) selected')).toBeInTheDocument();
  expect(screen.queryByText(/not shown/)).not.toBeInTheDocument();

  await user.type(field(), 'toyota{Enter}');
  expect(screen.getByText('4 RO(s) selected')).toBeInTheDocument();
  expect(screen.getByText('2 not shown')).toBeInTheDocument();
  await user.click(button('Batch Dispatch'));
  expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [5, 4, 3, 2], hidden: [3, 2] });
  const dialog = await screen.findByRole('dialog', { name: 'Batch Dispatch 4 ROs' });
  const note = within(dialog).getByRole('note');
  expect(note).toHaveTextContent('2 of 4 are not shown in the list: a search or a filter hides them.');
  expect(note).toHaveTextContent('Lee, Sam');
  await user.keyboard('{Escape}');

  await user.click(button('Show them'));
  expect(lines()).toEqual([5, 4, 3, 2]);
  expect(screen.queryByText(/not shown/)).not.toBeInTheDocument();

  await user.type(field(), 'toyota{Enter}');
  await user.click(button('Deselect them'));
  expect([...selection()]).toEqual([5, 4]);
  await user.click(button('Batch Dispatch'));
  const all = await screen.findByRole('dialog', { name: 'Batch Dispatch 2 ROs' });
  expect(within(all).queryByRole('note')).not.toBeInTheDocument();
});
