import { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, undoChange, updatePriority } from '../api/repair-orders.ts';
import { currentToast } from '../ui/toaster.ts';
import { type ChangeChannel, changesOf, pickChoice } from './change-execution.ts';
import type { Choice } from './choice.ts';
import { DialogHost } from './dialog-host.fixture.ts';
import { cachedOrders, landRo, openOrders } from './live-orders.ts';
import { closeDialog, currentDialog } from './open-dialog.ts';
import { emptyOrderCache, landList, type OpenOrder } from './order-cache.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  updatePriority: vi.fn(),
  undoChange: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  isConnected: () => true,
  sendNotice: async () => undefined,
}));

const update = vi.mocked(updatePriority);
const toHigh: Choice = { field: 'priority', priority: 'High' };
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(7)], seq: 1 }, 0));
  update.mockReset();
});

afterEach(closeDialog);

function changed(version: number, changes: Partial<Row>): ChangedResult {
  return { roNumber: 7, ok: true, version, seq: version, rows: [row(7, { version, ...changes })] };
}

/** The server's refusal: somebody has made the order this. */
function stale(version: number, changes: Partial<Row>): ApiError {
  const current = {
    rows: [row(7, { version, ...changes })],
    version,
    changedBy: { uid: 'u2', name: 'Ben' },
    changedAt: '2026-03-02T15:00:00Z',
  };
  const refused = {
    ok: false,
    code: 'stale-version',
    error: 'It has changed.',
    roNumber: 7,
    current,
  } as const;
  return new ApiError(409, 'stale-version', 'It has changed.', refused);
}

function shown(): OpenOrder {
  const order = cachedOrders(client).open.get(7);
  if (order === undefined) throw new Error('There is no such order.');
  return order;
}

const sentVersions = () => update.mock.calls.map(([{ version }]) => version);

test('the answer lands, and the toast undoes the change', async () => {
  update.mockResolvedValueOnce([changed(2, { priorityName: 'High' })]);
  await changesOf(client).pick(shown(), toHigh);
  expect(shown().order.priority).toBe('High');
  expect(currentToast()?.text).toBe('Priority updated to High');

  vi.mocked(undoChange).mockResolvedValueOnce([changed(3, { priorityName: 'Low' })]);
  currentToast()?.action?.run();
  await vi.waitFor(() => expect(currentToast()?.text).toBe('Change undone'));
  expect(undoChange).toHaveBeenCalledWith(7, 2);
  expect(shown().order.priority).toBe('Low');
});

test('what is already so is not sent, and that is said, wherever it was chosen', async () => {
  const toLow = { field: 'priority', priority: 'Low' } as const;
  const already = 'RO 7 already has the priority Low';
  await changesOf(client).pick(shown(), toLow);
  expect(currentToast()).toMatchObject({ text: already });
  expect(currentToast()?.tone).toBe('default');
  const first = currentToast()?.id;
  expect(await changesOf(client).send({ roNumber: 7, version: 1 }, toLow)).toEqual({ kind: 'done' });
  expect(currentToast()?.text).toBe(already);
  expect(currentToast()?.id).not.toBe(first);
  expect(update).not.toHaveBeenCalled();
});

test('what was already so at another version than the one chosen on is the server’s to say', async () => {
  update.mockResolvedValueOnce([changed(2, {})]);
  await changesOf(client).send({ roNumber: 7, version: undefined }, { field: 'priority', priority: 'Low' });
  expect(update).toHaveBeenCalledOnce();
});

test('a change of another field on the way is no obstacle: the choice is sent again on the newer version', async () => {
  update.mockRejectedValueOnce(stale(2, { appCustomerStatus: 'PDI' }));
  update.mockResolvedValueOnce([changed(3, { appCustomerStatus: 'PDI', priorityName: 'High' })]);
  await changesOf(client).pick(shown(), toHigh);
  expect(sentVersions()).toEqual([1, 2]);
  expect(currentDialog()).toBeNull();
  expect(shown().order).toMatchObject({ priority: 'High', status: 'PDI' });
});

