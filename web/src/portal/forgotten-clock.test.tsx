import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { proposeCorrection } from '../api/clock.ts';
import { running } from './clock.fixture.ts';
import { ForgottenClock } from './forgotten-clock.tsx';

vi.mock('../api/clock.ts', async (original) => ({
  ...(await original<typeof import('../api/clock.ts')>()),
  proposeCorrection: vi.fn(),
}));
vi.mock('../api/server-time.ts', async (original) => ({
  ...(await original<typeof import('../api/server-time.ts')>()),
  serverNow: () => Date.parse('2026-11-02T13:00:00Z'),
}));
// Its clock is put forward on 8 March 2026 from 2 to 3, and back on 1 November from 2 to 1.
vi.mock('../shop/shop.ts', async (original) => {
  const { shop } = await original<typeof import('../shop/shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

const user = userEvent.setup();
const clockOut = vi.fn();

beforeEach(() => {
  vi.mocked(proposeCorrection).mockReset().mockResolvedValue();
  clockOut.mockReset();
});

function open(since: string) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ForgottenClock
        technician={7}
        running={running(null, { since, forgotten: true })}
        clockOut={clockOut}
      />
    </QueryClientProvider>,
  );
}

const end = () => screen.getByLabelText('I stopped at');
const propose = () => user.click(screen.getByRole('button', { name: 'Clock out' }));
const proposed = () => vi.mocked(proposeCorrection).mock.lastCall?.[2].endedAt;

test('an end that does not exist is not proposed: its field says why, and has the focus', async () => {
  open('2026-03-08T02:00:00Z');
  fireEvent.change(end(), { target: { value: '2026-03-08T02:30' } });
  await propose();
  expect(proposeCorrection).not.toHaveBeenCalled();
  expect(clockOut).not.toHaveBeenCalled();
  expect(end()).toHaveFocus();
  expect(end()).toBeInvalid();
  expect(end()).toHaveAccessibleDescription(/there is no 2:30\sAM/);
  fireEvent.change(end(), { target: { value: '2026-03-08T01:30' } });
  await propose();
  await waitFor(() => expect(clockOut).toHaveBeenCalledOnce());
  expect(proposed()).toBe('2026-03-08T06:30:00.000Z');
});

test('what is suggested is eight hours later, the second time where that is meant', async () => {
  open('2026-10-31T22:30:00Z');
  expect(end()).toHaveValue('2026-11-01T01:30');
  expect(screen.getByRole('radio', { name: /^The second/ })).toBeChecked();
  await propose();
  await waitFor(() => expect(clockOut).toHaveBeenCalledOnce());
  expect(proposed()).toBe('2026-11-01T06:30:00.000Z');
});

test('the other one of the two can be chosen', async () => {
  open('2026-10-31T22:30:00Z');
  await user.click(screen.getByRole('radio', { name: /^The first/ }));
  await propose();
  await waitFor(() => expect(proposed()).toBe('2026-11-01T05:30:00.000Z'));
});
