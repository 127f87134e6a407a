import 'fake-indexeddb/auto';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fetchClock, type TechnicianClock } from '../api/clock.ts';
import { noteServerTime } from '../api/server-time.ts';
import { currentOutbox, dismiss } from '../offline/outbox.ts';
import { loadScreen } from '../offline/saved-screens.ts';
import { NOW, running, technicianClock } from './clock.fixture.ts';
import { useTechnicianClock } from './technician-clock.ts';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u7', technicianId: 7 } }),
}));
vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  fetchClock: vi.fn(),
}));

const HOUR = 3_600_000;
const asked = vi.mocked(fetchClock);
const never = () => new Promise<TechnicianClock>(() => undefined);

beforeEach(() => void asked.mockReset().mockImplementation(never));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function openClock(first: TechnicianClock) {
  asked.mockResolvedValueOnce(first);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { result } = renderHook(() => useTechnicianClock(7), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await vi.waitFor(() => expect(result.current.isSaved).toBe(false));
  asked.mockClear();
  return result;
}

function answerWith(status: number, body: object): void {
  const headers = { 'content-type': 'application/json' };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status, headers }));
}

test('a tap that was sent later stays on the clock, before it is loaded again', async () => {
  const result = await openClock(technicianClock());
  answerWith(503, { ok: false, error: 'Not saving.', code: 'unavailable' });
  act(() => result.current.tap('start', { roNumber: 1, jobNumber: 2 }));
  await waitFor(() => expect(currentOutbox().waiting).toHaveLength(1));
  expect(result.current.clock?.running).toMatchObject({ entryId: 0, roNumber: 1 });

  const answered = technicianClock({ running: running([1, 2], { entryId: 40 }) });
  answerWith(200, { ok: true, result: answered });
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(currentOutbox().waiting).toEqual([]));
  await waitFor(() => expect(result.current.clock).toEqual(answered));
  // Where the page is closed before the next answer.
  expect(await loadScreen('clock-7')).toEqual(answered);
});

test('on a new day the clock is loaded again, though nobody tapped', async () => {
  const now = Date.parse(NOW);
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now });
  const heard = () => noteServerTime(new Date().toISOString());
  const passes = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  heard();
  const result = await openClock(technicianClock({ completedToday: 3 }));
  heard();
  passes(20_000);
  expect(asked).not.toHaveBeenCalled();
  // The device slept.
  vi.setSystemTime(now + 24 * HOUR);
  passes(20_000);
  expect(asked).not.toHaveBeenCalled();
  asked.mockResolvedValueOnce(technicianClock({ now: new Date(now + 24 * HOUR).toISOString() }));
  heard();
  passes(10_000);
  heard();
  passes(10_000);
  await vi.waitFor(() => expect(result.current.clock?.completedToday).toBe(0));
  expect(asked).toHaveBeenCalledTimes(1);
});

test('the undo of a tap that the server refuses is not sent: it would undo the tap before', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const result = await openClock(technicianClock());
  answerWith(503, { ok: false, error: 'Not saving.', code: 'unavailable' });
  act(() => result.current.tap('start', { roNumber: 1, jobNumber: 2 }));
  await waitFor(() => expect(currentOutbox().waiting).toHaveLength(1));
  act(() => result.current.undo());
  await waitFor(() => expect(currentOutbox().waiting).toHaveLength(2));
  const [tap, undo] = currentOutbox().waiting;
  expect(undo).toMatchObject({ body: { action: 'undo' }, undoes: tap?.key });

  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.clone().json());
    return Response.json({ ok: false, error: 'It is not yours.', code: 'not-assigned' }, { status: 409 });
  });
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(currentOutbox().waiting).toEqual([]));
  expect(sent).toEqual([tap?.body]);
  expect(currentOutbox().refused.map(({ mutation }) => mutation.key)).toEqual([tap?.key]);
  expect(result.current.clock?.running).toBeNull();
  act(() => dismiss(tap?.key ?? ''));
});