test('a change that landed in an open picker is what the pick is decided on, and nothing to ask about', async () => {
  landRo(client, { roNumber: 7, version: 2, seq: 2, rows: [row(7, { version: 2, priorityName: 'Medium' })] });
  update.mockResolvedValueOnce([changed(3, { priorityName: 'High' })]);
  await changesOf(client).pick(shown(), toHigh);
  expect(sentVersions()).toEqual([2]);
  expect(currentDialog()).toBeNull();
});

test('a change of the same field on the way is the user’s to decide', async () => {
  render(createElement(DialogHost));
  const opened = shown();
  update.mockRejectedValueOnce(stale(2, { priorityName: 'Medium' }));
  await changesOf(client).pick(opened, toHigh);
  expect(sentVersions()).toEqual([1]);
  expect(currentDialog()).toEqual({ kind: 'conflict', shown: opened, choice: toHigh });
});

test('where nobody would see that question, a toast says who was faster, and nothing waits to be asked', async () => {
  const { unmount } = render(createElement(DialogHost));
  unmount();
  update.mockRejectedValueOnce(stale(2, { priorityName: 'Medium' }));
  await changesOf(client).pick(shown(), toHigh);
  expect(sentVersions()).toEqual([1]);
  expect(currentDialog()).toBeNull();
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'Failed to update priority',
    detail: 'RO 7: Ben was faster. Look at the order and choose again.',
  });
});

test('whoever brings the user to the question has it asked all the same', async () => {
  const opened = shown();
  update.mockRejectedValueOnce(stale(2, { priorityName: 'Medium' }));
  await changesOf(client, () => true).pick(opened, toHigh);
  expect(currentDialog()).toEqual({ kind: 'conflict', shown: opened, choice: toHigh });
});

test('what was refused is said with its order', async () => {
  update.mockRejectedValueOnce(new ApiError(409, 'repair-order-closed', 'Not today.'));
  await changesOf(client).pick(shown(), toHigh);
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'Failed to update priority',
    detail: 'RO 7: Not today.',
  });
});

test('when both chose the same there is nothing to decide', async () => {
  update.mockRejectedValueOnce(stale(2, { priorityName: 'High' }));
  await changesOf(client).pick(shown(), toHigh);
  expect(currentDialog()).toBeNull();
  expect(currentToast()).toMatchObject({ tone: 'default', text: 'Priority updated to High' });
});

test('a channel may keep a change for later, without a version and without a word', async () => {
  const channel: ChangeChannel = {
    namesVersion: () => false,
    send: vi.fn(async () => null),
    refused: vi.fn(),
    overtaken: vi.fn(),
    closed: vi.fn(),
  };
  const toast = currentToast();
  await pickChoice(client, shown(), toHigh, channel);
  expect(channel.send).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ orders: [{ roNumber: 7, version: undefined }] }),
  );
  expect(currentToast()).toBe(toast);
  expect(channel.refused).not.toHaveBeenCalled();
});

test('a channel tells its user what was refused, overtaken or closed', async () => {
  const channel: ChangeChannel = {
    namesVersion: () => true,
    send: vi.fn<ChangeChannel['send']>(),
    refused: vi.fn(),
    overtaken: vi.fn(),
    closed: vi.fn(),
  };
  const refusal = new ApiError(403, 'forbidden', 'No.');
  vi.mocked(channel.send).mockRejectedValueOnce(refusal);
  await pickChoice(client, shown(), toHigh, channel);
  expect(channel.refused).toHaveBeenCalledExactlyOnceWith(expect.anything(), refusal);

  const opened = shown();
  vi.mocked(channel.send).mockRejectedValueOnce(stale(2, { priorityName: 'Medium' }));
  await pickChoice(client, opened, toHigh, channel);
  expect(channel.overtaken).toHaveBeenCalledExactlyOnceWith(opened, toHigh, shown());

  const last = shown();
  vi.mocked(channel.send).mockImplementationOnce(async () => {
    landRo(client, { roNumber: 7, version: 3, seq: 3, rows: [] });
    throw stale(3, {});
  });
  await pickChoice(client, last, toHigh, channel);
  expect(channel.closed).toHaveBeenCalledExactlyOnceWith(last, toHigh, 'Somebody else closed RO 7.');
  expect(currentDialog()).toBeNull();
});
