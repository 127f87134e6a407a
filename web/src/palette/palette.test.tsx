import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createAtom } from '@tanstack/react-store';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { BrowserRouter, useLocation } from 'react-router';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import {
  assignTechnician,
  dispatchOrders,
  type EntryResult,
  fetchTechnicians,
  type Row,
  reassignTechnician,
  searchRepairOrders,
  unassignTechnician,
  undoChange,
  updatePriority,
  updateStatus,
} from '../api/repair-orders.ts';
import type { Permission } from '../api/session.ts';
import { fetchStages, setStage } from '../api/stages.ts';
import { technician } from '../api/technician.fixture.ts';
import { fetchViews } from '../api/views.ts';
import { defaultLayout } from '../dashboard/column-layout.ts';
import { DueFilterButtons } from '../dashboard/due-filter.tsx';
import { ListHead } from '../dashboard/list-head.tsx';
import { SearchBox, Tools } from '../dashboard/toolbar.tsx';
import { changeLanguage } from '../i18n/i18n.ts';
import { paletteEn } from '../i18n/palette.en.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { closeDialog, currentDialog, openDialog } from '../repair-order/open-dialog.ts';
import { emptyOrderCache, landList } from '../repair-order/order-cache.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { someStages } from '../repair-order/stages.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { ViewsMenu } from '../views/views-menu.tsx';
import { PaletteButton } from './palette-button.tsx';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
  assignTechnician: vi.fn(),
  dispatchOrders: vi.fn(),
  unassignTechnician: vi.fn(),
  reassignTechnician: vi.fn(),
  updatePriority: vi.fn(),
  updateStatus: vi.fn(),
  undoChange: vi.fn(),
  searchRepairOrders: vi.fn(),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  fetchStages: vi.fn(),
  setStage: vi.fn(),
}));
vi.mock('../api/views.ts', () => ({ fetchViews: vi.fn() }));
vi.mock('../api/socket.ts', () => ({ isConnected: () => true, sendNotice: () => Promise.resolve() }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: Permission) => permissions.includes(permission),
  useUser: () => ({ permissions }),
}));

// Loaded when first asked for; here beforehand, so that no test waits for it.
beforeAll(
  () =>
    Promise.all([import('./palette.tsx'), import('./palette-results.tsx'), import('./shortcuts-sheet.tsx')]),
  120_000,
);

let permissions: Permission[] = [];
const everything: Permission[] = ['change-status', 'change-priority', 'dispatch'];

beforeEach(() => {
  vi.clearAllMocks();
  permissions = everything;
  vi.mocked(fetchViews).mockResolvedValue([]);
  vi.mocked(searchRepairOrders).mockResolvedValue({ orders: [], next: null });
  vi.mocked(fetchTechnicians).mockResolvedValue([
    technician(31, 'Joe Alvarez', 'Brakes'),
    technician(32, 'Ann Lee', 'Engine'),
  ]);
});
afterEach(async () => {
  closeDialog();
  await changeLanguage('en');
});

async function open(
  rows = [row(104389, { version: 6 }), row(20001, { customer: 'LEE,SAM' })],
  screenTools: ReactNode = null,
  at = '/dashboard?tab=waiting',
) {
  history.replaceState(null, '', at);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  const Address = () => {
    const { pathname, search } = useLocation();
    return <output aria-label="Address">{`${pathname}${search}`}</output>;
  };
  render(
    <QueryClientProvider client={client}>
      <BrowserRouter>
        <input aria-label="Somewhere" />
        {screenTools}
        <PaletteButton screens={[]} />
        <Address />
      </BrowserRouter>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('textbox', { name: 'Somewhere' }));
  await user.keyboard('{Control>}k{/Control}');
  const field = await screen.findByRole('combobox', { name: 'Search or command' });
  expect(field).toHaveFocus();
  // The technicians are there.
  await waitFor(() => expect(client.isFetching()).toBe(0));
  return { user, client };
}

const suggestions = () => screen.queryAllByRole('option').map((option) => option.textContent);
const active = () => screen.getByRole('option', { selected: true });
const address = () => screen.getByRole('status', { name: 'Address' }).textContent;
const isGone = () => expect(screen.queryByRole('combobox')).not.toBeInTheDocument();

