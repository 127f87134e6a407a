// What arrives, how it is answered, and what the desk is told of it.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import { fetchReceipts, type Receipt, reportStage } from '../api/receipts.ts';
import type { RoModified, SocketMessages } from '../api/socket.ts';
import { submit } from '../offline/outbox.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { useAssignments } from './assignments.ts';

vi.mock('../api/receipts.ts', async (original) => ({
  ...(await original<typeof import('../api/receipts.ts')>()),
  fetchReceipts: vi.fn(),
  reportStage: vi.fn(),
}));
vi.mock('../offline/outbox.ts', async (original) => ({
  ...(await original<typeof import('../offline/outbox.ts')>()),
  submit: vi.fn(),
}));

type Listener = (message: SocketMessages[keyof SocketMessages] | null) => void;
const wire = vi.hoisted(() => ({ listeners: new Map<string, Set<Listener>>() }));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  onSocketMessage: (name: string, listener: Listener) => {
    const all = wire.listeners.get(name) ?? new Set();
    wire.listeners.set(name, all.add(listener));
    return () => all.delete(listener);
  },
}));

const arrived = vi.fn();
const by = { uid: 'u9', name: 'Dana Whitfield' };

function say<Name extends keyof SocketMessages>(name: Name, message: SocketMessages[Name] | null): void {
  act(() => {
    for (const listener of wire.listeners.get(name) ?? []) listener(message);
  });
}

function assigned(roNumber: number, seq: number, changes: Partial<RoModified> = {}): RoModified {
  const rows = [row(roNumber, { regularIdTechnician: 7 })];
  return { roNumber, seq, rows, by, action: 'TECH_ASSIGNED', techId: 7, version: seq, ...changes };
}

function receipt(roNumber: number, seq: number, changes: Partial<Receipt> = {}): Receipt {
  return {
    roNumber,
    technicianId: 7,
    portalEnabled: true,
    assignedAt: '2026-03-02T14:00:00Z',
    assignedBy: by,
    seq,
    sentAt: null,
    deliveredAt: null,
    seenAt: null,
    acceptedAt: null,
    handedBackAt: null,
    reason: null,
    ...changes,
  };
}

/** What went through the outbox, as 'receipt 1 accepted'. */
const sent = () =>
  vi.mocked(submit).mock.calls.map(([{ about }]) => `${about.kind} ${about.roNumber} ${about.detail}`);

/** What was told the desk, as '1 seen'. */
const reported = () => vi.mocked(reportStage).mock.calls.map(([, roNumber, stage]) => `${roNumber} ${stage}`);

function isLookedAt(yes: boolean): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(yes ? 'visible' : 'hidden');
}

async function open(technician: number | null = 7) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const { state, ...actions } = useAssignments(technician, arrived);
      return { ...useSelector(state), ...actions };
    },
    { wrapper },
  );
  await act(async () => undefined);
  const numbers = () => result.current.pending.map(({ roNumber }) => roNumber);
  return { now: () => result.current, numbers };
}

