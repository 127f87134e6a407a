import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import type { Row } from '../api/repair-orders.ts';
import { type Hold, startHold } from '../api/stages.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { HoldDialog } from './hold-dialog.tsx';
import { openOrders } from './live-orders.ts';
import { type Author, emptyOrderCache, landList, landOrders } from './order-cache.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/socket.ts', () => ({
  isConnected: () => true,
  sendNotice: vi.fn(async () => undefined),
  sendPresence: vi.fn(async () => undefined),
  openSocket: vi.fn(),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  startHold: vi.fn(),
}));
// Its clock is put forward on 8 March 2026 from 2 to 3, and back on 1 November from 2 to 1.
vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

const user = userEvent.setup();
const close = vi.fn();
const parts = { id: 5, reason: 'parts', since: '2026-03-02T14:00:00Z', whoActs: 'parts' } as Hold;

beforeAll(() => loadTexts(stageTexts));

beforeEach(() => {
  vi.mocked(startHold).mockReset().mockResolvedValue([]);
  close.mockReset();
});

function open(hold?: Hold) {
  const client = new QueryClient();
  const rows = [row(7, { holds: hold === undefined ? [] : [hold] })];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  render(
    <QueryClientProvider client={client}>
      <HoldDialog order={7} hold={hold?.id ?? null} close={close} />
    </QueryClientProvider>,
  );
  return client;
}

const expected = () => screen.getByLabelText('Expected until');
const type = (value: string) => fireEvent.change(expected(), { target: { value } });
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const sent = () => vi.mocked(startHold).mock.lastCall?.[1].expectedUntil;

test('an expected end that does not exist is not sent: its field says why, and has the focus', async () => {
  open();
  type('2026-03-08T02:30');
  await press('Put on hold');
  expect(startHold).not.toHaveBeenCalled();
  expect(expected()).toHaveFocus();
  expect(expected()).toBeInvalid();
  expect(expected()).toHaveAccessibleDescription(/there is no 2:30\sAM/);
  type('2026-03-08T03:30');
  await press('Put on hold');
  await waitFor(() => expect(sent()).toBe('2026-03-08T07:30:00.000Z'));
});

test('of an expected end that comes twice the one that was chosen is sent', async () => {
  open();
  type('2026-11-01T01:30');
  await user.click(screen.getByRole('radio', { name: /^The second/ }));
  await press('Put on hold');
  await waitFor(() => expect(sent()).toBe('2026-11-01T06:30:00.000Z'));
});

test('no expected end is none, and asks nothing', async () => {
  open();
  expect(screen.queryByRole('radio', { name: /^The (first|second)/ })).toBeNull();
  await press('Put on hold');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(sent()).toBeUndefined();
});

test('what was not entered of a new hold is not sent: it may begin where there is one already', async () => {
  open();
  await press('Put on hold');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(vi.mocked(startHold).mock.lastCall?.[1]).toEqual({ reason: 'parts' });
});

test('what was entered of a new hold is sent, also who usually acts where they were chosen', async () => {
  open();
  await user.selectOptions(screen.getByLabelText('Who acts'), 'sublet');
  await user.selectOptions(screen.getByLabelText('Who acts'), 'parts');
  await user.type(screen.getByLabelText('Note'), ' Backordered ');
  await press('Put on hold');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(vi.mocked(startHold).mock.lastCall?.[1]).toEqual({
    reason: 'parts',
    whoActs: 'parts',
    note: 'Backordered',
  });
});

test('what was taken from a hold is sent as nothing', async () => {
  open({ ...parts, expectedUntil: '2026-03-02T20:00:00.000Z', note: 'Backordered' });
  await user.clear(screen.getByLabelText('Note'));
  await press('Nobody knows');
  await press('Save');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(vi.mocked(startHold).mock.lastCall?.[1]).toEqual({
    reason: 'parts',
    whoActs: 'parts',
    note: '',
    expectedUntil: null,
  });
});