test("'4389 assign joe' and Enter assigns, on the version that was seen, and says so", async () => {
  vi.mocked(assignTechnician).mockResolvedValue([
    { ok: true, roNumber: 104389, version: 7, seq: 2, rows: [row(104389, { version: 7 })] },
  ]);
  const { user } = await open();
  await user.keyboard('4389 assign joe');
  expect(active()).toHaveTextContent('Assign Joe Alvarez to RO 104389Brakes · 0 open ROs');
  await user.keyboard('{Enter}');
  expect(assignTechnician).toHaveBeenCalledExactlyOnceWith({ roNumber: 104389, version: 6 }, 31);
  isGone();
  expect(await screen.findByText('Technician assigned successfully')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Undo' })).toBeInTheDocument();
});

const orderVersion = { roNumber: 104389, version: 6 };

test.each([
  ['4389 reassign ann', reassignTechnician, [orderVersion, 31, 32]],
  ['4389 remove joe', unassignTechnician, [orderVersion, 31]],
  ['4389 p h', updatePriority, [orderVersion, 3]],
  ['4389 status used', updateStatus, [orderVersion, 12]],
  ['ann 4389 reassign', reassignTechnician, [orderVersion, 31, 32]],
  ['high 4389', updatePriority, [orderVersion, 3]],
  ['used 4389', updateStatus, [orderVersion, 12]],
  ['unassign joe 4389', unassignTechnician, [orderVersion, 31]],
])("'%s' is executed with the right numbers", async (typed, change, sent) => {
  vi.mocked<(...sent: never[]) => Promise<EntryResult[]>>(change).mockResolvedValue([]);
  const on = row(104389, { version: 6, regularIdTechnician: 31, regularTechFullName: 'Joe Alvarez' });
  const { user } = await open([on]);
  await user.keyboard(`${typed}{Enter}`);
  expect(change).toHaveBeenCalledExactlyOnceWith(...sent);
});

test('the open order is moved and held by words alone, in a shop with stages', async () => {
  permissions = [...everything, 'change-stages'];
  vi.mocked(fetchStages).mockResolvedValue(someStages);
  vi.mocked(setStage).mockResolvedValue([]);
  const { user } = await open(
    [row(104389, { version: 6, stage: 'in-work' }), row(20001, { stage: 'ready' })],
    null,
    '/dashboard?ro=104389',
  );
  await waitFor(() => expect(suggestions().join()).toContain('Move RO 104389 to a stage'));
  expect(suggestions().join()).toContain('Put RO 104389 on hold...');
  await user.keyboard('waiting for parts');
  expect(active()).toHaveTextContent('Move RO 104389 to: Waiting for parts');
  await user.keyboard('{Enter}');
  expect(setStage).toHaveBeenCalledExactlyOnceWith(
    { roNumber: 104389, version: 6 },
    'waiting-for-parts',
    false,
  );
  isGone();
  await user.keyboard('{Control>}k{/Control}');
  await user.keyboard('hold{Enter}');
  await waitFor(() => expect(currentDialog()).toEqual({ kind: 'hold', order: 104389, hold: null }));
});

test('several numbers and a name assign them together, and each number has to be sure', async () => {
  vi.mocked(dispatchOrders).mockResolvedValue([]);
  const rows = [row(104389, { version: 6 }), row(104390, { version: 2 }), row(4390)];
  const { user } = await open(rows);
  await user.keyboard('assign joe 4389 390');
  expect(suggestions()).toEqual([]);
  expect(
    await screen.findByText('More than one RO ends in 390: type more of its number'),
  ).toBeInTheDocument();
  await user.keyboard('{Enter}{Backspace>3/}104390');
  expect(suggestions()).toEqual([expect.stringContaining('Assign Joe Alvarez to ROs 104389, 104390')]);
  await user.keyboard('{Enter}');
  const orders = [orderVersion, { roNumber: 104390, version: 2 }];
  expect(dispatchOrders).toHaveBeenCalledExactlyOnceWith(orders, 31);
  isGone();
});

test('a name with a number says what it would do, and on an assigned order nobody is removed by it', async () => {
  const on = row(104389, { regularIdTechnician: 31, regularTechFullName: 'Joe Alvarez' });
  const { user } = await open([on]);
  await user.keyboard('ann 4389');
  expect(suggestions()).toEqual([
    expect.stringContaining('Add Ann Lee to RO 104389'),
    expect.stringContaining('Reassign RO 104389 from Joe Alvarez to Ann Lee'),
  ]);
  await user.clear(screen.getByRole('combobox'));
  await user.keyboard('joe 4389');
  expect(suggestions().join()).not.toContain('Remove');
  await user.keyboard('{Enter}');
  expect(unassignTechnician).not.toHaveBeenCalled();
});

test.each(['open 20001', '20001 open', 'story 20001'])("'%s' opens the order's details", async (typed) => {
  const { user } = await open();
  await user.keyboard(`${typed}{Enter}`);
  await waitFor(() => expect(address()).toBe('/dashboard?tab=waiting&ro=20001'));
});

/** The server's refusal: somebody else has made the order this meanwhile. */
function staleWith(changes: Partial<Row>): ApiError {
  const now = row(104389, { version: 7, ...changes });
  const current = { rows: [now], version: 7, changedBy: null, changedAt: null };
  const refused = {
    ok: false,
    roNumber: 104389,
    code: 'stale-version' as const,
    error: 'It is newer.',
    current,
  };
  return new ApiError(409, 'stale-version', 'It is newer.', refused);
}

/** Somebody else has given the order to a technician meanwhile. */
function refuseAsStale(): void {
  const stale = staleWith({ regularIdTechnician: 32, regularTechFullName: 'Ann Lee' });
  vi.mocked(assignTechnician).mockRejectedValue(stale);
}

test('an order that changed meanwhile opens its dialog for a decision', async () => {
  refuseAsStale();
  const { user } = await open();
  await user.keyboard('4389 assign joe{Enter}');
  await waitFor(() => expect(currentDialog()).toEqual({ kind: 'add', order: 104389 }));
});

test('the dialog that is open when that is heard of keeps its place', async () => {
  refuseAsStale();
  const { user } = await open();
  const opened = { kind: 'priority', order: 20001 } as const;
  openDialog(opened);
  await user.keyboard('4389 assign joe{Enter}');
  await waitFor(() => expect(assignTechnician).toHaveBeenCalled());
  await act(async () => undefined);
  expect(currentDialog()).toBe(opened);
  closeDialog();
  expect(currentDialog()).toEqual({ kind: 'add', order: 104389 });
});

test('what an answer asks is asked on the desk, wherever the command was given', async () => {
  vi.mocked(updateStatus).mockRejectedValueOnce(staleWith({ appCustomerStatus: 'PDI' }));
  const { user } = await open([row(104389, { version: 6 })], null, '/technicians');
  await user.keyboard('4389 used{Enter}');
  const choice = { field: 'status', status: 'Used' };
  await waitFor(() => expect(currentDialog()).toMatchObject({ kind: 'conflict', choice }));
  await waitFor(() => expect(address()).toBe('/dashboard'));
});

test.each([
  ['999999 status used', 'Set RO 999999 to Used', 'RO 999999 not found in current data'],
  ['4389 status foo', 'Set RO 104389 to foo', 'Invalid status: foo'],
])("'%s' is offered as typed, and Enter says what is wrong with it", async (typed, offer, toast) => {
  const { user } = await open();
  await user.keyboard(typed);
  expect(active()).toHaveTextContent(offer);
  await user.keyboard('{Enter}');
  expect(await screen.findByText(toast)).toBeInTheDocument();
  expect(updateStatus).not.toHaveBeenCalled();
});

test('a number offers the order and its actions; choosing a verb asks for the argument', async () => {
  const { user } = await open();
  await user.keyboard('104389');
  expect(suggestions()).toEqual([
    expect.stringContaining('104389Smith, Jo'),
    expect.stringContaining('Set status of RO 104389'),
    expect.stringContaining('Set priority of RO 104389'),
    expect.stringContaining('Assign a technician to RO 104389'),
    expect.stringContaining('Copy VIN of RO 104389'),
    expect.stringContaining('Open the technician stories of RO 104389'),
  ]);
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  expect(screen.getByRole('combobox')).toHaveValue('104389 assign ');
  expect(suggestions()).toEqual([
    expect.stringContaining('Assign Ann Lee to RO 104389'),
    expect.stringContaining('Assign Joe Alvarez to RO 104389'),
  ]);
});

test('a user without permissions is offered no change', async () => {
  permissions = [];
  const { user } = await open();
  expect(suggestions().join()).not.toContain('Undo');
  await user.keyboard('104389');
  expect(suggestions()).toEqual([
    expect.stringContaining('104389Smith, Jo'),
    expect.stringContaining('Copy VIN of RO 104389'),
    expect.stringContaining('Open the technician stories of RO 104389'),
  ]);
  await user.keyboard(' assign joe');
  expect(suggestions()).toEqual([]);
  await user.keyboard('{Enter}');
  expect(assignTechnician).not.toHaveBeenCalled();
});

test.each<[string, Permission[], string]>([
  ['who may dispatch', everything, '4389 assign joe'],
  ['who may change the priority', ['change-status', 'change-priority'], '4389 high'],
  ['who may do neither', ['change-status'], 'smith'],
])('the example is one for a user %s', async (_, granted, example) => {
  permissions = granted;
  await open();
  expect(screen.getByText(example)).toBeInTheDocument();
});

const onlyDispatchers = 'Only owners and admins give orders to technicians';
const onlyDesk = 'Only owners, admins and advisors change the priority';

test.each<[string, Permission[], string]>([
  ['4389 assign joe', ['change-status', 'change-priority'], onlyDispatchers],
  ['4389 assign nobody', ['change-status', 'change-priority'], onlyDispatchers],
  ['4389 joe', ['change-status', 'change-priority'], onlyDispatchers],
  ['4389 20001 assign joe', ['change-status', 'change-priority'], onlyDispatchers],
  ['4389 priority high', ['change-status'], onlyDesk],
  ['4389 high', ['change-status'], onlyDesk],
  ['4389 used', [], 'Your roles do not permit this.'],
  // What is wrong with it is not who types it.
  ['999999 assign joe', ['change-status'], 'RO 999999 not found in current data'],
  ['4389 priority zzz', ['change-status', 'change-priority'], 'Nothing matches'],
  ['4389 zzz', [], 'Nothing matches'],
])("'%s' by a user with %j says '%s'", async (text, granted, answer) => {
  permissions = granted;
  const { user } = await open();
  await user.keyboard(text);
  expect(suggestions()).toEqual([]);
  expect(await screen.findByText(answer)).toBeInTheDocument();
});

test("Enter on an order opens its details in the desk's address", async () => {
  const { user } = await open();
  await user.keyboard('104389{Enter}');
  isGone();
  await waitFor(() => expect(address()).toBe('/dashboard?tab=waiting&ro=104389'));
});

test('choosing a technician searches the desk, and suggestions name orders and technicians', async () => {
  const { user } = await open();
  await user.keyboard('lee');
  expect(suggestions()).toEqual([
    expect.stringMatching(/^Ann Lee.*Technician$/),
    expect.stringMatching(/^20001Lee, Sam.*Repair order$/),
  ]);
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/dashboard?q=Ann+Lee'));
});

test('the arrows wrap around, and Escape returns the focus', async () => {
  const { user } = await open();
  const first = active().textContent;
  await user.keyboard('{ArrowUp}');
  expect(active()).toHaveTextContent('Sign out');
  expect(screen.getByRole('combobox')).toHaveAttribute('aria-activedescendant', active().id);
  await user.keyboard('{ArrowDown}');
  expect(active()).toHaveTextContent(first ?? 'nothing');
  await user.keyboard('{Escape}');
  isGone();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Somewhere' })).toHaveFocus());
});

test('with nothing typed, what can be done comes first, then where one can go, and each place once', async () => {
  await open();
  const kinds = suggestions().map((text) => /(Action|Go to|Setting)$/.exec(text ?? '')?.[1]);
  const places = kinds.indexOf('Go to');
  expect(new Set(kinds.slice(0, places))).toEqual(new Set(['Action']));
  expect(kinds.filter((kind) => kind === 'Go to')).toHaveLength(6);
  const glyphs = screen.getAllByRole('option').map((option) => option.querySelector('svg')?.innerHTML);
  expect(new Set(glyphs.slice(places, places + 6)).size).toBe(6);
});

test('with nothing typed, the actions on the order whose details are open come first', async () => {
  await open(undefined, null, '/dashboard?ro=104389');
  expect(active()).toHaveTextContent('Set status of RO 104389');
});

test('a view is found by its name, and opened', async () => {
  const author = { uid: 'bo', name: 'Bo Reed' };
  vi.mocked(fetchViews).mockResolvedValue([
    { viewId: 'v1', name: 'Morning round', query: 'tab=pdi&q=a', shared: true, version: 1, author },
  ]);
  const { user } = await open();
  await user.keyboard('view morn');
  expect(active()).toHaveTextContent('Morning round');
  await user.keyboard('{Enter}');
  await waitFor(() => expect(address()).toBe('/dashboard?tab=pdi&q=a'));
});

test('a tab, the theme and the language are found by a few letters, and Ctrl-K again closes', async () => {
  const { user } = await open();
  await user.keyboard('waiting cu{Enter}');
  await waitFor(() => expect(address()).toBe('/dashboard?tab=waiting'));
  await user.keyboard('{Control>}k{/Control}dark{Enter}');
  expect(document.documentElement).toHaveAttribute('data-theme', 'dark');
  await user.keyboard('{Control>}k{/Control}deutsch{Enter}');
  await waitFor(() => expect(document.documentElement).toHaveAttribute('lang', 'de'));
  await user.keyboard('{Control>}k{/Control}');
  expect(await screen.findByRole('combobox', { name: 'Suche oder Befehl' })).toBeInTheDocument();
  await user.keyboard('{Control>}k{/Control}');
  isGone();
});

test('Z undoes the last change', async () => {
  vi.mocked(assignTechnician).mockResolvedValue([
    { ok: true, roNumber: 104389, version: 7, seq: 2, rows: [row(104389, { version: 7 })] },
  ]);
  vi.mocked(undoChange).mockResolvedValue([]);
  const { user } = await open();
  await user.keyboard('4389 assign joe{Enter}');
  await screen.findByText('Technician assigned successfully');
  await user.keyboard('z');
  expect(undoChange).not.toHaveBeenCalled();
  await user.tab();
  await user.keyboard('z');
  await waitFor(() => expect(undoChange).toHaveBeenCalledExactlyOnceWith(104389, 2));
});

async function openSheet() {
  const { user } = await open([]);
  await user.keyboard('keyboard{Enter}');
  return { user, sheet: await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }) };
}

