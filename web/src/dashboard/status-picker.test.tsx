import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, updateStatus } from '../api/repair-orders.ts';
import { noPermissions, openDetails, plainControls } from '../repair-order/details.fixture.ts';
import { DialogHost } from '../repair-order/dialog-host.fixture.ts';
import { cachedOrders, landRo, openOrders } from '../repair-order/live-orders.ts';
import { closeDialog } from '../repair-order/open-dialog.ts';
import { closePicker } from '../repair-order/open-picker.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { OrderDialogs } from '../repair-order/order-dialogs.tsx';
import { row } from '../repair-order/rows.fixture.ts';
import { DISPLAYED_TIME } from '../shop/displayed-time.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { OrderPickers } from './order-pickers.tsx';
import { StatusPicker } from './status-picker.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  updateStatus: vi.fn(),
}));

const update = vi.mocked(updateStatus);
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  act(() => {
    closePicker();
    closeDialog();
  });
  user = userEvent.setup();
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  update.mockReset();
});

function Desk() {
  const { data: cache } = useQuery(openOrders);
  const order = cache?.open.get(7)?.order;
  return (
    <>
      {order && <StatusPicker order={order} readOnly={false} />}
      <OrderPickers />
      <OrderDialogs
        details={openDetails(null)}
        may={noPermissions}
        controls={plainControls}
        Story={() => null}
      />
      <DialogHost />
    </>
  );
}

function show() {
  render(
    <QueryClientProvider client={client}>
      <Desk />
      <p>elsewhere</p>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}

function answer(changes: Partial<Row>): ChangedResult[] {
  return [{ roNumber: 7, ok: true, version: 3, seq: 3, rows: [row(7, { version: 3, ...changes })] }];
}

const control = () => screen.getByRole('button', { name: /^Status of RO 7/ });
const picker = () => screen.queryByRole('dialog', { name: 'Change status of RO 7' });
const field = () => screen.getByRole('combobox', { name: 'Change status of RO 7' });
const option = (name: string) => screen.getByRole('option', { name });
/** The one that Enter picks. */
const active = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;

describe('the picker', () => {
  test('offers every status, marks the present one, and begins there', async () => {
    show();
    await user.click(control());
    expect(screen.getAllByRole('option').map((one) => one.textContent)).toEqual([
      'Waiting',
      'Drop',
      'PDI',
      'Used',
    ]);
    expect(screen.getByRole('option', { selected: true })).toBe(option('Drop'));
    expect(field()).toHaveFocus();
    expect(active()).toBe('Drop');
    expect(control()).toHaveAttribute('aria-expanded', 'true');
  });

  test('is navigated by arrows, Tab, Home and End, and wraps around', async () => {
    show();
    await user.click(control());
    await user.keyboard('{ArrowDown}');
    expect(active()).toBe('PDI');
    await user.tab();
    expect(active()).toBe('Used');
    await user.keyboard('{ArrowDown}');
    expect(active()).toBe('Waiting');
    await user.tab({ shift: true });
    expect(active()).toBe('Used');
    await user.keyboard('{ArrowUp}{ArrowUp}');
    expect(active()).toBe('Drop');
    await user.keyboard('{Home}');
    expect(active()).toBe('Waiting');
    await user.keyboard('{End}');
    expect(active()).toBe('Used');
  });

  test('is filtered by what is typed, and Enter picks the first match', async () => {
    update.mockResolvedValue(answer({ appCustomerStatus: 'PDI' }));
    show();
    await user.click(control());
    await user.keyboard('x');
    expect(screen.queryByRole('option')).not.toBeInTheDocument();
    expect(screen.getByText('Nothing matches')).toBeInTheDocument();
    await user.keyboard('{Enter}{Backspace}p');
    expect(screen.getAllByRole('option')).toEqual([option('PDI')]);
    await user.keyboard('{Enter}');
    expect(update).toHaveBeenCalledExactlyOnceWith({ roNumber: 7, version: 1 }, 13);
  });

  test('closes on Escape and returns the focus', async () => {
    show();
    await user.click(control());
    await user.keyboard('{Escape}');
    expect(picker()).not.toBeInTheDocument();
    await waitFor(() => expect(control()).toHaveFocus());
  });

  test('closes on a click outside, and on a second one on its control', async () => {
    show();
    await user.click(control());
    await user.click(screen.getByText('elsewhere'));
    expect(picker()).not.toBeInTheDocument();
    await user.click(control());
    expect(picker()).toBeInTheDocument();
    await user.click(control());
    expect(picker()).not.toBeInTheDocument();
  });

  test('closes when its control is out of sight', async () => {
    let scroll: IntersectionObserverCallback = () => undefined;
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(callback: IntersectionObserverCallback) {
          scroll = callback;
        }
        observe() {}
        disconnect() {}
      },
    );
    show();
    await user.click(control());
    const seen = (isIntersecting: boolean) =>
      act(() => scroll([{ isIntersecting } as IntersectionObserverEntry], {} as IntersectionObserver));
    seen(true);
    expect(picker()).toBeInTheDocument();
    seen(false);
    expect(picker()).not.toBeInTheDocument();
    vi.unstubAllGlobals();
  });
});

