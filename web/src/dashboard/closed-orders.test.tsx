// The closed orders below the list, as the server's search finds them.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type FoundOrder, type FoundOrders, searchRepairOrders } from '../api/repair-orders.ts';
import { closedOrders } from '../repair-order/closed-orders.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Dashboard } from './dashboard.tsx';

vi.mock('../auth/use-session.ts', () => ({ usePermission: () => true }));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: () => new Promise(() => undefined),
  searchRepairOrders: vi.fn(),
}));

// Loaded when first searched for; here beforehand, so that no test waits for it.
beforeAll(() => import('./closed-orders.tsx'));

const search = vi.mocked(searchRepairOrders);
const shop = [row(5, { customer: 'SULLIVAN,TED' }), row(4, { customer: 'SULLIVAN,ANN' })];
const found = (repairOrderNumber: number, changes: Partial<FoundOrder> = {}): FoundOrder => ({
  repairOrderNumber,
  vehicleVIN: '1HGCM82633A004352',
  vehicle: '2015 Toyota Tundra',
  customer: 'SULLIVAN,TED',
  advisor: 'Dana Whitfield',
  technicians: ['Ana Ruiz'],
  status: 'Drop',
  createDateTime: '2026-01-02T14:00:00Z',
  closedDateTime: '2026-01-03T14:00:00Z',
  ...changes,
});
const page = (orders: FoundOrder[], next: string | null = null): FoundOrders => ({ orders, next });

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  search.mockReset();
  // jsdom has no layout: without a height no row would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});

function show(address = '/') {
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
  return client;
}

const field = () => screen.getByRole('textbox', { name: 'Search repair orders' });
const section = () => screen.findByRole('region', { name: 'Closed orders' });
const closedRow = async (roNumber: number) => {
  const list = within(await section());
  return list.findByRole('link', { name: new RegExp(`^${roNumber} `) });
};

test('what is searched for is searched among the closed orders, too', async () => {
  search.mockResolvedValue(page([found(3), found(2, { displayNumber: 'A-2', technicians: [] })]));
  show();
  expect(screen.queryByRole('region', { name: 'Closed orders' })).not.toBeInTheDocument();
  await user.type(field(), 'sullivan');
  const line = await closedRow(3);
  expect(line).toHaveTextContent(/^3 Sullivan, Ted 2015 Toyota Tundra Ana Ruiz Closed /);
  expect(within(await section()).getByText('2 found')).toBeInTheDocument();
  expect(within(await section()).getByRole('link', { name: /^A-2 / })).toHaveAttribute('href', '?ro=2');
  expect(search).toHaveBeenLastCalledWith({ q: 'sullivan', closed: true, limit: 50 }, expect.anything());
});

test.each(['', 's', ' s ', '#'])('"%s" is too little to search closed orders for', async (typed) => {
  show(`/?q=${encodeURIComponent(typed)}`);
  await screen.findAllByRole('row');
  expect(screen.queryByRole('region', { name: 'Closed orders' })).not.toBeInTheDocument();
  expect(search).not.toHaveBeenCalled();
});

test('the open orders are there while the closed ones are searched', async () => {
  search.mockReturnValue(new Promise(() => undefined));
  show('/?q=sullivan');
  expect(within(await section()).getByText('Searching closed orders...')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Open repair order 5' })).toBeInTheDocument();
});

test('says that no closed order matches', async () => {
  search.mockResolvedValue(page([]));
  show('/?q=sullivan');
  expect(await within(await section()).findByText('No closed order matches')).toBeInTheDocument();
  expect(within(await section()).queryByRole('link')).not.toBeInTheDocument();
});

test('a search that fails says so and can be tried again', async () => {
  search.mockRejectedValueOnce(new ApiError(503, 'unavailable', 'not now'));
  show('/?q=sullivan');
  expect(await screen.findByRole('alert')).toHaveTextContent('Closed orders could not be searched');
  expect(screen.getByRole('link', { name: 'Open repair order 5' })).toBeInTheDocument();
  search.mockResolvedValueOnce(page([found(3)]));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await closedRow(3)).toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test('more of them are shown by a button, whose focus goes to the first of these', async () => {
  const first = Array.from({ length: 20 }, (_, at) => found(100 - at));
  search.mockResolvedValueOnce(page(first, '1.81')).mockResolvedValueOnce(page([found(50)]));
  show('/?q=sullivan');
  await closedRow(100);
  expect(within(await section()).getByText('20 found, and there are more')).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(async () => expect(await closedRow(50)).toHaveFocus());
  expect(within(await section()).getByText('21 found')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument();
});

test('the arrow keys lead from the last open order to the closed ones and back', async () => {
  search.mockResolvedValue(page([found(3), found(2)]));
  show('/?q=sullivan');
  const third = await closedRow(3);
  await user.click(field());
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  expect(third).toHaveFocus();
  await user.keyboard('j');
  expect(await closedRow(2)).toHaveFocus();
  await user.keyboard('{Home}{ArrowUp}');
  expect(document.activeElement).toHaveAttribute('data-key', '4');
});

test('the rows are one Tab stop', async () => {
  search.mockResolvedValue(page([found(3), found(2)]));
  show('/?q=sullivan');
  const third = await closedRow(3);
  expect(third).toHaveAttribute('tabindex', '0');
  act(() => third.focus());
  await user.keyboard('{ArrowDown}');
  expect(third).toHaveAttribute('tabindex', '-1');
  expect(await closedRow(2)).toHaveAttribute('tabindex', '0');
});

test('without an open order Enter goes to the first closed one as soon as it is there, and it opens its details', async () => {
  let answer: (found: FoundOrders) => void = () => undefined;
  search.mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  const client = show('/');
  await user.type(field(), 'tundra{Enter}');
  await section();
  expect(field()).toHaveFocus();
  // The field loses the focus in an effect. user-event dispatches its change event there, which fails outside of `act`.
  await act(async () => {
    answer(page([found(3)]));
    const { queryKey } = closedOrders('tundra');
    await vi.waitFor(() => expect(client.isFetching({ queryKey })).toBe(0), 5_000);
  });
  await waitFor(async () => expect(await closedRow(3)).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(new URLSearchParams(location.search).get('ro')).toBe('3'));
});

test('on a phone they stay folded while there are open orders', async () => {
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(matchMedia(media), { matches: media === '(max-width: 767px)' }),
  );
  search.mockResolvedValue(page([found(3)]));
  show('/?q=sullivan');
  expect(await within(await section()).findByText('1 found')).toBeInTheDocument();
  expect(within(await section()).queryByRole('link')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Show closed orders' }));
  expect(await closedRow(3)).toBeInTheDocument();
});