const keyOf = (what: string) => screen.getByText(what).parentElement?.querySelector('dd')?.textContent;

test('the sheet of shortcuts lists every key', async () => {
  const { user, sheet } = await openSheet();
  expect(
    within(sheet)
      .getAllByRole('heading', { level: 3 })
      .map((group) => group.textContent),
  ).toEqual(['Anywhere', 'At the desk', 'In menus and dialogs', 'On an order']);
  expect(keyOf('Commands')).toBe('CtrlK');
  expect(keyOf('Change the status')).toBe('S');
  expect(keyOf('Open the details')).toBe('EnterorO');
  expect(keyOf('Next order')).toBe('↓orJ');
  expect(keyOf('Dispatch the selected orders')).toBe('D');
  expect(keyOf('To its buttons, and back')).toBe('→or←');
  await user.keyboard('{Escape}');
  expect(sheet).not.toBeInTheDocument();
  await user.tab();
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument();
});

test('the sheet of shortcuts omits what the user may not do', async () => {
  permissions = ['change-status'];
  await openSheet();
  expect(screen.getByText('Change the status')).toBeInTheDocument();
  expect(screen.getByText('Undo the last change')).toBeInTheDocument();
  for (const what of [
    'Change the priority',
    'Assign a technician',
    'Select for dispatching, on Unassigned',
    'Dispatch the selected orders',
  ]) {
    // Else nothing would be looked for.
    expect(Object.values(paletteEn.keys.order)).toContain(what);
    expect(screen.queryByText(what)).not.toBeInTheDocument();
  }
});

