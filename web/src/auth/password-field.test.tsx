import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { passwordPolicy } from '../api/account.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField } from './password-field.tsx';

vi.mock('../api/account.ts', () => ({ passwordPolicy: vi.fn() }));
vi.mocked(passwordPolicy).mockResolvedValue({ minLength: 8, maxLength: 1_000, refusesCommon: true });

const user = userEvent.setup();
/** As long as a password manager's, and longer than what some hashes take. */
const MADE_UP = `${'kV7#qzP m'.repeat(12)}ü`;

function NewPassword() {
  const [value, change] = useState('');
  return (
    <QueryClientProvider client={new QueryClient()}>
      <NewPasswordField value={value} change={change} />
    </QueryClientProvider>
  );
}

const fields = [
  [
    'the present password',
    <PasswordField key="present" label="Password" autoComplete="current-password" />,
    'current-password',
  ],
  ['a new password', <NewPassword key="new" />, 'new-password'],
] as const;

const input = () => screen.getByLabelText(/password$/i, { selector: 'input' });

test.each(fields)('%s is masked until somebody wants to see it', async (_, field) => {
  render(field);
  expect(input()).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(input()).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(input()).toHaveAttribute('type', 'password');
});

test.each(fields)(
  '%s accepts a long pasted password, and password managers recognise it',
  async (_, field, purpose) => {
    render(field);
    expect(input()).toHaveAttribute('autocomplete', purpose);
    expect(input()).not.toHaveAttribute('maxlength');
    expect(input()).not.toHaveAttribute('readonly');
    await user.click(input());
    await user.paste(MADE_UP);
    expect(input()).toHaveValue(MADE_UP);
  },
);
