import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, updateStatus } from '../api/repair-orders.ts';
import { cachedOrders, landRo, openOrders } from '../repair-order/live-orders.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { menuPlacement, StatusPicker } from './status-picker.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  updateStatus: vi.fn(),
}));

const update = vi.mocked(updateStatus);
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  update.mockReset();
});

function show() {
  const order = () => {
    const cachedOrder = cachedOrders(client).open.get(7)?.order;
    if (cachedOrder === undefined) throw new Error('RO 7 is not in the picture');
    return cachedOrder;
  };
  render(
    <QueryClientProvider client={client}>
      <StatusPicker order={order()} readOnly={false} />
      <p>elsewhere</p>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}

function answer(changes: Partial<Row>): ChangedResult[] {
  return [{ roNumber: 7, ok: true, version: 3, seq: 3, rows: [row(7, { version: 3, ...changes })] }];
}

const control = () => screen.getByRole('button', { name: /^Status of RO 7/ });
const menu = () => screen.queryByRole('menu', { name: 'Change status of RO 7' });
const item = (name: string) => within(screen.getByRole('menu')).getByRole('menuitemradio', { name });

describe('the menu', () => {
  test('offers every status and marks the present one', async () => {
    show();
    await user.click(control());
    expect(
      within(screen.getByRole('menu'))
        .getAllByRole('menuitemradio')
        .map((one) => one.textContent),
    ).toEqual(['Waiting', 'Drop', 'PDI', 'Used']);
    expect(item('Drop')).toBeChecked();
    expect(item('Drop')).toHaveFocus();
  });

  test('is navigated by arrows and Tab, and wraps around', async () => {
    show();
    await user.click(control());
    await user.keyboard('{ArrowDown}');
    expect(item('PDI')).toHaveFocus();
    await user.tab();
    expect(item('Used')).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(item('Waiting')).toHaveFocus();
    await user.tab({ shift: true });
    expect(item('Used')).toHaveFocus();
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(item('Drop')).toHaveFocus();
  });

  test('closes on Escape and returns the focus', async () => {
    show();
    await user.click(control());
    await user.keyboard('{Escape}');
    expect(menu()).not.toBeInTheDocument();
    expect(control()).toHaveFocus();
  });

  test('closes on a click outside', async () => {
    show();
    await user.click(control());
    await user.click(screen.getByText('elsewhere'));
    expect(menu()).not.toBeInTheDocument();
  });

  test('stays open on unrelated scrolling, follows its row, and closes when the row is out of view', async () => {
    show();
    let top = 100;
    vi.spyOn(control(), 'getBoundingClientRect').mockImplementation(() => new DOMRect(10, top, 80, 28));
    await user.click(control());
    fireEvent.scroll(document);
    expect(screen.getByRole('menu')).toHaveStyle({ top: '132px' });

    // Live data moves rows without any event.
    top = 144;
    await waitFor(() => expect(screen.getByRole('menu')).toHaveStyle({ top: '176px' }));

    top = 50;
    fireEvent.scroll(document);
    expect(screen.getByRole('menu')).toHaveStyle({ top: '82px' });

    top = -60;
    fireEvent.scroll(document);
    expect(menu()).not.toBeInTheDocument();
  });

  test('opens downward if its height and 40 px fit below, else upward', () => {
    const height = 4 * 34;
    const at = (below: number) => menuPlacement({ top: 100, bottom: 128, left: 5 }, 128 + below);
    expect(at(height + 40)).toMatchObject({ left: 5, top: 132 });
    expect(at(height + 39)).toMatchObject({ left: 5, bottom: height + 39 + 28 + 4 });
  });
});

describe('a pick', () => {
  test('of the current status does nothing', async () => {
    show();
    await user.click(control());
    await user.click(item('Drop'));
    expect(menu()).not.toBeInTheDocument();
    expect(update).not.toHaveBeenCalled();
  });

  test('sends the status, is disabled as Updating... meanwhile, and shows the result', async () => {
    let resolve: (changed: ChangedResult[]) => void = () => undefined;
    update.mockReturnValue(
      new Promise((done) => {
        resolve = done;
      }),
    );
    show();
    await user.click(control());
    await user.click(item('Waiting'));
    expect(update).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 11);
    await waitFor(() => expect(control()).toBeDisabled());
    expect(control()).toHaveTextContent('Updating...');
    // Browsers take the focus from a control that is disabled; jsdom has to be made to.
    const other = document.body.appendChild(document.createElement('input'));
    other.focus();
    other.remove();
    expect(document.body).toHaveFocus();

    await act(async () => resolve(answer({ appCustomerStatus: 'Waiting', priorityName: 'Waiting' })));
    expect(
      await screen.findByText('Status updated to Waiting and priority set to Waiting'),
    ).toBeInTheDocument();
    expect(control()).toBeEnabled();
    expect(control()).toHaveFocus();
    expect(cachedOrders(client).open.get(7)?.order).toMatchObject({ status: 'Waiting', priority: 'Waiting' });
  });

  test('works by keyboard alone', async () => {
    update.mockResolvedValue(answer({ appCustomerStatus: 'PDI' }));
    show();
    control().focus();
    await user.keyboard('{Enter}{ArrowDown}{Enter}');
    expect(update).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 13);
    expect(await screen.findByText('Status updated to PDI and priority set to Low')).toBeInTheDocument();
    expect(control()).toHaveFocus();
  });

  test('shows a message when the answer lacks the automatic priority', async () => {
    update.mockResolvedValue(answer({ appCustomerStatus: 'Waiting', priorityName: 'High' }));
    show();
    await user.click(control());
    await user.click(item('Waiting'));
    expect(
      await screen.findByText('Status updated, but failed to update priority automatically'),
    ).toBeInTheDocument();
  });

  test('that is refused shows the server’s reason', async () => {
    update.mockRejectedValue(new ApiError(409, 'repair-order-closed', 'Not today.'));
    show();
    await user.click(control());
    await user.click(item('Used'));
    expect(await screen.findByText('Failed to update status')).toBeInTheDocument();
    expect(screen.getByText('Not today.')).toBeInTheDocument();
    expect(control()).toBeEnabled();
  });

  test('on an order that was closed meanwhile shows that it is gone', async () => {
    show();
    await user.click(control());
    landRo(client, { roNumber: 7, rows: [], version: 2, seq: 2 });
    await user.click(item('Used'));
    expect(await screen.findByText('RO 7 not found in current data')).toBeInTheDocument();
    expect(update).not.toHaveBeenCalled();
  });
});
