import { act, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { MemoryRouter, Outlet, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { renewToken, signIn, signOut } from '../api/session.ts';
import { keepAskedAddress } from './navigation-state.ts';
import { ProtectedRoute, SignedOutRoute } from './route-guards.tsx';
import { useUser } from './use-session.ts';

afterEach(() => void vi.unstubAllGlobals());

const session = (uid: string) => {
  const user = { uid, email: '', name: uid, roles: [], technicianId: null, permissions: [] };
  const body = { ok: true, result: { idToken: uid, expiresIn: 3_600, user } };
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
};

test('another user gets new screens, the same user keeps theirs', async () => {
  const fetched = vi.fn<() => Promise<Response>>();
  vi.stubGlobal('fetch', fetched);
  const up = vi.fn();
  const down = vi.fn();
  function Screen() {
    useEffect(() => {
      up();
      return down;
    }, []);
    return useUser().name;
  }

  fetched.mockResolvedValueOnce(session('ana'));
  await signIn('', '');
  render(
    <MemoryRouter>
      <ProtectedRoute>
        <Screen />
      </ProtectedRoute>
    </MemoryRouter>,
  );
  fetched.mockResolvedValueOnce(session('ana'));
  await act(renewToken);
  expect(up).toHaveBeenCalledTimes(1);

  fetched.mockResolvedValueOnce(session('bo'));
  await act(renewToken);
  expect(screen.getByText('bo')).toBeInTheDocument();
  expect(up).toHaveBeenCalledTimes(2);
  expect(down).toHaveBeenCalledTimes(1);
});

test('signing in after scanning a screen’s code leads to the pairing dialog', async () => {
  const fetched = vi.fn<() => Promise<Response>>(async () => session('ana'));
  vi.stubGlobal('fetch', fetched);
  await signOut();
  render(
    <MemoryRouter initialEntries={['/boards?code=K7Q2MX']}>
      <Screens />
    </MemoryRouter>,
  );
  expect(await screen.findByText('Sign in')).toBeInTheDocument();
  await act(async () => signIn('', ''));
  expect(screen.getByText('The boards')).toBeInTheDocument();
});

const refusal = () =>
  new Response(JSON.stringify({ ok: false, error: 'Ended.', code: 'unauthorized' }), {
    status: 401,
    headers: { 'content-type': 'application/json' },
  });

test.each([
  ['the same user goes on where the session ended', 'ana', 'The boards'],
  ['another user begins at their start', 'bo', 'The start'],
])('%s', async (_, next, expected) => {
  const fetched = vi.fn<() => Promise<Response>>(async () => session('ana'));
  vi.stubGlobal('fetch', fetched);
  await signIn('', '');
  render(
    <MemoryRouter initialEntries={['/boards?q=shop']}>
      <Screens />
    </MemoryRouter>,
  );
  expect(screen.getByText('The boards')).toBeInTheDocument();
  fetched.mockResolvedValueOnce(refusal());
  await act(renewToken);
  expect(screen.getByText('Sign in')).toBeInTheDocument();
  fetched.mockResolvedValueOnce(session(next));
  await act(async () => signIn('', ''));
  expect(screen.getByText(expected)).toBeInTheDocument();
});

test('whoever signs out begins at their start', async () => {
  vi.stubGlobal('fetch', async () => session('ana'));
  await signIn('', '');
  render(
    <MemoryRouter initialEntries={['/boards']}>
      <Screens />
    </MemoryRouter>,
  );
  await act(async () => signOut());
  await act(async () => signIn('', ''));
  expect(screen.getByText('The start')).toBeInTheDocument();
});

test('a sign-in with another provider goes on to what was asked for', async () => {
  vi.stubGlobal('fetch', async () => session('ana'));
  keepAskedAddress({ address: '/boards', uid: 'ana' });
  await signIn('', '');
  render(
    <MemoryRouter initialEntries={['/dashboard']}>
      <Screens />
    </MemoryRouter>,
  );
  expect(await screen.findByText('The boards')).toBeInTheDocument();
});

function Screens() {
  return (
    <Routes>
      <Route path="/login" element={<SignedOutRoute>Sign in</SignedOutRoute>} />
      <Route
        element={
          <ProtectedRoute>
            <Outlet />
          </ProtectedRoute>
        }
      >
        <Route path="/boards" element="The boards" />
        <Route path="/dashboard" element="The dashboard" />
        <Route path="/" element="The start" />
      </Route>
    </Routes>
  );
}