test('the sheet has no keys of the stage view where the shop has no stages', async () => {
  permissions = [...everything, 'change-stages'];
  await openSheet();
  expect(screen.queryByText(/stage/)).not.toBeInTheDocument();
});

test('the sheet has the keys of the stage view where the shop has stages', async () => {
  permissions = [...everything, 'change-stages'];
  vi.mocked(fetchStages).mockResolvedValue(someStages);
  const { user } = await open([row(104389, { stage: 'in-work' })], null);
  await waitFor(() => expect(fetchStages).toHaveBeenCalled());
  await user.keyboard('keyboard{Enter}');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await waitFor(() => expect(keyOf('In the stage view: the card in the stage beside it')).toBe('→or←'));
});

const closed = {
  repairOrderNumber: 777,
  vehicleVIN: '',
  vehicle: '2015 Toyota Tundra',
  customer: 'LEE,ANN',
  advisor: '',
  technicians: [],
  status: 'Drop' as const,
  createDateTime: '2026-01-02T14:00:00Z',
  closedDateTime: '2026-01-03T14:00:00Z',
};

test('closed orders are offered behind the open ones, and open their details', async () => {
  const stillOpen = { ...closed, repairOrderNumber: 20001, closedDateTime: null };
  vi.mocked(searchRepairOrders).mockResolvedValue({ orders: [stillOpen, closed], next: null });
  const { user } = await open();
  await user.keyboard('lee');
  const offer = await screen.findByRole('option', {
    name: /^777 ?Lee, Ann · 2015 Toyota Tundra ?Closed order$/,
  });
  expect(suggestions().filter((text) => text?.startsWith('20001'))).toHaveLength(1);
  expect(screen.getAllByRole('option').at(-1)).toBe(offer);
  expect(searchRepairOrders).toHaveBeenLastCalledWith(
    { q: 'lee', closed: true, limit: 50 },
    expect.anything(),
  );
  await user.click(offer);
  await waitFor(() => expect(address()).toBe('/dashboard?tab=waiting&ro=777'));
  isGone();
});

