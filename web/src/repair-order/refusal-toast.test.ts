import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../api/http.ts';
import { currentToast, dismissToast, showToast } from '../ui/toaster.ts';
import { cachedOrders, landRo, openOrders } from './live-orders.ts';
import { type Author, emptyOrderCache, landList } from './order-cache.ts';
import { showOvertaken, showRefusal } from './refusal-toast.ts';
import { row } from './rows.fixture.ts';

const FAILED = 'Failed to update status';
const notToday = new ApiError(409, 'refused', 'Not today.');
let client: QueryClient;

beforeEach(() => {
  client = new QueryClient();
  const rows = [row(7, { displayNumber: 'C7' }), row(8), row(9), row(10)];
  client.setQueryData(openOrders.queryKey, landList(emptyOrderCache, { rows, seq: 1 }, 0));
});

const refuse = (...orders: number[]) => showRefusal(client, FAILED, orders, notToday);

test('it names its order as it is displayed, and why', () => {
  refuse(7);
  expect(currentToast()).toMatchObject({ tone: 'destructive', text: FAILED, detail: 'RO C7: Not today.' });
});

test('an order that has been closed meanwhile is named by its number', () => {
  refuse(77);
  expect(currentToast()?.detail).toBe('RO 77: Not today.');
});

test('those that fail in the same way while it is in sight are named together, each once', () => {
  refuse(7);
  refuse(8);
  refuse(7);
  expect(currentToast()?.detail).toBe('RO C7, RO 8: Not today.');
});

test('more than three are counted', () => {
  refuse(7, 8, 9);
  expect(currentToast()?.detail).toBe('RO C7, RO 8, RO 9: Not today.');
  refuse(10);
  expect(currentToast()?.detail).toBe('4 ROs: Not today.');
});

test('what failed in another way, or for another reason, is told by itself', () => {
  refuse(7);
  showRefusal(client, FAILED, [8], new ApiError(409, 'refused', 'Not before noon.'));
  expect(currentToast()?.detail).toBe('RO 8: Not before noon.');
  showRefusal(client, 'Failed to update priority', [9], new ApiError(409, 'refused', 'Not before noon.'));
  expect(currentToast()?.detail).toBe('RO 9: Not before noon.');
});

test('those of a toast that is gone are not named again', () => {
  refuse(7);
  dismissToast(currentToast()?.id ?? 0);
  refuse(8);
  expect(currentToast()?.detail).toBe('RO 8: Not today.');
  showToast({ tone: 'destructive', text: 'Something else failed' });
  refuse(9);
  expect(currentToast()?.detail).toBe('RO 9: Not today.');
});

test('where the server failed it has the request', () => {
  const broken = new ApiError(500, 'unexpected-answer', 'It broke.', null, '3f2a9c1e-6a55');
  showRefusal(client, FAILED, [8], broken);
  expect(currentToast()?.request?.id).toBe('3f2a9c1e-6a55');
});

const dana: Author = { person: { uid: 'd', name: 'Dana Whitfield' }, at: 0 };

test.each([
  [dana, 'Dana Whitfield'],
  [undefined, 'Somebody else'],
])('it says who was faster, as far as that is known: %o', (by, name) => {
  landRo(client, { roNumber: 8, rows: [row(8, { version: 2 })], version: 2, seq: 2, by });
  const now = cachedOrders(client).open.get(8);
  if (now === undefined) throw new Error('There is no such order.');
  showOvertaken(client, FAILED, now);
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: FAILED,
    detail: `RO 8: ${name} was faster. Look at the order and choose again.`,
  });
});