const anna = { person: { uid: 'a', name: 'Anna Berg' }, at: Date.now() };
/** Somebody else's change, as the socket brings it. */
async function lands(version: number, changes: Partial<Row>, by = anna) {
  await act(async () => {
    landRo(client, { roNumber: 7, rows: [row(7, { version, ...changes })], version, seq: version, by });
    // The query cache tells of it in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
  });
}

/** The server's refusal of a version that it knows a newer one of. */
function stale(version: number, changes: Partial<Row>) {
  const current = {
    rows: [row(7, { version, ...changes })],
    version,
    changedBy: anna.person,
    changedAt: new Date(anna.at).toISOString(),
  };
  const refused = {
    ok: false,
    roNumber: 7,
    error: 'It has changed.',
    code: 'stale-version' as const,
    current,
  };
  return new ApiError(409, 'stale-version', refused.error, refused);
}

describe('a status that somebody sets while the picker is open', () => {
  test('is shown in it, and the pick is decided on it', async () => {
    update.mockResolvedValue(answer({ appCustomerStatus: 'PDI' }));
    show();
    await user.click(control());
    await lands(2, { appCustomerStatus: 'Waiting' });
    expect(screen.getByText('Now Waiting, by Anna Berg')).toBeInTheDocument();
    expect(screen.getByRole('option', { selected: true })).toBe(option('Waiting'));
    await user.click(option('PDI'));
    expect(update).toHaveBeenCalledExactlyOnceWith({ roNumber: 7, version: 2 }, 13);
    expect(await screen.findByText('Status updated to PDI and priority set to Low')).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('is shown with its author as soon as a message names one', async () => {
    show();
    await user.click(control());
    const rows = [row(7, { version: 2, appCustomerStatus: 'Waiting' })];
    const landed = async (seq: number, by?: typeof anna) => {
      await act(async () => {
        landRo(client, { roNumber: 7, rows, version: 2, seq, by });
        await new Promise((resolve) => setTimeout(resolve));
      });
    };
    await landed(2);
    expect(screen.getByText('Now Waiting')).toBeInTheDocument();
    await landed(3, anna);
    expect(screen.getByText('Now Waiting, by Anna Berg')).toBeInTheDocument();
  });

  test('is picked without a request', async () => {
    show();
    await user.click(control());
    await lands(2, { appCustomerStatus: 'Waiting' });
    await user.click(option('Waiting'));
    expect(update).not.toHaveBeenCalled();
  });

  test('keeps its author when somebody changes another field', async () => {
    show();
    await user.click(control());
    await lands(2, { appCustomerStatus: 'Waiting' });
    const ben = { person: { uid: 'b', name: 'Ben Ode' }, at: Date.now() };
    await lands(3, { appCustomerStatus: 'Waiting', priorityName: 'High' }, ben);
    expect(screen.getByText('Now Waiting, by Anna Berg')).toBeInTheDocument();
  });

  test('and that crosses the pick on its way is decided in a dialog', async () => {
    update.mockRejectedValueOnce(stale(2, { appCustomerStatus: 'Waiting' }));
    show();
    await user.click(control());
    await user.click(option('PDI'));
    const dialog = await screen.findByRole('dialog', { name: 'Change status of RO 7' });
    expect(within(dialog).getByRole('alert')).toHaveTextContent(
      new RegExp(`Anna Berg changed RO 7 at ${DISPLAYED_TIME}`),
    );
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Status: Drop → Waiting');
    expect(screen.queryByText('Failed to update status')).not.toBeInTheDocument();
    update.mockResolvedValueOnce(answer({ appCustomerStatus: 'PDI' }));
    await user.click(within(dialog).getByRole('button', { name: 'Keep my choice' }));
    await user.click(within(dialog).getByRole('button', { name: 'Set PDI' }));
    expect(update).toHaveBeenLastCalledWith({ roNumber: 7, version: 2 }, 13);
    expect(await screen.findByText('Status updated to PDI and priority set to Low')).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('is left as it is by taking theirs', async () => {
    update.mockRejectedValueOnce(stale(2, { appCustomerStatus: 'Waiting' }));
    show();
    await user.click(control());
    await user.click(option('PDI'));
    await user.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(update).toHaveBeenCalledOnce();
    expect(control()).toHaveTextContent('Waiting');
  });

  test('is no conflict where only another field changed: the pick is sent again', async () => {
    update.mockRejectedValueOnce(stale(2, { priorityName: 'High' }));
    update.mockResolvedValueOnce(answer({ appCustomerStatus: 'PDI' }));
    show();
    await user.click(control());
    await user.click(option('PDI'));
    expect(await screen.findByText('Status updated to PDI and priority set to Low')).toBeInTheDocument();
    expect(update).toHaveBeenLastCalledWith({ roNumber: 7, version: 2 }, 13);
  });
});

describe('a pick', () => {
  test('of the current status does nothing', async () => {
    show();
    await user.click(control());
    await user.click(option('Drop'));
    expect(picker()).not.toBeInTheDocument();
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
    await user.click(option('Waiting'));
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
    await user.keyboard('{Enter}');
    // Keys are held until the list is there.
    await waitFor(() => expect(document.activeElement?.closest('[role="dialog"]')).not.toBeNull());
    await user.keyboard('{ArrowDown}{Enter}');
    expect(update).toHaveBeenCalledWith({ roNumber: 7, version: 1 }, 13);
    expect(await screen.findByText('Status updated to PDI and priority set to Low')).toBeInTheDocument();
    expect(control()).toHaveFocus();
  });

  test('shows a message when the answer lacks the automatic priority', async () => {
    update.mockResolvedValue(answer({ appCustomerStatus: 'Waiting', priorityName: 'High' }));
    show();
    await user.click(control());
    await user.click(option('Waiting'));
    expect(
      await screen.findByText('Status updated, but failed to update priority automatically'),
    ).toBeInTheDocument();
  });

  test('that is refused shows which order it was, and the server’s reason', async () => {
    update.mockRejectedValue(new ApiError(409, 'repair-order-closed', 'Not today.'));
    show();
    await user.click(control());
    await user.click(option('Used'));
    expect(await screen.findByText('Failed to update status')).toBeInTheDocument();
    expect(screen.getByText('RO 7: Not today.')).toBeInTheDocument();
    expect(control()).toBeEnabled();
  });

  test('is not possible on an order that was closed meanwhile', async () => {
    show();
    await user.click(control());
    await act(async () => {
      landRo(client, { roNumber: 7, rows: [], version: 2, seq: 2 });
      await new Promise((resolve) => setTimeout(resolve));
    });
    expect(picker()).not.toBeInTheDocument();
  });
});