beforeEach(() => {
  wire.listeners.clear();
  arrived.mockReset();
  vi.mocked(submit).mockReset().mockResolvedValue({ ok: true, result: null });
  vi.mocked(reportStage).mockReset().mockResolvedValue();
  vi.mocked(fetchReceipts).mockReset().mockResolvedValue([]);
  isLookedAt(false);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('an assignment appears with its message, is announced, and is reported as delivered', async () => {
  const { now } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  expect(now().pending).toMatchObject([{ roNumber: 1, seq: 20, by: 'Dana Whitfield' }]);
  expect(now().pending[0]?.order?.vehicle).toBe('2021 Honda Accord EX');
  expect(arrived).toHaveBeenCalledTimes(1);
  expect(reported()).toEqual(['1 delivered']);
});

test('on a visible page the delivery is reported together with the display, or after a second without one', async () => {
  isLookedAt(true);
  const { now } = await open();
  vi.useFakeTimers();
  say('RO_MODIFIED', assigned(1, 20));
  say('RO_MODIFIED', assigned(2, 21));
  act(() => now().markSeen(now().pending.slice(0, 1)));
  expect(reported()).toEqual(['1 seen']);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(reported()).toEqual(['1 seen', '2 delivered']);
});

test.each<[string, RoModified]>([
  ['somebody else’s assignment', assigned(1, 20, { techId: 8 })],
  ['another change of their order', assigned(1, 20, { action: 'STATUS_CHANGED' })],
  ['a client’s word for it', { roNumber: 1, action: 'TECH_ASSIGNED', techId: 7 }],
  ['one that is replayed and taken back since', assigned(1, 20, { rows: [row(1)] })],
])('%s is none', async (_, message) => {
  const { numbers } = await open();
  say('RO_MODIFIED', message);
  expect(numbers()).toEqual([]);
  expect(arrived).not.toHaveBeenCalled();
  expect(reported()).toEqual([]);
});

test('several assignments stack in order of arrival, and a repeated one counts once', async () => {
  const { numbers } = await open();
  for (const message of [assigned(1, 20), assigned(2, 21), assigned(1, 20)]) say('RO_MODIFIED', message);
  expect(numbers()).toEqual([1, 2]);
  expect(arrived).toHaveBeenCalledTimes(2);
});

test('each stage is reported once', async () => {
  const { now } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  const { pending } = now();
  act(() => now().markSeen(pending));
  act(() => now().markSeen(pending));
  act(() => now().accept(pending));
  expect(reported()).toEqual(['1 delivered', '1 seen']);
  expect(sent()).toEqual(['receipt 1 accepted']);
  expect(now().pending).toEqual([]);
});

test('unaccepted assignments are shown when the page opens, without a sound', async () => {
  vi.mocked(fetchReceipts).mockResolvedValue([
    receipt(1, 20),
    receipt(2, 21, { acceptedAt: '2026-03-02T14:01:00Z' }),
    receipt(3, 22, { handedBackAt: '2026-03-02T14:01:00Z' }),
    receipt(4, 23, { technicianId: 8 }),
    receipt(5, 24, { deliveredAt: '2026-03-02T14:01:00Z' }),
  ]);
  const { numbers } = await open();
  await waitFor(() => expect(numbers()).toEqual([1, 5]));
  expect(arrived).not.toHaveBeenCalled();
  expect(reported()).toEqual(['1 delivered']);
});

test('a new connection loads the assignments again: those answered elsewhere disappear, new ones stay', async () => {
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  say('RO_MODIFIED', assigned(2, 21));
  vi.mocked(fetchReceipts).mockResolvedValue([receipt(2, 21), receipt(3, 30)]);
  say('RO_MODIFIED', null);
  await waitFor(() => expect(numbers()).toEqual([2, 3]));
  act(() => now().accept(now().pending.slice(0, 1)));
  // The list may have been made before the acceptance arrived.
  say('RO_MODIFIED', null);
  await waitFor(() => expect(fetchReceipts).toHaveBeenCalledTimes(3));
  await act(async () => undefined);
  expect(numbers()).toEqual([3]);
});

test('an assignment accepted on another device disappears', async () => {
  const { numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  const accepted = receipt(1, 20, { acceptedAt: '2026-03-02T14:01:00Z' });
  say('ASSIGNMENT_RECEIPT', { type: 'ASSIGNMENT_RECEIPT', receipt: accepted, timestamp: '' });
  expect(numbers()).toEqual([]);
});

test('a removed assignment disappears at once, with a line that says who removed it', async () => {
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  say('RO_MODIFIED', assigned(1, 21, { action: 'TECH_UNASSIGNED', rows: [row(1, { displayNumber: 'C1' })] }));
  expect(numbers()).toEqual([]);
  expect(now().removed).toEqual([{ number: 'C1', by: 'Dana Whitfield', seq: 21 }]);
  act(() => now().dismissRemoved(21));
  expect(now().removed).toEqual([]);
});

test('what ended while the assignments were being loaded is not brought back by the answer', async () => {
  const { numbers } = await open();
  let answer: (receipts: Receipt[]) => void = () => undefined;
  vi.mocked(fetchReceipts).mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  say('RO_MODIFIED', null);
  say('RO_MODIFIED', assigned(1, 21, { action: 'TECH_UNASSIGNED' }));
  const accepted = receipt(2, 22, { acceptedAt: '2026-03-02T14:01:00Z' });
  say('ASSIGNMENT_RECEIPT', { type: 'ASSIGNMENT_RECEIPT', receipt: accepted, timestamp: '' });
  await act(async () => answer([receipt(1, 20), receipt(2, 22), receipt(3, 19)]));
  expect(numbers()).toEqual([3]);
});

test('an order that was assigned again without a connection is reported as its new assignment', async () => {
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  act(() => now().markSeen(now().pending));
  vi.mocked(fetchReceipts).mockResolvedValue([receipt(1, 30)]);
  say('RO_MODIFIED', null);
  await waitFor(() => expect(now().pending).toMatchObject([{ seq: 30 }]));
  expect(numbers()).toEqual([1]);
  act(() => now().markSeen(now().pending));
  expect(reported()).toEqual(['1 delivered', '1 seen', '1 delivered', '1 seen']);
});

test('an order that is assigned again after it was accepted is new', async () => {
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  act(() => now().accept(now().pending));
  say('RO_MODIFIED', assigned(1, 20));
  expect(numbers()).toEqual([]);
  say('RO_MODIFIED', assigned(1, 30));
  expect(numbers()).toEqual([1]);
});

test('handing back sends the reason, and a refusal brings the assignment back', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  vi.mocked(fetchReceipts).mockResolvedValue([receipt(1, 20, { deliveredAt: '2026-03-02T14:01:00Z' })]);
  vi.mocked(submit).mockRejectedValueOnce(new ApiError(503, 'unavailable', 'Try again.'));
  const [assignment] = now().pending;
  if (assignment === undefined) throw new Error('nothing arrived');
  act(() => {
    now().handBack(assignment, 'Parts are missing');
  });
  expect(numbers()).toEqual([]);
  expect(sent().at(-1)).toBe('hand-back 1 Parts are missing');
  await waitFor(() => expect(numbers()).toEqual([1]));
});

test('a user who looks at somebody else’s portal gets no announcement and reports nothing', async () => {
  const { numbers } = await open(null);
  say('RO_MODIFIED', assigned(1, 20));
  expect(numbers()).toEqual([]);
  expect(fetchReceipts).not.toHaveBeenCalled();
  expect([...reported(), ...sent()]).toEqual([]);
});

test('after a restore no assignment counts as answered', async () => {
  const { now, numbers } = await open();
  say('RO_MODIFIED', assigned(1, 20));
  act(() => now().accept(now().pending));
  say('RO_MODIFIED', assigned(2, 21));
  vi.mocked(fetchReceipts).mockResolvedValue([receipt(1, 5)]);
  await act(async () => noteEventLogReset(true));
  expect(numbers()).toEqual([1]);
});
