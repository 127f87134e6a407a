import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchIntakeKeys, type IntakeKey, makeIntakeKey, revokeIntakeKey } from '../api/intake-keys.ts';
import { Toasts } from '../ui/toasts.tsx';
import { IntakeKeysSheet } from './intake-keys-sheet.tsx';

vi.mock('../api/intake-keys.ts', () => ({
  fetchIntakeKeys: vi.fn(),
  makeIntakeKey: vi.fn(),
  revokeIntakeKey: vi.fn(),
}));

const SECRET = 'dk_a-secret-that-is-shown-once';

const nightly: IntakeKey = {
  id: 'k1',
  name: 'Nightly export',
  createdAt: '2026-03-02T14:00:00Z',
  createdBy: 'owner@example.com',
  lastUsedAt: null,
};
const parts: IntakeKey = { ...nightly, id: 'k2', name: 'Parts counter', lastUsedAt: '2026-03-03T14:00:00Z' };

/** What the server has. */
let keys: IntakeKey[];
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  keys = [nightly, parts];
  vi.mocked(fetchIntakeKeys).mockReset();
  vi.mocked(fetchIntakeKeys).mockImplementation(async () => keys);
  vi.mocked(makeIntakeKey)
    .mockReset()
    .mockImplementation(async (name) => {
      const made = { ...nightly, id: 'k3', name };
      keys = [...keys, made];
      return { ...made, key: SECRET };
    });
  vi.mocked(revokeIntakeKey)
    .mockReset()
    .mockImplementation(async (id) => {
      keys = keys.filter((key) => key.id !== id);
    });
});

function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <IntakeKeysSheet close={() => undefined} />
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}

const list = () => screen.findByRole('list', { name: 'Keys in use' });
const line = async (name: string) => {
  const item = within(await list())
    .getByText(name)
    .closest('li');
  if (item === null) throw new Error(`${name} is in no line`);
  return item;
};

test('a key’s line says whose it is, who made it and when it was last used', async () => {
  open();
  expect(await line('Nightly export')).toHaveTextContent('Never used');
  expect(await line('Nightly export')).toHaveTextContent(/Made .*2026.* by owner@example.com/);
  expect(await line('Parts counter')).toHaveTextContent(/Last used \S/);
});

test('the secret of a new key is shown until it was taken note of, with a command that has it', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText');
  open();
  await list();
  expect(screen.getByRole('button', { name: 'Make key' })).toBeDisabled();
  await user.type(screen.getByLabelText('Program'), '  Service lane {Enter}');

  const copy = await screen.findByRole('button', { name: 'Copy key' });
  expect(copy).toHaveFocus();
  expect(makeIntakeKey).toHaveBeenCalledExactlyOnceWith('Service lane');
  expect(screen.getByLabelText('Key')).toHaveValue(SECRET);
  expect(screen.getByText('Copy it now: it will not be shown again.')).toBeVisible();
  await user.click(copy);
  expect(copied).toHaveBeenLastCalledWith(SECRET);
  expect(await screen.findByText('Copied')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy command' }));
  const command = copied.mock.lastCall?.[0] ?? '';
  expect(command.split('\n')).toHaveLength(3);
  expect(command).toContain(`curl ${location.origin}/api/intake/repair-orders`);
  expect(command).toContain(`Bearer ${SECRET}`);
  expect(await line('Service lane')).toBeVisible();

  await user.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByText(SECRET, { exact: false })).toBeNull();
  expect(screen.queryByDisplayValue(SECRET)).toBeNull();
  expect(screen.getByLabelText('Program')).toHaveValue('');
});

test('a key that could not be made keeps its name and says why', async () => {
  const sentence = 'There are 50 intake keys already; revoke one that is not used';
  vi.mocked(makeIntakeKey).mockRejectedValue(new ApiError(409, 'too-many-keys', sentence));
  open();
  await user.type(await screen.findByLabelText('Program'), 'One more{Enter}');
  expect(await screen.findByText(sentence)).toHaveRole('alert');
  expect(screen.getByLabelText('Program')).toHaveValue('One more');
});

test('revoking asks first, with the focus on Cancel, and the key is gone from the list', async () => {
  open();
  const revoke = within(await line('Parts counter')).getByRole('button');
  await user.click(revoke);
  const question = await screen.findByRole('alertdialog', { name: 'Revoke the key of Parts counter?' });
  expect(within(question).getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(revokeIntakeKey).not.toHaveBeenCalled();
  expect(revoke).toHaveFocus();

  await user.click(revoke);
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('Key of Parts counter revoked')).toBeVisible();
  expect(revokeIntakeKey).toHaveBeenCalledExactlyOnceWith('k2');
  expect(within(await list()).queryByText('Parts counter')).toBeNull();
  expect(await line('Nightly export')).toBeVisible();
});

test('a key that could not be revoked stays, and the reason is said', async () => {
  vi.mocked(revokeIntakeKey).mockRejectedValue(new ApiError(503, 'unavailable', 'Please try again.'));
  open();
  await user.click(within(await line('Parts counter')).getByRole('button'));
  await user.click(await screen.findByRole('button', { name: 'Revoke' }));
  expect(await screen.findByText('The key of Parts counter could not be revoked')).toBeVisible();
  expect(await line('Parts counter')).toBeVisible();
});

test('without keys it says so', async () => {
  keys = [];
  open();
  expect(await screen.findByText('No program has a key yet.')).toBeVisible();
});

test('a list that could not be loaded says why, and can be tried again', async () => {
  vi.mocked(fetchIntakeKeys).mockRejectedValueOnce(new ApiError(409, 'refused', 'The server is busy.'));
  open();
  expect(await screen.findByText('Intake keys could not be loaded')).toBeVisible();
  expect(screen.getByText('The server is busy.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await line('Nightly export')).toBeVisible();
});
