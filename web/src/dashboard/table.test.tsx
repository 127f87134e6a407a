import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Row, unassignTechnician } from '../api/repair-orders.ts';
import type { Permission } from '../api/session.ts';
import { landRo, openOrders } from '../repair-order/live-orders.ts';
import { closeDialog, currentDialog } from '../repair-order/open-dialog.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Dashboard } from './dashboard.tsx';
import { clearSelection } from './selection.ts';

const session = vi.hoisted(() => ({ permissions: new Set<string>() }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => session.permissions.has(permission),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchDetails: () => new Promise(() => undefined),
  unassignTechnician: vi.fn(() => new Promise(() => undefined)),
}));

const assigned = { regularIdTechnician: 1, regularTechFullName: 'Ana Ruiz' };
const all: Permission[] = ['change-status', 'change-priority', 'dispatch'];
let client: QueryClient;
let user: ReturnType<typeof userEvent.setup>;

// Loading the dialogs' code for the first time takes as long as the machine is busy.
beforeAll(async () => {
  await Promise.all([import('./dialogs.tsx'), import('./columns-list.tsx')]);
}, 120_000);
beforeEach(() => {
  user = userEvent.setup();
  history.replaceState(null, '', '/');
  // jsdom has no layout: without a height no row would be in sight.
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'clientWidth', 'get').mockReturnValue(1200);
});
afterEach(() => {
  closeDialog();
  act(clearSelection);
});

/** Five orders: 5 and 4 wait, 3 to 1 are drop-offs; 5 and 3 have a technician. */
const shop = [
  row(5, { appCustomerStatus: 'Waiting', priorityName: 'Waiting', vehicle: 'Audi A4', ...assigned }),
  row(4, { appCustomerStatus: 'Waiting', priorityName: 'Waiting', vehicle: 'Volvo V70' }),
  row(3, { vehicle: 'Fiat 500', ...assigned }),
  row(2, { vehicle: 'BMW 320' }),
  row(1, { vehicle: 'Seat Leon' }),
];

