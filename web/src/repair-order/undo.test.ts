import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteEventLogReset } from '../api/event-log-reset.ts';
import { ApiError } from '../api/http.ts';
import {
  type ChangedResult,
  dispatchOrders,
  type Row,
  undoChange,
  updatePriority,
} from '../api/repair-orders.ts';
import { setStage } from '../api/stages.ts';
import { changeLanguage, loadTexts } from '../i18n/i18n.ts';
import { stageTexts } from '../i18n/stages.ts';
import { currentToast } from '../ui/toaster.ts';
import { changesOf } from './change-execution.ts';
import { openOrders } from './live-orders.ts';
import { emptyOrderCache, landList } from './order-cache.ts';
import { row } from './rows.fixture.ts';
import { undoByKey, undoLast } from './undo.ts';

vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  updatePriority: vi.fn(),
  dispatchOrders: vi.fn(),
  undoChange: vi.fn(),
}));
vi.mock('../api/stages.ts', async (original) => ({
  ...(await original<typeof import('../api/stages.ts')>()),
  setStage: vi.fn(),
}));
vi.mock('../api/socket.ts', async (original) => ({
  ...(await original<typeof import('../api/socket.ts')>()),
  isConnected: () => true,
  sendNotice: async () => undefined,
}));

const MINUTE_MS = 60_000;
const JOE = { regularIdTechnician: 4, regularTechFullName: 'Joe Marsh' };
let client: QueryClient;
let seq = 10;

beforeEach(() => {
  client = new QueryClient();
  const rows = [row(7, { displayNumber: 'C7' }), row(8)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
  vi.mocked(undoChange).mockReset();
});
afterEach(() => vi.useRealTimers());

function changed(roNumber: number, changes: Partial<Row>): ChangedResult {
  seq++;
  return { ok: true, roNumber, seq, version: seq, rows: [row(roNumber, { version: seq, ...changes })] };
}

async function setHigh(): Promise<void> {
  vi.mocked(updatePriority).mockResolvedValueOnce([
    changed(7, { displayNumber: 'C7', priorityName: 'High' }),
  ]);
  await changesOf(client).send({ roNumber: 7, version: 1 }, { field: 'priority', priority: 'High' });
}

const undone = (...results: ChangedResult[]) => vi.mocked(undoChange).mockResolvedValueOnce(results);

test('the toast of an undo names the order as it is displayed, and what went back', async () => {
  await setHigh();
  undone(changed(7, { displayNumber: 'C7' }));
  await undoByKey(client);
  expect(currentToast()).toMatchObject({ text: 'Change undone', detail: 'RO C7 · Priority: High → Low' });
});

test.each([
  ['de', 'Änderung rückgängig gemacht', 'Auftrag C7 · Priorität: Hoch → Niedrig'],
  ['es', 'Cambio deshecho', 'Orden C7 · Prioridad: Alta → Baja'],
] as const)('it does so in %s', async (language, text, detail) => {
  await changeLanguage(language);
  try {
    await setHigh();
    undone(changed(7, { displayNumber: 'C7' }));
    await undoByKey(client);
    expect(currentToast()).toMatchObject({ text, detail });
  } finally {
    await changeLanguage('en');
  }
});

test('of several orders it says how many, and what went back on all of them', async () => {
  vi.mocked(dispatchOrders).mockResolvedValueOnce([changed(7, JOE), changed(8, JOE)]);
  await changesOf(client).dispatch([{ technician: 4, orders: [{ roNumber: 7 }, { roNumber: 8 }] }]);
  undone(changed(7, {}), changed(8, {}));
  await undoByKey(client);
  expect(currentToast()?.detail).toBe('2 ROs · Technicians: Joe Marsh → Unassigned');
});

test('of what is no field of the list it says what its own toast said', async () => {
  await loadTexts(stageTexts);
  vi.mocked(setStage).mockResolvedValueOnce([changed(8, { stage: 'wash' })]);
  const toWash = { field: 'stage', stage: 'wash', name: 'Wash', endHolds: false } as const;
  await changesOf(client).send({ roNumber: 8, version: 1 }, toWash);
  const said = currentToast()?.text;
  undone(changed(8, {}));
  await undoByKey(client);
  expect(currentToast()?.detail).toBe(`RO 8 · ${said}`);
});

test('by key a change is undone for five minutes', async () => {
  vi.useFakeTimers();
  await setHigh();
  vi.setSystemTime(Date.now() + 5 * MINUTE_MS);
  undone(changed(7, {}));
  await undoByKey(client);
  expect(undoChange).toHaveBeenCalledTimes(1);
});

test('an older change is not undone by key where no tray lists it, and the command still undoes it', async () => {
  vi.useFakeTimers();
  await setHigh();
  vi.setSystemTime(Date.now() + 5 * MINUTE_MS + 1);
  await undoByKey(client);
  expect(undoChange).not.toHaveBeenCalled();
  expect(currentToast()?.text).toBe('There is nothing to undo from the last 5 minutes');
  undone(changed(7, {}));
  await undoLast(client);
  expect(undoChange).toHaveBeenCalledTimes(1);
});

const away = new ApiError(0, 'network', 'Away.');
const startedOver = new ApiError(0, 'started-over', 'Everything was loaded anew.');

test('a change whose undoing did not reach the server can still be undone by key', async () => {
  await setHigh();
  const made = seq;
  vi.mocked(undoChange).mockRejectedValueOnce(away);
  await undoByKey(client);
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'The change could not be undone',
    detail: 'The server could not be reached.',
  });
  undone(changed(7, {}));
  await undoByKey(client);
  expect(vi.mocked(undoChange).mock.calls).toEqual([
    [7, made],
    [7, made],
  ]);
});

test('what was changed since goes before it', async () => {
  await setHigh();
  vi.mocked(undoChange).mockImplementationOnce(async () => {
    await setHigh();
    throw away;
  });
  await undoByKey(client);
  const newer = seq;
  undone(changed(7, {}));
  await undoByKey(client);
  expect(undoChange).toHaveBeenLastCalledWith(7, newer);
});

test('one that the server refused to undo is not asked for again', async () => {
  await setHigh();
  vi.mocked(undoChange).mockRejectedValueOnce(new ApiError(409, 'changed-since', 'It has changed since.'));
  await undoByKey(client);
  await undoByKey(client);
  expect(undoChange).toHaveBeenCalledTimes(1);
});

test.each([startedOver, away])('nor one where all was loaded anew since: %s', async (failure) => {
  await setHigh();
  vi.mocked(undoChange).mockImplementationOnce(async () => {
    noteEventLogReset(true);
    throw failure;
  });
  await undoByKey(client);
  await undoByKey(client);
  expect(undoChange).toHaveBeenCalledTimes(1);
});
