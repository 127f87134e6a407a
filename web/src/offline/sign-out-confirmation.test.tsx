import 'fake-indexeddb/auto';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerTime } from '../api/server-time.ts';
import { signOutAfterGuards } from '../auth/sign-out.ts';
import { database } from './database.ts';
import { dismiss, QUEUED, submit, useOutbox } from './outbox.ts';
import { SignOutConfirmation } from './sign-out-confirmation.tsx';

const user = {
  uid: 'u1',
  email: 'a@example.com',
  name: 'Ana',
  roles: ['Technician'],
  technicianId: 5,
  permissions: [],
};
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const session = vi.hoisted(() => ({
  state: { status: 'signed-out' } as { status: string; user?: unknown },
  listeners: new Set<() => void>(),
}));
vi.mock('../api/session.ts', () => ({
  sessionState: () => session.state,
  onSessionChange: (listener: () => void) => {
    session.listeners.add(listener);
    return () => session.listeners.delete(listener);
  },
  signOut: vi.fn(),
}));
/** The screens go with the session. */
function sessionEnds(): void {
  cleanup();
  setSession({ status: 'signed-out' });
}
const end = vi.fn(async () => sessionEnds());

function setSession(state: typeof session.state): void {
  session.state = state;
  for (const listener of session.listeners) listener();
}

function Waiting() {
  const { waiting, refused } = useOutbox();
  return <p>{`${waiting.length} waiting, ${refused.length} refused`}</p>;
}

const note = {
  method: 'POST',
  path: '/api/notes',
  body: { said: 'brakes' },
  about: { kind: 'notes', roNumber: 7 },
} as const;

beforeEach(async () => {
  await (await database()).clear('outbox');
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  setSession({ status: 'signed-in', user });
  render(
    <>
      <SignOutConfirmation />
      <Waiting />
    </>,
  );
});
afterEach(() => {
  cleanup();
  setSession({ status: 'signed-out' });
  end.mockClear();
  vi.unstubAllGlobals();
});

async function wait(): Promise<void> {
  await act(async () => expect(await submit(note)).toBe(QUEUED));
  expect(screen.getByText('1 waiting, 0 refused')).toBeInTheDocument();
}

test('signing out with an empty queue asks nothing', async () => {
  await act(() => signOutAfterGuards(end));
  expect(end).toHaveBeenCalledTimes(1);
});

test('signing out with waiting changes asks first, and the user can stay', async () => {
  await wait();
  let left: Promise<void> = Promise.resolve();
  act(() => {
    left = signOutAfterGuards(end);
  });
  expect(await screen.findByRole('alertdialog', { name: 'Sign out and lose what waits?' })).toHaveTextContent(
    '1 change has not reached the server yet.',
  );
  expect(screen.getByRole('button', { name: 'Stay signed in' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await left;
  expect(end).not.toHaveBeenCalled();
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(await (await database()).count('outbox')).toBe(1);
});

/** A sign-out while the answer to a tap is awaited; the test says what comes of the tap. */
async function signOutAfterTap() {
  noteServerTime(new Date().toISOString());
  const fetched = vi.fn<() => Promise<Response>>();
  const answers = new Promise<{ resolve(answer: Response): void; reject(failure: Error): void }>((sent) => {
    fetched.mockImplementationOnce(() => new Promise((resolve, reject) => sent({ resolve, reject })));
  });
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  vi.stubGlobal('fetch', fetched);
  await act(async () => void submit(note));
  const { resolve, reject } = await act(() => answers);
  let left: Promise<void> = Promise.resolve();
  act(() => {
    left = signOutAfterGuards(end);
  });
  await act(() => new Promise((done) => setTimeout(done, 20)));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  expect(end).not.toHaveBeenCalled();
  return { resolve, reject, left };
}

test('signing out just after a tap asks once it is clear that the tap waits', async () => {
  const { reject, left } = await signOutAfterTap();
  await act(async () => reject(new TypeError('Failed to fetch')));
  expect(await screen.findByRole('alertdialog')).toHaveTextContent(
    '1 change has not reached the server yet.',
  );
  expect(screen.getByRole('button', { name: 'Stay signed in' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await left;
  expect(end).not.toHaveBeenCalled();
});

test('signing out just after a tap that the server answers asks nothing', async () => {
  const { resolve, left } = await signOutAfterTap();
  await act(async () => {
    resolve(json(200, { ok: true, result: [] }));
    await left;
  });
  expect(end).toHaveBeenCalledTimes(1);
});

test('confirming the sign-out deletes everything', async () => {
  await wait();
  let left: Promise<void> = Promise.resolve();
  act(() => {
    left = signOutAfterGuards(end);
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out and lose it' }));
  await act(() => left);
  expect(await (await database()).count('outbox')).toBe(0);
});

test('local data is deleted before the server hears of the sign-out', async () => {
  await wait();
  act(() => {
    void signOutAfterGuards(() => {
      sessionEnds();
      return new Promise(() => {});
    });
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out and lose it' }));
  await vi.waitFor(async () => expect(await (await database()).count('outbox')).toBe(0), { timeout: 5_000 });
});

test('waiting changes are sent when the connection is back, and a refusal is shown until it is dismissed', async () => {
  await wait();
  vi.stubGlobal('fetch', async () => json(409, { ok: false, error: 'It is closed.', code: 'closed' }));
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByText('0 waiting, 1 refused')).toBeInTheDocument();
  const [saved] = await (await database()).getAll('outbox');
  expect(saved?.refused).toEqual({ sentence: 'It is closed.', code: 'closed' });
  act(() => dismiss(saved?.key ?? ''));
  expect(await screen.findByText('0 waiting, 0 refused')).toBeInTheDocument();
});
