import { act, render, screen, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerTime } from '../api/server-time.ts';
import { noteSocketStart, noteStreamState } from '../repair-order/freshness.ts';
import { useClock } from '../shop/clock.ts';
import { NotLiveBanner } from './not-live-banner.tsx';

const HOUR = 3_600_000;
/** By the device's clock, which is an hour slow. */
const DEVICE = Date.parse('2026-03-02T14:00:00Z');
const SERVER = DEVICE + HOUR;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: DEVICE });
});
afterEach(() => vi.useRealTimers());

function Shown({ at }: { at: number }) {
  return <output>{`Not live since ${useClock().short(at)}`}</output>;
}

function show(since: number) {
  render(
    <MemoryRouter>
      <NotLiveBanner />
      <Shown at={since} />
    </MemoryRouter>,
  );
  act(() => void vi.advanceTimersByTime(30_000));
  const expected = screen.getByRole('status').textContent.replace(/\s+/g, ' ');
  expect(within(screen.getByRole('alert')).getByText(expected)).toBeInTheDocument();
}

test('the screen is not live since a time of the shop, whatever the device’s clock says', () => {
  noteServerTime(new Date(SERVER).toISOString());
  noteSocketStart();
  noteStreamState(false, null);
  show(SERVER);
});

test('the time since when the server cannot read is the server’s as it stands', () => {
  noteServerTime(new Date(SERVER).toISOString());
  noteSocketStart();
  noteStreamState(false, SERVER - 10 * 60_000);
  show(SERVER - 10 * 60_000);
});