function show(address = '/', permissions: Permission[] = all, rows: Row[] = shop) {
  session.permissions = new Set(permissions);
  history.replaceState(null, '', address);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  return render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <Dashboard />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

let seq = 1;
async function land(roNumber: number, changes: Partial<Row> | null) {
  seq += 1;
  const rows = changes === null ? [] : [row(roNumber, { version: seq, ...changes })];
  await act(async () => {
    landRo(client, { roNumber, rows, version: seq, seq });
    // The query cache tells of it in a task of its own.
    await new Promise((resolve) => setTimeout(resolve));
  });
}

const lines = () => screen.getAllByRole('row').slice(1);
const numbers = () => lines().map((line) => Number(/\d+/.exec(line.textContent ?? '')?.[0]));
const line = (roNumber: number) => {
  const found = lines().find((one) => one.dataset.key === String(roNumber));
  if (found === undefined) throw new Error(`RO ${roNumber} is not in the table`);
  return found;
};
const header = (name: string) => screen.getByRole('columnheader', { name });
const params = () => new URLSearchParams(location.search);

test('a row has the tag of its car beside the number, if there is one', () => {
  show('/', all, [row(2, { tagNumber: 'T118' }), row(1)]);
  const tag = within(line(2)).getByTitle('Tag T118');
  expect(tag).toHaveTextContent('Tag T118');
  expect(within(line(2)).getByRole('link', { name: 'Open repair order 2' }).nextElementSibling).toBe(tag);
  expect(line(1)).not.toHaveTextContent('Tag');
});

describe('a row offers', () => {
  test('all actions that its order allows to a user with all permissions', async () => {
    show();
    const names = (roNumber: number) =>
      within(line(roNumber))
        .getAllByRole('button')
        .map((button) => button.getAttribute('aria-label'));
    expect(names(3)).toEqual([
      'Copy VIN 1HGCM82633A004352',
      'Status of RO 3: Drop',
      'Change priority of RO 3: Low',
      'Ana Ruiz technicians of RO 3',
      'Reassign technician of RO 3',
      'Add technician to RO 3',
      'Remove technician from RO 3',
    ]);
    expect(names(2).slice(3)).toEqual(['Unassigned Assign RO 2', 'Dispatch RO 2']);
    // Their names begin with what they show.
    const button = (roNumber: number, name: string) => within(line(roNumber)).getByRole('button', { name });
    expect(button(3, 'Ana Ruiz technicians of RO 3').textContent).toBe('Ana Ruiz');
    expect(button(2, 'Unassigned Assign RO 2').textContent).toBe('Unassigned Assign');
    await user.click(screen.getByRole('button', { name: 'Add technician to RO 3' }));
    expect(currentDialog()).toEqual({ kind: 'add', order: 3 });
  });

  test('nothing to a user without permissions', () => {
    show('/', []);
    expect(within(line(3)).getAllByRole('button')).toHaveLength(1);
  });

  test.each(['waiting', 'drop', 'unassigned'])('the priority on the tab %s, too', (tab) => {
    show(`/?tab=${tab}`);
    for (const { dataset } of lines()) {
      expect(
        screen.getByRole('button', { name: new RegExp(`^Change priority of RO ${dataset.key}: `) }),
      ).toBeEnabled();
    }
  });
});

describe('a header', () => {
  test('sorts up, down and back, announces it, and writes it to the address', async () => {
    show();
    expect(numbers()).toEqual([5, 4, 3, 2, 1]);
    const press = () => user.click(within(header('Vehicle Info')).getByRole('button'));
    await press();
    expect(numbers()).toEqual([5, 2, 3, 1, 4]);
    expect(header('Vehicle Info')).toHaveAttribute('aria-sort', 'ascending');
    expect(params().get('sort')).toBe('vehicle');
    await press();
    expect(numbers()).toEqual([4, 1, 3, 2, 5]);
    expect(params().get('sort')).toBe('-vehicle');
    await press();
    expect(numbers()).toEqual([5, 4, 3, 2, 1]);
    expect(header('Vehicle Info')).toHaveAttribute('aria-sort', 'none');
    expect(params().get('sort')).toBe('default');
  });

  test('of another column sorts up first', async () => {
    show('/?sort=-vehicle');
    await user.click(within(header('Status')).getByRole('button'));
    expect(header('Status')).toHaveAttribute('aria-sort', 'ascending');
    expect(header('Vehicle Info')).toHaveAttribute('aria-sort', 'none');
    expect(params().get('sort')).toBe('status');
  });

  test('keeps the focus when it is pressed with the keyboard', async () => {
    show();
    const button = within(header('Jobs')).getByRole('button');
    act(() => button.focus());
    await user.keyboard('{Enter}');
    expect(header('Jobs')).toHaveAttribute('aria-sort', 'ascending');
    expect(button).toHaveFocus();
  });
});

describe('the columns', () => {
  const columns = () => screen.getAllByRole('columnheader').map((one) => one.textContent);
  const ask = async () => {
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await screen.findByRole('dialog', { name: 'Columns' });
  };

  test('are hidden, moved and reset, in the address, too', async () => {
    show();
    await ask();
    await user.click(screen.getByRole('checkbox', { name: 'Jobs' }));
    await user.click(screen.getByRole('button', { name: 'Move Priority forward' }));
    const expected = ['RO Details', 'Vehicle Info', 'Priority', 'Status', 'Assignment', 'Timeline'];
    await waitFor(() => expect(columns()).toEqual(expected));
    expect(params().get('columns')).toBe('vehicle,priority,status,assignment,-jobs,timeline');
    expect(within(line(5)).getAllByRole('cell')[2]).toHaveTextContent('Waiting');

    await user.click(screen.getByRole('button', { name: 'Reset columns' }));
    await waitFor(() => expect(columns()).toHaveLength(7));
    expect(params().get('columns')).toBe('default');
  });

  test('the number column cannot be hidden', async () => {
    show();
    await ask();
    expect(screen.getByRole('checkbox', { name: 'RO Details' })).toBeDisabled();
  });

  test('come from a copied link', () => {
    show('/?columns=timeline,-jobs&density=dense');
    expect(columns()).toEqual(['RO Details', 'Timeline', 'Vehicle Info', 'Status', 'Priority', 'Assignment']);
    expect(screen.getByRole('radio', { name: 'Dense rows' })).toBeChecked();
  });

  test('ignore everything invalid in the address', () => {
    show('/?columns=nonsense&sort=-nothing&density=huge&tab=mine');
    expect(columns()).toHaveLength(7);
    expect(numbers()).toEqual([5, 4, 3, 2, 1]);
  });
});

describe('on the tab Unassigned', () => {
  const tick = (roNumber: number) => screen.getByRole('checkbox', { name: `Select RO ${roNumber}` });

  test('orders are ticked and dispatched together', async () => {
    show('/?tab=unassigned');
    expect(numbers()).toEqual([4, 2, 1]);
    const everyone = screen.getByRole('checkbox', { name: 'Select all' });
    await user.click(tick(4));
    expect(everyone).toBePartiallyChecked();
    expect(line(4)).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{Shift>}');
    await user.click(tick(1));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('3 RO(s) selected')).toBeInTheDocument();
    expect(everyone).toBeChecked();
    await user.click(screen.getByRole('button', { name: 'Batch Dispatch' }));
    expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [4, 2, 1] });
  });

  test('the selection drops assigned and closed orders, and survives other changes', async () => {
    show('/?tab=unassigned');
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await land(2, { customer: 'ROE,RIA' });
    expect(screen.getByText('3 RO(s) selected')).toBeInTheDocument();
    await land(2, assigned);
    expect(screen.getByText('2 RO(s) selected')).toBeInTheDocument();
    await land(1, null);
    expect(screen.getByText('1 RO(s) selected')).toBeInTheDocument();
    // Unassigned again, it is not ticked again.
    await land(2, {});
    expect(screen.getByText('1 RO(s) selected')).toBeInTheDocument();
  });

  test('leaving the tab, Escape and the button clear the selection', async () => {
    show('/?tab=unassigned');
    await user.click(tick(2));
    await user.keyboard('{Escape}');
    expect(tick(2)).not.toBeChecked();
    await user.click(tick(2));
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(tick(2)).not.toBeChecked();
    await user.click(tick(2));
    await user.click(screen.getByRole('tab', { name: /All/ }));
    await user.click(screen.getByRole('tab', { name: /Unassigned/ }));
    expect(tick(2)).not.toBeChecked();
  });

  test('a user who may not dispatch has no checkboxes', () => {
    show('/?tab=unassigned', ['change-status']);
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(line(4)).not.toHaveAttribute('aria-selected');
  });
});

