// The details beside the list. jsdom has no width: the media query says that there is room.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openOrders } from '../repair-order/live-orders.ts';
import { closePicker, currentPicker } from '../repair-order/open-picker.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { historyAtRest } from '../ui/history-entries.ts';
import { Dashboard } from './dashboard.tsx';
import { Timeline } from './timeline.tsx';

const session = vi.hoisted(() => ({ permissions: new Set<string>() }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => session.permissions.has(permission),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: () => new Promise(() => undefined),
}));
vi.mock('./timeline.tsx', () => ({ Timeline: vi.fn(() => null) }));

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  // jsdom has no layout: without a height no row would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  const { matchMedia } = window;
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(matchMedia(media), { matches: media === '(min-width: 1366px)' }),
  );
  vi.mocked(Timeline).mockClear();
});

// Loading the details' code for the first time takes as long as the machine is busy.
beforeAll(async () => {
  await import('./dialogs.tsx');
}, 120_000);

async function show(address = '/', permissions = ['change-status', 'change-priority', 'dispatch']) {
  session.permissions = new Set(permissions);
  history.replaceState(null, '', address);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const rows = [row(5), row(4), row(3), row(2), row(1)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Dashboard />
      </BrowserRouter>
    </QueryClientProvider>,
  );
  // The details are loaded apart from the desk.
  await screen.findAllByRole('status');
}

const params = () => new URLSearchParams(location.search);
const pane = (roNumber: number) => screen.findByRole('region', { name: `Repair Order #${roNumber} Details` });
const line = (roNumber: number) => {
  const found = screen.getAllByRole('row').find((one) => one.dataset.key === String(roNumber));
  if (found === undefined) throw new Error(`RO ${roNumber} is not in the table`);
  return found;
};
const open = (roNumber: number) =>
  user.click(screen.getByRole('link', { name: `Open repair order ${roNumber}` }));

async function travel(steps: number) {
  const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  history.go(steps);
  await act(() => popped);
}

test('another order’s details render no cell of the list again', async () => {
  await show();
  await open(4);
  await pane(4);
  expect(Timeline).toHaveBeenCalled();
  vi.mocked(Timeline).mockClear();
  await user.click(screen.getByRole('button', { name: 'Next order' }));
  await pane(3);
  expect(params().get('ro')).toBe('3');
  expect(Timeline).not.toHaveBeenCalled();
});

test('the open row is marked, and is the Tab stop', async () => {
  await show('/?ro=3');
  await pane(3);
  expect(line(3)).toHaveAttribute('aria-current', 'true');
  expect(line(3).tabIndex).toBe(0);
  expect(line(5)).not.toHaveAttribute('aria-current');
  await open(5);
  await pane(5);
  expect(line(5)).toHaveAttribute('aria-current', 'true');
  expect(line(3)).not.toHaveAttribute('aria-current');
});

test('Back closes the details, Forward opens them, and the view stays', async () => {
  await show('/?tab=drop');
  await open(4);
  await pane(4);
  await user.click(screen.getByRole('button', { name: 'Next order' }));
  await pane(3);
  await user.click(screen.getByRole('tab', { name: /All/ }));
  await travel(-1);
  await waitFor(() => expect(screen.queryByRole('region', { name: /Details$/ })).not.toBeInTheDocument());
  expect(location.search).toBe('?tab=all');
  await travel(1);
  await pane(3);
  expect(location.search).toBe('?tab=all&ro=3');
});

test('closing takes the entry away, and a link from elsewhere has none to take', async () => {
  await show('/?tab=drop');
  await open(4);
  await user.click(within(await pane(4)).getByRole('button', { name: 'Close' }));
  await act(historyAtRest);
  expect(history.state.idx).toBe(0);
  expect(location.search).toBe('?tab=drop');

  const went = vi.spyOn(history, 'go');
  act(() => {
    history.replaceState(history.state, '', '/?ro=2');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await user.click(within(await pane(2)).getByRole('button', { name: 'Close' }));
  expect(location.search).toBe('');
  expect(went).not.toHaveBeenCalled();
});

test('the keys of an order act in its details, and not where something is typed', async () => {
  await show('/?ro=4');
  const details = await pane(4);
  act(() => details.focus());
  await user.keyboard('p');
  expect(currentPicker()).toMatchObject({ field: 'priority', order: 4 });
  act(closePicker);
  act(() => details.focus());
  await user.keyboard('kk');
  await pane(5);
  expect(params().get('ro')).toBe('5');
  await user.keyboard('{Control>}j{/Control}');
  expect(params().get('ro')).toBe('5');
  await user.click(screen.getByRole('textbox', { name: 'Search repair orders' }));
  await user.keyboard('j');
  expect(params().get('ro')).toBe('5');
});

test('a click on a row opens its details, on a control or with text selected it does not', async () => {
  await show();
  fireEvent.click(within(line(4)).getByRole('button', { name: /^Status of RO/ }));
  expect(params().has('ro')).toBe(false);
  await user.keyboard('{Escape}');
  fireEvent.click(within(line(4)).getByText('2021 Honda Accord EX'), { ctrlKey: true });
  expect(params().has('ro')).toBe(false);
  getSelection()?.selectAllChildren(within(line(4)).getByText('2021 Honda Accord EX'));
  fireEvent.click(within(line(4)).getByText('2021 Honda Accord EX'));
  expect(params().has('ro')).toBe(false);
  getSelection()?.removeAllRanges();
  fireEvent.click(within(line(4)).getByText('2021 Honda Accord EX'));
  await pane(4);
});

test('Escape closes the details and leaves the focus on the row', async () => {
  await show();
  act(() => line(4).focus());
  await user.keyboard('{Enter}');
  const details = await pane(4);
  expect(line(4)).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(details).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('region', { name: /Details$/ })).not.toBeInTheDocument();
  expect(line(4)).toHaveFocus();
});

test('a user without permissions has no controls in the details', async () => {
  await show('/?ro=4', []);
  const names = within(await pane(4))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'));
  expect(names).toEqual(['Previous order', 'Next order', 'Close', 'Copy VIN 1HGCM82633A004352']);
});
