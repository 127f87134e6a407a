import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { confirmPasswordReset, passwordPolicy } from '../api/account.ts';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { type SessionState, sessionState, signOut } from '../api/session.ts';
import { ResetScreen } from './reset-screen.tsx';

vi.mock('../api/account.ts', () => ({ confirmPasswordReset: vi.fn(), passwordPolicy: vi.fn() }));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: vi.fn(),
  signOut: vi.fn(),
}));

const resetConfirmed = vi.mocked(confirmPasswordReset);
const user = userEvent.setup();
const signedOut: SessionState = { status: 'signed-out' };
const bo: SessionState = {
  status: 'signed-in',
  user: { uid: 'u2', email: 'bo@example.com', name: 'Bo', roles: [], technicianId: null, permissions: [] },
};

beforeEach(() => {
  resetConfirmed.mockReset();
  vi.mocked(signOut).mockReset();
  vi.mocked(sessionState).mockReturnValue(signedOut);
  vi.mocked(passwordPolicy).mockResolvedValue({ minLength: 8, maxLength: 72, refusesCommon: true });
});

function Login() {
  return <p>Login with {JSON.stringify(useLocation().state)}</p>;
}

function open(fragment: string) {
  window.history.replaceState(null, '', `/reset-password${fragment}`);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BrowserRouter>
        <Routes>
          <Route path="/reset-password" element={<ResetScreen />} />
          <Route path="/login" element={<Login />} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

const submit = () => user.click(screen.getByRole('button', { name: 'Set password' }));
const type = (password: string) => user.type(screen.getByLabelText('New password'), password);

test('removes the link from the address, sets the password and leads to the login', async () => {
  open('#token=secret-of-the-link');
  expect(screen.getByRole('heading', { name: 'Choose a new password' })).toBeInTheDocument();
  expect(location.href).not.toContain('secret-of-the-link');
  expect(location.pathname).toBe('/reset-password');
  resetConfirmed.mockResolvedValueOnce('ana@example.com');
  await type('long enough');
  await submit();
  expect(resetConfirmed).toHaveBeenCalledExactlyOnceWith('secret-of-the-link', 'long enough');
  expect(
    await screen.findByText('Login with {"email":"ana@example.com","passwordSet":true}'),
  ).toBeInTheDocument();
  expect(signOut).not.toHaveBeenCalled();
});

test('greets an invited user', () => {
  open('#token=t&invitation=1');
  expect(screen.getByRole('heading', { name: 'Set your password' })).toBeInTheDocument();
  expect(screen.getByText(/^Welcome to the product\./)).toBeInTheDocument();
});

test('states the password rules and checks them while typing', async () => {
  open('#token=t');
  const rule = async () => (await screen.findByText('At least 8 characters')).closest('li');
  expect(await rule()).toHaveTextContent('At least 8 characters (not met yet)');
  expect(screen.getByText('Not one of the most common passwords')).toBeInTheDocument();
  expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/At least 8 characters/);
  // Eight characters, though more units of UTF-16 and more bytes.
  await type('pässw🔒rd');
  expect(await rule()).toHaveTextContent('At least 8 characters (met)');
  expect(screen.queryByText(/At most/)).not.toBeInTheDocument();
  await user.clear(screen.getByLabelText('New password'));
  await user.click(screen.getByLabelText('New password'));
  await user.paste('ä'.repeat(37));
  expect(screen.getByText('At most 72 bytes')).toBeInTheDocument();
});

test('does not send a short password, and ends no session', async () => {
  vi.mocked(sessionState).mockReturnValue(bo);
  open('#token=t');
  await screen.findByText('At least 8 characters');
  await type('short');
  await submit();
  expect(await screen.findByRole('alert')).toHaveTextContent('The password does not meet the requirements.');
  expect(resetConfirmed).not.toHaveBeenCalled();
  expect(signOut).not.toHaveBeenCalled();
});

test('shows and hides the typed password', async () => {
  open('#token=t');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('New password')).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(screen.getByLabelText('New password')).toHaveAttribute('type', 'password');
});

test.each<[ErrorCode, string]>([
  ['invalid-link', 'This link is not valid'],
  ['expired-link', 'This link has expired'],
])('an expired or invalid link (%s) offers a new one', async (code, title) => {
  open('#token=t&invitation=1');
  resetConfirmed.mockRejectedValueOnce(new ApiError(400, code, 'In the words of the server.'));
  await type('long enough');
  await submit();
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Request a new link' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
  expect(screen.getByText(/^Were you invited\?/)).toBeInTheDocument();
});

test('an address without a link counts as an invalid link', () => {
  open('');
  expect(screen.getByRole('heading', { name: 'This link is not valid' })).toBeInTheDocument();
  expect(screen.queryByText(/^Were you invited\?/)).not.toBeInTheDocument();
});

test('another link that is opened on the same page replaces the first', async () => {
  open('#token=first');
  await type('some of it');
  act(() => {
    location.hash = '#token=second&invitation=1';
  });
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Set your password' })).toBeInTheDocument());
  expect(location.href).not.toContain('second');
  expect(screen.getByLabelText('New password')).toHaveValue('');
  resetConfirmed.mockResolvedValueOnce('ana@example.com');
  await type('long enough');
  await submit();
  expect(resetConfirmed).toHaveBeenCalledExactlyOnceWith('second', 'long enough');
});

test('a refused password shows the reason and the current rules', async () => {
  open('#token=t');
  await screen.findByText('At least 8 characters');
  resetConfirmed.mockRejectedValueOnce(new ApiError(400, 'weak-password', 'At least 12.'));
  vi.mocked(passwordPolicy).mockResolvedValue({ minLength: 12, maxLength: 72, refusesCommon: false });
  await type('long enough');
  await submit();
  expect(await screen.findByRole('alert')).toHaveTextContent('The password does not meet the requirements.');
  expect(await screen.findByText('At least 12 characters')).toBeInTheDocument();
  resetConfirmed.mockRejectedValueOnce(new ApiError(400, 'common-password', 'In the words of the server.'));
  await type(' and longer');
  await submit();
  expect(await screen.findByText('This password is one of the most common ones. Choose another.')).toHaveRole(
    'alert',
  );
});

test('a signed-in user is told so and signed out before the password is set', async () => {
  vi.mocked(sessionState).mockReturnValue(bo);
  open('#token=t');
  expect(
    screen.getByText('Bo (bo@example.com) is signed in in this browser and will be signed out first.'),
  ).toBeInTheDocument();
  const order: string[] = [];
  vi.mocked(signOut).mockImplementation(async () => void order.push('sign-out'));
  resetConfirmed.mockImplementation(async () => {
    order.push('confirm');
    return 'ana@example.com';
  });
  await type('long enough');
  await submit();
  await screen.findByText(/^Login with/);
  expect(order).toEqual(['sign-out', 'confirm']);
});