describe('by keyboard', () => {
  const begin = (address?: string, permissions?: Permission[]) => {
    show(address, permissions);
    act(() => lines()[0]?.focus());
  };

  test('the rows are one Tab stop, and the arrows and letters move between them', async () => {
    begin();
    expect(lines().map((one) => one.tabIndex)).toEqual([0, -1, -1, -1, -1]);
    await user.keyboard('{ArrowDown}j');
    expect(line(3)).toHaveFocus();
    expect(lines().map((one) => one.tabIndex)).toEqual([-1, -1, 0, -1, -1]);
    await user.keyboard('k{ArrowUp}{ArrowUp}');
    expect(line(5)).toHaveFocus();
    await user.keyboard('{End}');
    expect(line(1)).toHaveFocus();
    await user.keyboard('{Home}');
    expect(line(5)).toHaveFocus();
    await user.keyboard('{PageDown}');
    expect(line(5)).not.toHaveFocus();
    await user.keyboard('{PageUp}');
    expect(line(5)).toHaveFocus();
    // The controls of the rows are no Tab stops.
    await user.tab();
    expect(document.querySelector('tbody')).not.toContainElement(document.activeElement as HTMLElement);
    await user.tab({ shift: true });
    expect(line(5)).toHaveFocus();
  });

  test.each(['/', '/?tab=unassigned'])('on %s a row is its only Tab stop', (address) => {
    show(address);
    const stops = [...document.querySelectorAll<HTMLElement>('tbody *')].filter((one) => one.tabIndex >= 0);
    expect(stops).toEqual([lines()[0]]);
  });

  test('the arrows go through the controls of a row and back, and on to the next row', async () => {
    begin('/?tab=unassigned');
    const control = (name: string | RegExp) => within(line(4)).getByRole('button', { name });
    await user.keyboard('{ArrowRight}');
    expect(within(line(4)).getByRole('checkbox')).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(within(line(4)).getByRole('link')).toHaveFocus();
    await user.keyboard('{ArrowRight}');
    expect(control(/^Copy VIN/)).toHaveFocus();
    for (const name of [/^Status of/, /^Change priority of/, /^Unassigned Assign/, 'Dispatch RO 4']) {
      await user.keyboard('{ArrowRight}');
      expect(control(name)).toHaveFocus();
    }
    await user.keyboard('{ArrowRight}{Enter}');
    expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [4] });
    act(closeDialog);
    await user.keyboard('{ArrowLeft}');
    expect(control(/^Unassigned Assign/)).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(line(2)).toHaveFocus();
    await user.keyboard('{ArrowLeft}');
    expect(line(2)).toHaveFocus();
  });

  test.each([
    ['j', 'the page', () => document.body],
    ['k', 'a button', () => screen.getByRole('button', { name: 'Export as CSV' })],
    ['{ArrowDown}', 'the head of a column', () => within(header('Jobs')).getByRole('button')],
    ['{ArrowUp}', 'the page', () => document.body],
  ])("'%s' leads from %s to the row that was focused last", async (key, _, place) => {
    begin();
    await user.keyboard('jj');
    act(() => (document.activeElement as HTMLElement).blur());
    act(() => place().focus());
    await user.keyboard(key);
    expect(line(3)).toHaveFocus();
    await user.keyboard('j');
    expect(line(2)).toHaveFocus();
  });

  test('in a field and in the tabs the arrows and letters stay what they are there', async () => {
    show();
    await user.click(screen.getByRole('textbox'));
    await user.keyboard('jk{ArrowDown}');
    expect(screen.getByRole('textbox')).toHaveFocus();
    expect(screen.getByRole('textbox')).toHaveValue('jk');
    act(() => screen.getByRole('tab', { name: /All/ }).focus());
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('tab', { name: /Waiting/ })).toHaveFocus();
  });

  test('D with orders selected dispatches them all, on a row and elsewhere', async () => {
    begin('/?tab=unassigned');
    await user.keyboard('xjxj');
    expect(line(1)).toHaveFocus();
    await user.keyboard('d');
    expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [4, 2] });
    act(closeDialog);
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard('d');
    expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [4, 2] });
  });

  test('D with orders selected says which of them the search hides, on a row and elsewhere', async () => {
    show('/?tab=unassigned');
    await user.click(screen.getByRole('checkbox', { name: 'Select all' }));
    await user.type(screen.getByRole('textbox'), 'volvo{Enter}');
    await waitFor(() => expect(line(4)).toHaveFocus());
    expect(numbers()).toEqual([4]);
    const dialog = { kind: 'dispatch', orders: [4, 2, 1], hidden: [2, 1] };
    await user.keyboard('d');
    expect(currentDialog()).toEqual(dialog);
    act(closeDialog);
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard('d');
    expect(currentDialog()).toEqual(dialog);
  });

  test('each action has its key', async () => {
    begin();
    for (const [key, dialog] of [
      ['r', { kind: 'reassign', order: 5 }],
      ['a', { kind: 'add', order: 5 }],
    ] as const) {
      await user.keyboard(key);
      expect(currentDialog()).toEqual(dialog);
      act(closeDialog);
    }
    // With one technician on it there is nothing to ask.
    await user.keyboard('u');
    expect(vi.mocked(unassignTechnician)).toHaveBeenCalledWith(expect.objectContaining({ roNumber: 5 }), 1);
    await user.keyboard('jo');
    expect(params().get('ro')).toBe('4');
  });

  test.each([
    ['s', 'Change status of RO 5'],
    ['p', 'Change priority of RO 5'],
    ['d', 'Technicians of RO 5'],
  ])('%s opens the picker at the cell, and the focus returns to the row', async (key, name) => {
    begin();
    await user.keyboard(key);
    expect(await screen.findByRole('dialog', { name })).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name })).toHaveFocus();
    // Keys pressed in the picker are the picker's.
    await user.keyboard('o');
    expect(screen.getByRole('combobox', { name })).toHaveValue('o');
    expect(params().has('ro')).toBe(false);
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await waitFor(() => expect(line(5)).toHaveFocus());
  });

  test('where the column is hidden a dialog opens', async () => {
    begin('/?columns=vehicle,status,-priority,-assignment,jobs,timeline');
    await user.keyboard('p');
    expect(currentDialog()).toEqual({ kind: 'priority', order: 5 });
    act(closeDialog);
    await user.keyboard('jd');
    expect(currentDialog()).toEqual({ kind: 'dispatch', orders: [4] });
  });

  test('a key does nothing that is impossible, not permitted, or handled elsewhere', async () => {
    begin('/', ['change-status']);
    await user.keyboard('pdrau');
    await user.keyboard('{Control>}o{/Control}{Alt>}o{/Alt}{Meta>}o{/Meta}');
    expect(currentDialog()).toBeNull();
    expect(params().has('ro')).toBe(false);
    await user.click(screen.getByRole('textbox'));
    await user.keyboard('o.');
    expect(screen.getByRole('textbox')).toHaveValue('o.');
  });

  test('x and Space tick an order, and a focused checkbox handles Space itself', async () => {
    begin('/?tab=unassigned');
    await user.keyboard('xj ');
    expect(screen.getByText('2 RO(s) selected')).toBeInTheDocument();
    act(() => screen.getByRole('checkbox', { name: 'Select RO 2' }).focus());
    await user.keyboard(' ');
    expect(screen.getByText('1 RO(s) selected')).toBeInTheDocument();
  });

  test('/ moves the focus to the search', async () => {
    begin();
    await user.keyboard('/');
    expect(screen.getByRole('textbox')).toHaveFocus();
    expect(screen.getByRole('textbox')).toHaveValue('');
  });
});

