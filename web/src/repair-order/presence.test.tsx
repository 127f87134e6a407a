import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isConnected, sendPresence } from '../api/socket.ts';
import { clearPresence, resetPresence, setPresence, usePresenceAt } from './presence.ts';
import { PresenceIndicator, PresenceLine } from './presence-indicator.tsx';

vi.mock('../api/socket.ts', () => ({ isConnected: vi.fn(), sendPresence: vi.fn() }));
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: () => ({ status: 'signed-in', user: { uid: 'me', name: 'Me Myself' } }),
}));

const send = vi.mocked(sendPresence);

function Dialog({ orders }: { orders: number[] }) {
  usePresenceAt(orders);
  return null;
}

beforeEach(() => {
  vi.mocked(isConnected).mockReturnValue(true);
  send.mockReset().mockResolvedValue(undefined);
});

afterEach(() => act(() => clearPresence()));

const dana = { uid: 'd', name: 'Dana Whitfield' };
const joe = { uid: 'j', name: 'Joe' };
const kim = { uid: 'k', name: 'Kim Ito' };
const sign = () => screen.queryByRole('img')?.getAttribute('aria-label');

test('a row shows who else has the order open, but not the user', () => {
  render(<PresenceIndicator roNumber={7} />);
  expect(sign()).toBeUndefined();
  act(() => setPresence(7, [{ uid: 'me', name: 'Me Myself' }]));
  expect(sign()).toBeUndefined();
  act(() => setPresence(7, [dana, { uid: 'me', name: 'Me Myself' }]));
  expect(sign()).toBe('Open at Dana Whitfield');
  expect(screen.getByText('DW')).toBeInTheDocument();
  act(() => setPresence(7, [dana, joe, kim]));
  expect(sign()).toBe('Open at Dana Whitfield, Joe, Kim Ito');
  expect(screen.getByText('+1')).toBeInTheDocument();
  act(() => setPresence(7, []));
  expect(sign()).toBeUndefined();
});

test('without a connection nobody is shown', () => {
  render(<PresenceIndicator roNumber={7} />);
  act(() => setPresence(7, [dana]));
  act(() => clearPresence());
  expect(sign()).toBeUndefined();
});

test('opening and closing a dialog is announced to the others', () => {
  const { unmount } = render(<Dialog orders={[7]} />);
  expect(send.mock.calls).toEqual([['RO_OPEN', 7]]);
  unmount();
  expect(send.mock.calls).toEqual([
    ['RO_OPEN', 7],
    ['RO_LEAVE', 7],
  ]);
});

test('two dialogs on one order are announced once', () => {
  const first = render(<Dialog orders={[7]} />);
  const second = render(<Dialog orders={[7]} />);
  first.unmount();
  expect(send.mock.calls).toEqual([['RO_OPEN', 7]]);
  second.unmount();
  expect(send).toHaveBeenLastCalledWith('RO_LEAVE', 7);
});

test('a new connection announces the open orders', () => {
  vi.mocked(isConnected).mockReturnValue(false);
  render(<Dialog orders={[7, 8]} />);
  expect(send).not.toHaveBeenCalled();
  vi.mocked(isConnected).mockReturnValue(true);
  resetPresence();
  expect(send.mock.calls).toEqual([
    ['RO_OPEN', 7],
    ['RO_OPEN', 8],
  ]);
});

test('a batch of more orders than a session may have open is not announced', () => {
  render(<Dialog orders={[1, 2, 3, 4, 5, 6, 7, 8, 9]} />);
  expect(send).not.toHaveBeenCalled();
});

test('the head of a dialog names who else has the order open, one or several', () => {
  render(<PresenceLine roNumber={7} />);
  act(() => setPresence(7, [dana]));
  expect(screen.getByRole('status')).toHaveTextContent('Dana Whitfield has this open, too');
  act(() => setPresence(7, [dana, joe]));
  expect(screen.getByRole('status')).toHaveTextContent('Dana Whitfield, Joe have this open, too');
});
