import { act, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { renewToken, signIn, signOut } from '../api/session.ts';
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
      <Routes>
        <Route path="/login" element={<SignedOutRoute>Sign in</SignedOutRoute>} />
        <Route path="/boards" element={<ProtectedRoute>The boards</ProtectedRoute>} />
      </Routes>
    </MemoryRouter>,
  );
  expect(await screen.findByText('Sign in')).toBeInTheDocument();
  await act(async () => signIn('', ''));
  expect(screen.getByText('The boards')).toBeInTheDocument();
});
