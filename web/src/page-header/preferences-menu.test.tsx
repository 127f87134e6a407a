import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { beforeAll, expect, test, vi } from 'vitest';
import { type SessionState, sessionState } from '../api/session.ts';
import { PreferencesMenu } from './preferences-menu.tsx';

beforeAll(async () => {
  await import('./preferences-items.tsx');
}, 120_000);

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: vi.fn(),
}));

const ana: SessionState = {
  status: 'signed-in',
  user: { uid: 'u1', email: 'ana@example.com', name: 'Ana', roles: [], technicianId: null, permissions: [] },
};

test('the menu links to the user’s account', async () => {
  vi.mocked(sessionState).mockReturnValue(ana);
  const user = userEvent.setup();
  const Path = () => useLocation().pathname;
  render(
    <MemoryRouter>
      <header>
        <PreferencesMenu />
      </header>
      <Path />
    </MemoryRouter>,
  );
  await user.click(screen.getByRole('button', { name: 'Account, appearance and language' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Your account' }));
  expect(await screen.findByText('/account')).toBeInTheDocument();
});
