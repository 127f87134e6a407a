import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { signIn, type User } from '../api/session.ts';
import { LoginScreen } from './login-screen.tsx';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  signIn: vi.fn(),
}));

const tried = vi.mocked(signIn);
beforeEach(() => void tried.mockReset());

async function fillIn() {
  const user = userEvent.setup();
  render(<LoginScreen />);
  await user.type(screen.getByLabelText('Email'), 'a@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret');
  return user;
}

test('says its texts to the letter', () => {
  render(<LoginScreen />);
  expect(screen.getByRole('heading', { name: 'Welcome to the product' })).toBeInTheDocument();
  expect(screen.getByText('Your automotive service platform')).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toBeRequired();
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(screen.getByLabelText('Password')).toBeRequired();
  expect(screen.getByRole('link', { name: 'Contact support' }).getAttribute('href')).toMatch(/^mailto:/);
});

test('shows and hides the password', async () => {
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
});

test('is busy while it signs in', async () => {
  tried.mockReturnValue(new Promise<User>(() => undefined));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  expect(tried).toHaveBeenCalledWith('a@example.com', 'secret');
});

test('says what is wrong, keeps what was typed, and shakes', async () => {
  tried.mockRejectedValue(new ApiError(423, 'locked', 'This account is locked.'));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This account is locked.');
  expect(screen.getByLabelText('Email')).toHaveValue('a@example.com');
  expect(screen.getByRole('alert').closest('.shake')).not.toBeNull();
});

test('says that signing in failed when there is no reason', async () => {
  tried.mockRejectedValue(new Error(''));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to sign in');
});

test('takes the last failure down while it tries again, so that the next one is announced', async () => {
  tried.mockRejectedValueOnce(new ApiError(401, 'wrong-password', 'Wrong.'));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Wrong.')).toBeInTheDocument();
  let fail: (reason: Error) => void = () => undefined;
  tried.mockReturnValueOnce(
    new Promise<User>((_, reject) => {
      fail = reject;
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  fail(new ApiError(401, 'wrong-password', 'Wrong.'));
  expect(await screen.findByText('Wrong.')).toBeInTheDocument();
});
