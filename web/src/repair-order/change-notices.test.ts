import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isConnected, sendNotice } from '../api/socket.ts';
import { currentToast, dismissToast } from '../ui/toaster.ts';
import { sendChangeNotice } from './change-notices.ts';

vi.mock('../api/socket.ts', () => ({ isConnected: vi.fn(), sendNotice: vi.fn() }));

const connected = vi.mocked(isConnected);
const send = vi.mocked(sendNotice);

beforeEach(() => {
  vi.useFakeTimers();
  connected.mockReturnValue(true);
  send.mockReset().mockResolvedValue(undefined);
});

afterEach(async () => {
  dismissToast(currentToast()?.id ?? 0);
  await vi.runAllTimersAsync();
  vi.useRealTimers();
});

test('notices are sent one after another, at a rate the server accepts', async () => {
  sendChangeNotice(
    { roNumber: 1, action: 'TECH_ASSIGNED', techId: 4 },
    { roNumber: 2, action: 'TECH_ASSIGNED', techId: 4 },
  );
  sendChangeNotice({ roNumber: 3, action: 'STATUS_CHANGED' });
  await vi.advanceTimersByTimeAsync(0);
  expect(send.mock.calls).toEqual([[{ roNumber: 1, action: 'TECH_ASSIGNED', techId: 4 }]]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(send.mock.calls.map(([notice]) => notice.roNumber)).toEqual([1, 2, 3]);
});

test('a notice waits for the socket, five times a second apart', async () => {
  connected.mockReturnValue(false);
  sendChangeNotice({ roNumber: 1, action: 'STATUS_CHANGED' });
  await vi.advanceTimersByTimeAsync(4_500);
  connected.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(500);
  expect(send).toHaveBeenCalledTimes(1);
  expect(currentToast()?.text).toBeUndefined();
});

test('after five attempts without a socket one toast covers all waiting notices', async () => {
  connected.mockReturnValue(false);
  sendChangeNotice({ roNumber: 1, action: 'STATUS_CHANGED' }, { roNumber: 2, action: 'STATUS_CHANGED' });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(currentToast()?.text).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(currentToast()).toMatchObject({
    tone: 'destructive',
    text: 'Failed to send notification. Please refresh the page.',
  });
  connected.mockReturnValue(true);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(send).not.toHaveBeenCalled();
});

test('a refused notice shows a toast, and the next one is sent', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  send.mockRejectedValueOnce(new Error('Too many notices at once'));
  sendChangeNotice({ roNumber: 1, action: 'STATUS_CHANGED' }, { roNumber: 2, action: 'STATUS_CHANGED' });
  await vi.advanceTimersByTimeAsync(200);
  expect(currentToast()).toMatchObject({ tone: 'destructive', text: 'Failed to send notification' });
  expect(send).toHaveBeenCalledTimes(2);
});
