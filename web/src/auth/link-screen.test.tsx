import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
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
const refusal = (status: number, code: string) => new ApiError(status, code, 'In the words of the server.');

beforeEach(() => {
  shop.signInWith = 'Northside';
  vi.mocked(linkAccount).mockReset();
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

test('a wrong password is said and can be tried again', async () => {
  const user = await open();
  vi.mocked(linkAccount).mockRejectedValueOnce(refusal(401, 'wrong-password'));
  await user.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect(await screen.findByText('The password is not correct')).toHaveRole('alert');
  expect(screen.getByRole('button', { name: 'Link and sign in' })).toBeEnabled();
});

test.each(['at once', 'meanwhile'])(
  'what is too late, %s, leads back to the sign-in screen',
  async (when) => {
    if (when === 'at once') vi.mocked(pendingLink).mockRejectedValue(refusal(400, 'link-expired'));
    const user = await open();
    if (when === 'meanwhile') {
      vi.mocked(linkAccount).mockRejectedValueOnce(refusal(400, 'link-expired'));
      await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    }
    expect(await screen.findByRole('heading', { name: 'This took too long' })).toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Back to sign in' }));
    expect(screen.getByText('the sign-in screen')).toBeInTheDocument();
  },
);