describe('while the focus is in a row', () => {
  test('rows stay in place, show their changes, and the new sort order waits', async () => {
    show();
    act(() => line(3).focus());
    await land(1, { appCustomerStatus: 'Waiting', priorityName: 'Waiting', vehicle: 'Seat Ibiza' });
    await land(9, {});
    expect(numbers()).toEqual([5, 4, 3, 2, 1]);
    expect(line(1)).toHaveTextContent('Seat Ibiza');
    expect(screen.getByText('1 new, 1 moved')).toBeInTheDocument();
    expect(screen.getByRole('tab', { name: /All/ })).toHaveTextContent('6');
    await user.keyboard('.');
    expect(numbers()).toEqual([5, 4, 1, 9, 3, 2]);
    expect(line(3)).toHaveFocus();
    expect(screen.queryByText('Newer order is waiting')).not.toBeInTheDocument();
  });

  test('a closed order stays, dimmed, with a label and without actions', async () => {
    show();
    act(() => line(3).focus());
    await land(2, null);
    expect(within(line(2)).getByText('Closed')).toBeInTheDocument();
    expect(line(2)).toHaveAttribute('aria-disabled', 'true');
    expect(within(line(2)).queryByRole('link')).not.toBeInTheDocument();
    expect(within(line(2)).queryByRole('button', { name: /RO 2/ })).not.toBeInTheDocument();
    await user.keyboard('jd');
    expect(currentDialog()).toBeNull();
  });

  test('an order that moved to another tab stays until the interaction ends', async () => {
    show('/?tab=drop');
    act(() => line(3).focus());
    await land(2, { appCustomerStatus: 'Used' });
    expect(within(line(2)).getByText('No longer on this tab')).toBeInTheDocument();
    act(() => screen.getByRole('textbox').focus());
    await waitFor(() => expect(numbers()).toEqual([3, 1]), { timeout: 2_000 });
  });

  test('a focused row that disappears passes the focus to the row in its place', async () => {
    show('/?tab=drop');
    act(() => line(2).focus());
    await land(2, null);
    await user.keyboard('.');
    expect(numbers()).toEqual([3, 1]);
    expect(line(1)).toHaveFocus();
  });

  test('another sort shows the newest order at once', async () => {
    show();
    fireEvent.pointerMove(line(3), { pointerType: 'mouse' });
    await land(9, {});
    expect(numbers()).not.toContain(9);
    fireEvent.click(within(header('RO Details')).getByRole('button'));
    expect(numbers()).toEqual([1, 2, 3, 4, 5, 9]);
  });
});
