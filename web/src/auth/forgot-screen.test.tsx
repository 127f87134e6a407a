import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { requestPasswordReset } from '../api/account.ts';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { ForgotScreen } from './forgot-screen.tsx';

vi.mock('../api/account.ts', () => ({ requestPasswordReset: vi.fn() }));

const resetRequested = vi.mocked(requestPasswordReset);
const user = userEvent.setup();
const send = () => user.click(screen.getByRole('button', { name: 'Send Reset Link' }));

beforeEach(() => {
  resetRequested.mockReset();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[{ pathname: '/forgot-password', state: { email: 'a@example.com' } }]}>
        <ForgotScreen />
      </MemoryRouter>
    </QueryClientProvider>,
  );
});

test('shows exactly the specified texts, and links back', () => {
  expect(screen.getByRole('heading', { name: 'Reset your password' })).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toBeRequired();
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(screen.getAllByRole('textbox')).toHaveLength(1);
  expect(screen.getByRole('link', { name: 'Back to sign in' })).toHaveAttribute('href', '/login');
  expect(document.title).toBe('Reset your password');
});

test('has the email that was typed before, is busy while it sends, and confirms', async () => {
  let sent: () => void = () => undefined;
  resetRequested.mockReturnValueOnce(
    new Promise((resolve) => {
      sent = resolve;
    }),
  );
  await send();
  expect(resetRequested).toHaveBeenCalledExactlyOnceWith('a@example.com');
  expect(screen.getByRole('button', { name: 'Sending...' })).toBeDisabled();
  sent();
  expect(await screen.findByText('Password reset email sent. Check your inbox.')).toHaveRole('status');
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
});

test('shows a failure in a red box instead of the confirmation', async () => {
  resetRequested.mockResolvedValueOnce();
  await send();
  await screen.findByText('Password reset email sent. Check your inbox.');
  resetRequested.mockRejectedValueOnce(new ApiError(409, 'refused', 'No mail can be sent at the moment.'));
  await send();
  expect(await screen.findByText('No mail can be sent at the moment.')).toHaveRole('alert');
  expect(screen.getByRole('alert')).toHaveClass('bg-danger-tint', 'text-danger');
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test.each<[ErrorCode, string]>([
  ['too-many-requests', 'Too many attempts. Wait a moment and try again.'],
  ['invalid-email', 'This is not an email address.'],
])('says what %s means', async (code, text) => {
  resetRequested.mockRejectedValueOnce(new ApiError(400, code, 'In the words of the server.'));
  await send();
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
});
