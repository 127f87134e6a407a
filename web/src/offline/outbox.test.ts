import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { noteServerStatus } from '../api/server-status.ts';
import { noteServerTime } from '../api/server-time.ts';
import { callersAnswered, currentOutbox, QUEUED, submit } from './outbox.ts';

vi.mock('../api/session.ts', () => ({
  sessionState: () => ({ status: 'signed-in', user: { uid: 'u1', technicianId: 5 } }),
  onSessionChange: () => () => undefined,
}));

const jsonResponse = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

test('a mutation refused while the server could not save is sent as soon as it can', async () => {
  const now = new Date().toISOString();
  const answer = vi.fn(async () =>
    jsonResponse(503, { ok: false, error: 'Not saving.', code: 'unavailable' }),
  );
  vi.stubGlobal('fetch', answer);
  noteServerTime(now);
  noteServerStatus({ seq: 1, now, notSavingSince: now });
  const about = { kind: 'status', roNumber: 7 } as const;
  expect(await submit({ method: 'POST', path: '/api/a', body: {}, about })).toBe(QUEUED);
  expect(currentOutbox().waiting).toHaveLength(1);

  // Its own back-off does not send it: nothing here takes that long.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const attempts = answer.mock.calls.length;
  noteServerStatus({ seq: 1, now, notSavingSince: now });
  expect(answer).toHaveBeenCalledTimes(attempts);
  answer.mockImplementation(async () => jsonResponse(200, { ok: true, result: [] }));
  noteServerStatus({ seq: 1, now });
  vi.useRealTimers();
  await vi.waitFor(() => expect(currentOutbox().waiting).toEqual([]));
  expect(answer).toHaveBeenCalledTimes(attempts + 1);
});

test('the callers are answered once the last of them is, and at once where there are none', async () => {
  noteServerTime(new Date().toISOString());
  await callersAnswered();
  let answer: (response: Response) => void = () => undefined;
  const fetched = vi.fn(
    () =>
      new Promise<Response>((resolve) => {
        answer = resolve;
      }),
  );
  vi.stubGlobal('fetch', fetched);
  const about = { kind: 'status', roNumber: 7 } as const;
  const submitted = submit({ method: 'POST', path: '/api/a', body: {}, about });
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledTimes(1));
  let areAnswered = false;
  const answered = callersAnswered().then(() => {
    areAnswered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(areAnswered).toBe(false);
  expect(currentOutbox()).toMatchObject({ waiting: [], underWay: 1 });
  answer(jsonResponse(200, { ok: true, result: [] }));
  await answered;
  expect(currentOutbox()).toEqual({ waiting: [], underWay: 0, refused: [] });
  expect(await submitted).toEqual({ ok: true, result: [] });
});
