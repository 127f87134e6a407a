import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ClockAction } from '../api/clock.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import type { Tap } from './technician-clock.ts';
import { useUndoableTap } from './undoable-taps.ts';

const NUDGE = 'Its story is best written now: open the RO.';

interface ButtonProps {
  action: ClockAction;
  send: Tap;
  undo(): void;
}

function TapButton({ action, send, undo }: ButtonProps) {
  const order = toRepairOrder([row(1, { displayNumber: 'C77' })]);
  const tap = useUndoableTap(send, undo, (roNumber) => (roNumber === 1 ? order : undefined));
  return (
    <button type="button" onClick={() => tap(action, { roNumber: 1, jobNumber: 2 })}>
      Tap
    </button>
  );
}

async function tapped(action: ClockAction) {
  const [send, undo] = [vi.fn<Tap>(), vi.fn()];
  const user = userEvent.setup();
  render(
    <>
      <TapButton {...{ action, send, undo }} />
      <Toasts region="Notifications ({hotkey})" one="Notification" closeLabel="Dismiss" />
    </>,
  );
  await user.click(screen.getByRole('button', { name: 'Tap' }));
  expect(send.mock.calls).toEqual([[action, { roNumber: 1, jobNumber: 2 }]]);
  return { toast: within(screen.getByRole('listitem')), undo, user };
}

test('a finished job says that its story is best written now', async () => {
  const { toast } = await tapped('finish');
  expect(toast.getByText('Job 2 of RO C77 is finished')).toBeInTheDocument();
  expect(toast.getByText(NUDGE)).toBeInTheDocument();
});

test.each<[ClockAction, string]>([
  ['clock-in', 'Clocked in'],
  ['start', 'Job 2 of RO C77 is running'],
  ['stop', 'Stopped: on the clock, no job'],
  ['reopen', 'Job 2 of RO C77 is open again'],
  ['clock-out', 'Clocked out'],
])('%s is no time for a story', async (action, said) => {
  const { toast } = await tapped(action);
  expect(toast.getByText(said)).toBeInTheDocument();
  expect(toast.queryByText(NUDGE)).toBeNull();
});

test('the toast takes the tap back', async () => {
  const { toast, undo, user } = await tapped('finish');
  expect(undo).not.toHaveBeenCalled();
  await user.click(toast.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
});
