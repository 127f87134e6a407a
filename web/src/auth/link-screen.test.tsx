import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { linkAccount, pendingLink } from '../api/session.ts';
import { shop } from '../shop/shop.ts';
import { LinkScreen } from './link-screen.tsx';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  linkAccount: vi.fn(),
  pendingLink: vi.fn(),
}));

const ANN = 'ann@example.com';
const refusal = (status: number, code: ErrorCode) =>
  new ApiError(status, code, 'In the words of the server.');

beforeEach(() => {
  shop.signInWith = 'Northside';
  vi.mocked(linkAccount).mockReset().mockResolvedValue();
  vi.mocked(pendingLink).mockReset().mockResolvedValue(ANN);
});

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={['/login/link']}>
        <Routes>
          <Route path="/login/link" element={<LinkScreen />} />
          <Route path="/login" element="the sign-in screen" />
          <Route path="/dashboard" element="the desk" />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('heading');
  return userEvent.setup();
}

test('asks for the account’s own password, then for a code, and leads to the desk', async () => {
  const user = await open();
  expect(screen.getByRole('heading', { name: 'Link your account' })).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toHaveValue(ANN);
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'second-factor-required'));
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
  expect(linkAccount).toHaveBeenLastCalledWith('secret', undefined);
  vi.mocked(linkAccount).mockResolvedValueOnce();
  await user.type(await screen.findByLabelText('Code'), '123 456{Enter}');
  expect(linkAccount).toHaveBeenLastCalledWith('secret', '123456');
  expect(await screen.findByText('the desk')).toBeInTheDocument();
});

test('a wrong password shows a message and can be tried again', async () => {
  const user = await open();
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'wrong-password'));
  await user.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect(await screen.findByText('The password is not correct')).toHaveRole('alert');
  expect(screen.getByRole('button', { name: 'Link and sign in' })).toBeEnabled();
});

const failures = [
  [429, 'too-many-requests', 'Too many attempts. Wait a moment and try again.'],
  [503, 'busy', 'Too many people are signing in just now. Wait a few seconds and try again.'],
  [0, 'network', 'The server could not be reached.'],
  [403, 'no-role', 'You have no role in this shop: ask an owner to give you one'],
] as const;

test.each(failures)(
  '%i %s shows the message of the sign-in screen, and can be tried again',
  async (...failure) => {
    const [status, code, text] = failure;
    const user = await open();
    vi.mocked(linkAccount).mockRejectedValueOnce(refusal(status, code));
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect(await screen.findByText(text)).toHaveRole('alert');
    await user.click(screen.getByRole('button', { name: 'Link and sign in' }));
    expect(await screen.findByText('the desk')).toBeInTheDocument();
  },
);

test('a wrong code can be tried again, and a password that is wrong by then is asked for again', async () => {
  const user = await open();
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'second-factor-required'));
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'wrong-code'));
  await user.type(await screen.findByLabelText('Code'), '000000{Enter}');
  expect(await screen.findByText('The code is not correct')).toHaveRole('alert');
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'wrong-password'));
  await user.type(screen.getByLabelText('Code'), '{Enter}');
  expect(await screen.findByText('The password is not correct')).toHaveRole('alert');
  expect(screen.getByLabelText('Password')).toBeInTheDocument();
});

test.each(failures)(
  'when the account cannot be asked for, %i %s is said and not that it is too late',
  async (...failure) => {
    const [status, code, text] = failure;
    vi.mocked(pendingLink).mockRejectedValueOnce(refusal(status, code));
    const user = await open();
    expect(await screen.findByText(text)).toHaveRole('alert');
    expect(screen.queryByText('Please sign in again')).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Back to sign in' })).toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText('Email')).toHaveValue(ANN);
  },
);

test.each(['at once', 'meanwhile'])(
  'a link that has expired, %s, leads back to the sign-in screen',
  async (when) => {
    if (when === 'at once') vi.mocked(pendingLink).mockRejectedValue(refusal(400, 'link-expired'));
    const user = await open();
    if (when === 'meanwhile') {
      vi.mocked(linkAccount).mockRejectedValueOnce(refusal(400, 'link-expired'));
      await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    }
    expect(await screen.findByRole('heading', { name: 'Please sign in again' })).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to sign in' }));
    expect(screen.getByText('the sign-in screen')).toBeInTheDocument();
  },
);