test('a hold that is expected to end the second time still is', async () => {
  open({
    id: 5,
    reason: 'parts',
    since: '2026-10-31T14:00:00.000Z',
    expectedUntil: '2026-11-01T06:30:00.000Z',
    whoActs: 'parts',
  } as Hold);
  expect(expected()).toHaveValue('2026-11-01T01:30');
  await press('Save');
  await waitFor(() => expect(sent()).toBe('2026-11-01T06:30:00.000Z'));
});

/** Somebody else has ended it. */
function end(client: QueryClient, by?: Author, changes: Partial<Row> = {}) {
  const rows = [row(7, { holds: [], version: 9, ...changes })];
  const order = { roNumber: 7, rows, version: 9, seq: 2, by };
  act(
    () => void client.setQueryData(openOrders.queryKey, (before) => before && landOrders(before, [order], 0)),
  );
}

test('a hold that ended before anything was entered says by whom, asks nothing, and can begin again', async () => {
  const client = open(parts);
  expect(screen.getByRole('button', { name: 'End hold' })).toBeInTheDocument();
  // 9:05 at the shop.
  end(client, { person: { uid: 'd', name: 'Dana Whitfield' }, at: Date.parse('2026-03-02T14:05:00Z') });
  expect(await screen.findByText(/^Dana Whitfield ended this hold at 9:05\sAM\.$/)).toHaveAttribute(
    'role',
    'status',
  );
  expect(screen.queryByRole('alert')).toBeNull();
  for (const name of ['End hold', 'Keep my choice', 'Take theirs', 'Cancel'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.getAllByRole('button', { name: 'Close' })).toHaveLength(2);
  await user.type(screen.getByLabelText('Note'), 'Backordered');
  expect(screen.queryByRole('alert')).toBeNull();
  await press('Put on hold');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(vi.mocked(startHold).mock.lastCall?.[1]).toMatchObject({ reason: 'parts', note: 'Backordered' });
  expect(sent()).toBeUndefined();
});

test('the end of a hold is said once', async () => {
  const client = open(parts);
  end(client);
  expect(await screen.findByText('This hold has ended.')).toHaveAttribute('role', 'status');
  expect(screen.queryByText(/^Meanwhile/)).toBeNull();
});

test('what was changed besides the end of a hold is said beside it', async () => {
  const client = open(parts);
  end(client, undefined, { priorityName: 'High' });
  expect(await screen.findByText('This hold has ended.')).toHaveAttribute('role', 'status');
  expect(screen.getByText(/^Meanwhile/)).toBeInTheDocument();
  expect(screen.getByText('Priority:')).toBeInTheDocument();
  expect(screen.queryByText('Holds:')).toBeNull();
});

test('a hold that ended while somebody wrote about it asks whether that stands, and then begins it anew', async () => {
  const client = open(parts);
  await user.type(screen.getByLabelText('Note'), 'Backordered');
  end(client);
  expect(await screen.findByRole('alert')).toHaveTextContent('Holds: Parts → –');
  // The question says it: once is enough.
  expect(screen.queryByText('This hold has ended.')).toBeNull();
  expect(screen.queryByRole('button', { name: 'End hold' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Put on hold' })).toBeDisabled();
  await press('Keep my choice');
  expect(screen.getByText('This hold has ended.')).toBeInTheDocument();
  await press('Put on hold');
  await waitFor(() => expect(startHold).toHaveBeenCalledOnce());
  expect(sent()).toBeUndefined();
});

test('a hold that ended while it was being saved does not begin again by itself', async () => {
  let refuse: (failure: ApiError) => void = () => undefined;
  vi.mocked(startHold).mockReturnValueOnce(
    new Promise((_, reject) => {
      refuse = reject;
    }),
  );
  const client = open(parts);
  await press('Save');
  end(client);
  const current = { rows: [row(7, { holds: [], version: 9 })], version: 9, changedBy: null, changedAt: null };
  const refusal = {
    ok: false,
    error: 'It has changed.',
    code: 'stale-version' as const,
    roNumber: 7,
    current,
  };
  await act(async () => refuse(new ApiError(409, 'stale-version', 'It has changed.', refusal)));
  expect(await screen.findByRole('button', { name: 'Put on hold' })).toBeEnabled();
  expect(startHold).toHaveBeenCalledOnce();
});
