import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { fetchReceipts, type Receipt } from '../api/receipts.ts';
import { toRepairOrder } from './order.ts';
import { ReceiptIndicator, Receipts } from './receipt-indicator.tsx';
import { ACCEPT_TIMEOUT_MS, followReceipts } from './receipts.ts';
import { row } from './rows.fixture.ts';

type ReceiptMessage = { receipt: Receipt } | null;
const socketMessages = vi.hoisted(() => ({ tell: (_: unknown) => {} }));
vi.mock('../api/socket.ts', () => ({
  onSocketMessage: (_: string, listener: (message: unknown) => void) => {
    socketMessages.tell = listener;
    return () => {};
  },
}));
vi.mock('../api/receipts.ts', () => ({ fetchReceipts: vi.fn() }));

const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };
const NOW = Date.parse('2026-11-20T15:00:00Z');
let stop = () => {};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

function receipt(over: Partial<Receipt> = {}): Receipt {
  return {
    roNumber: 7,
    technicianId: 5,
    portalEnabled: true,
    assignedAt: at(0),
    assignedBy: { uid: 'u', name: 'Olivia' },
    seq: 1,
    sentAt: null,
    deliveredAt: null,
    seenAt: null,
    acceptedAt: null,
    handedBackAt: null,
    reason: null,
    ...over,
  };
}

async function follow(receipts: Receipt[]) {
  vi.mocked(fetchReceipts).mockResolvedValue(receipts);
  await act(async () => {
    stop = followReceipts();
  });
}

const receive = (message: ReceiptMessage) => act(async () => socketMessages.tell(message));
const sign = () => screen.queryByRole('img')?.getAttribute('aria-label') ?? null;

test('a row shows the stage of the assignment', async () => {
  await follow([receipt()]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  expect(sign()).toMatch(/^Kim Ito: Not sent yet/);
  await receive({ receipt: receipt({ sentAt: at(1) }) });
  expect(sign()).toMatch(/^Kim Ito: Sent/);
  await receive({ receipt: receipt({ sentAt: at(1), deliveredAt: at(1), seenAt: at(2) }) });
  expect(sign()).toMatch(/^Kim Ito: Seen/);
  await receive({
    receipt: receipt({ sentAt: at(1), deliveredAt: at(1), seenAt: at(2), acceptedAt: at(3) }),
  });
  expect(sign()).toMatch(/^Kim Ito: Accepted/);
});

test('a late receipt does not revert a stage, and a new assignment starts over', async () => {
  await follow([receipt({ acceptedAt: at(3) })]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  await receive({ receipt: receipt({ sentAt: at(1) }) });
  expect(sign()).toMatch(/Accepted/);
  await receive({ receipt: receipt({ seq: 9, sentAt: at(4) }) });
  expect(sign()).toMatch(/Sent/);
});

test('after three minutes without acceptance the row is marked without a message', async () => {
  await follow([receipt({ sentAt: at(0), deliveredAt: at(1) })]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  await act(() => vi.advanceTimersByTimeAsync(ACCEPT_TIMEOUT_MS - 1000));
  expect(screen.queryByText('Not accepted')).not.toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(1001));
  expect(screen.getByText('Not accepted')).toBeInTheDocument();
  expect(sign()).toMatch(/^Kim Ito: Not accepted since/);
  await receive({ receipt: receipt({ acceptedAt: at(200) }) });
  expect(screen.queryByText('Not accepted')).not.toBeInTheDocument();
});

test('of several technicians the most urgent state is shown, and the details list all', async () => {
  const joe = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
  await follow([receipt({ acceptedAt: at(1) }), receipt({ technicianId: 4, sentAt: at(0) })]);
  const order = toRepairOrder([row(7, KIM), row(7, joe)]);
  render(<ReceiptIndicator order={order} />);
  expect(sign()).toMatch(/^Joe Marsh: Sent/);
  render(<Receipts order={order} />);
  const lines = screen.getAllByRole('listitem').map((line) => line.textContent);
  expect(lines).toEqual([
    expect.stringMatching(/^Kim Ito: Accepted/),
    expect.stringMatching(/^Joe Marsh: Sent/),
  ]);
});

test('a handed-back order shows the reason until it is assigned again', async () => {
  await follow([receipt({ handedBackAt: at(5), reason: 'No lift is free' })]);
  const { rerender } = render(<ReceiptIndicator order={toRepairOrder([row(7)])} />);
  expect(screen.getByText('Handed back')).toBeInTheDocument();
  expect(sign()).toMatch(/No lift is free$/);
  rerender(
    <ReceiptIndicator
      order={toRepairOrder([row(7, { regularIdTechnician: 4, regularTechFullName: 'Joe' })])}
    />,
  );
  expect(sign()).toBeNull();
});

test('a technician without a portal is not marked as late', async () => {
  await follow([receipt({ portalEnabled: false })]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  expect(sign()).toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(ACCEPT_TIMEOUT_MS + 1));
  expect(sign()).toBeNull();
});

test('a new connection loads the receipts again', async () => {
  await follow([receipt()]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  vi.mocked(fetchReceipts).mockResolvedValue([receipt({ acceptedAt: at(2) })]);
  await receive(null);
  expect(sign()).toMatch(/Accepted/);
});

test('an assignment that is announced while the receipts are being loaded is there, and marked when it is late', async () => {
  await follow([]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  let answer: (receipts: Receipt[]) => void = () => undefined;
  vi.mocked(fetchReceipts).mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  await receive(null);
  await receive({ receipt: receipt() });
  await act(async () => answer([]));
  expect(sign()).toMatch(/^Kim Ito: Not sent yet/);
  await act(() => vi.advanceTimersByTimeAsync(ACCEPT_TIMEOUT_MS + 1));
  expect(sign()).toMatch(/Not accepted/);
});

test('after a restore no earlier receipt remains, however high its number', async () => {
  await follow([receipt({ seq: 90, acceptedAt: at(2) })]);
  render(<ReceiptIndicator order={toRepairOrder([row(7, KIM)])} />);
  vi.mocked(fetchReceipts).mockResolvedValue([receipt({ seq: 4, sentAt: at(1) })]);
  await act(async () => noteEventLogReset(true));
  expect(sign()).toMatch(/^Kim Ito: Sent/);
});