test('what another text found among the closed orders is not offered', async () => {
  vi.mocked(searchRepairOrders).mockResolvedValue({
    orders: [closed],
    next: null,
  });
  const { user } = await open();
  await user.keyboard('lee');
  await screen.findByRole('option', { name: /^777/ });
  vi.mocked(searchRepairOrders).mockReturnValue(new Promise(() => undefined));
  await user.keyboard('x');
  expect(screen.queryByRole('option', { name: /^777/ })).not.toBeInTheDocument();
  expect(screen.getByText('Searching closed orders...')).toBeInTheDocument();
});

/** What the palette offers for each button above the desk's list. A new button needs its action. */
const actionOfTool: Readonly<Record<string, string>> = {
  'Overdue 2': 'Filter: Overdue',
  'Due soon 1': 'Clear the filter Due soon',
  'Clear search': 'Clear search',
  'Your last changes': 'Your last changes',
  Views: 'Save or change views...',
  Columns: 'Columns',
  'Comfortable rows': 'Dense rows',
  'Dense rows': 'Dense rows',
  'Export as CSV': 'Export as CSV',
  Print: 'Print the list',
};

const chooseDue = vi.fn();
const nothing = () => undefined;
const deskTools = (
  <section aria-label="Tools of the desk">
    <ListHead
      narrow={false}
      crowded={false}
      figures={null}
      dueFilter={<DueFilterButtons counts={{ overdue: 2, soon: 1 }} chosen="soon" choose={chooseDue} />}
      search={
        <SearchBox
          crowded={false}
          typed={createAtom('lee')}
          type={nothing}
          clear={nothing}
          goToFirst={nothing}
          input={{ current: null }}
          hits={null}
        />
      }
      tools={
        <>
          <ViewsMenu query="" choose={nothing} />
          <Tools
            crowded={false}
            layout={defaultLayout}
            chooseLayout={nothing}
            density="comfortable"
            presentation="list"
            chooseDensity={nothing}
            exportList={nothing}
          />
        </>
      }
    />
  </section>
);

test("each button of the desk's tools has an action, and the action does what the button does", async () => {
  const { user } = await open([], deskTools);
  // Behind the palette they have no role.
  const buttons = [...document.querySelectorAll('section[aria-label="Tools of the desk"] button')];
  const names = buttons.map((button) => button.getAttribute('aria-label') ?? button.textContent);
  expect(names.toSorted()).toEqual(Object.keys(actionOfTool).toSorted());
  for (const action of Object.values(actionOfTool)) {
    expect(suggestions()).toContainEqual(expect.stringContaining(action));
  }
  await user.keyboard('filter over{Enter}');
  await waitFor(() => expect(chooseDue).toHaveBeenCalledExactlyOnceWith('overdue'));
});

test("without the desk on screen none of its tools' actions is offered", async () => {
  await open();
  expect(suggestions().join()).not.toMatch(/Filter: Overdue|Export as CSV|Your last changes|Columns/);
});
