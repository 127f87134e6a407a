import { QueryClient } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { createElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { type ChangedResult, type Row, unassignTechnician } from '../api/repair-orders.ts';
import { currentToast } from '../ui/toaster.ts';
import { DialogHost } from './dialog-host.fixture.ts';
import { openOrders } from './live-orders.ts';
import { closeDialog, currentDialog } from './open-dialog.ts';
import { startAction } from './order-actions.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { row } from './rows.fixture.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  unassignTechnician: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  isConnected: () => true,
  sendNotice: async () => undefined,
}));

const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
const KIM = { regularIdTechnician: 5, regularTechFullName: 'Kim Ito' };
const unassign = vi.mocked(unassignTechnician);
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows: [row(9, JOE)], seq: 1 }, 0));
  unassign.mockReset();
});
afterEach(closeDialog);

const removeOnly = () => startAction(client, 'remove', 9);

function changed(changes: Partial<Row>): ChangedResult {
  return { roNumber: 9, ok: true, version: 2, seq: 2, rows: [row(9, { version: 2, ...changes })] };
}

/** The server's refusal: by now these are on the order. */
function refuseAsStale(...technicians: Partial<Row>[]): void {
  const on = technicians.length === 0 ? [{}] : technicians;
  const current = {
    rows: on.map((one) => row(9, { version: 2, ...one })),
    version: 2,
    changedBy: { uid: 'u2', name: 'Ben' },
    changedAt: '2026-03-02T15:00:00Z',
  };
  const refused = {
    ok: false,
    code: 'stale-version',
    error: 'It has changed.',
    roNumber: 9,
    current,
  } as const;
  unassign.mockRejectedValueOnce(new ApiError(409, 'stale-version', 'It has changed.', refused));
}

test('a second press before the answer sends nothing', async () => {
  let answer: (results: ChangedResult[]) => void = () => undefined;
  unassign.mockReturnValueOnce(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  removeOnly();
  removeOnly();
  await vi.waitFor(() => expect(unassign).toHaveBeenCalled());
  removeOnly();
  answer([changed({})]);
  await vi.waitFor(() => expect(currentToast()?.text).toBe('Technician unassigned successfully'));
  expect(unassign).toHaveBeenCalledExactlyOnceWith({ roNumber: 9, version: 1 }, 4);
});

test('whom somebody else has removed already is not asked about', async () => {
  render(createElement(DialogHost));
  refuseAsStale();
  removeOnly();
  const text = 'The technician is no longer on RO 9';
  await vi.waitFor(() => expect(currentToast()).toMatchObject({ tone: 'default', text }));
  expect(currentDialog()).toBeNull();
});

test('where others are on the order by now, the dialog asks who is removed', async () => {
  render(createElement(DialogHost));
  refuseAsStale(JOE, KIM);
  removeOnly();
  await vi.waitFor(() => expect(currentDialog()).toEqual({ kind: 'remove', order: 9 }));
});

test('where nobody would see that dialog, a toast says who was faster', async () => {
  refuseAsStale(JOE, KIM);
  removeOnly();
  await vi.waitFor(() =>
    expect(currentToast()).toMatchObject({
      tone: 'destructive',
      text: 'Failed to unassign technician',
      detail: 'RO 9: Ben was faster. Look at the order and choose again.',
    }),
  );
  expect(currentDialog()).toBeNull();
});
