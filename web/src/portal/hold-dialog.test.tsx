import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Row } from '../api/repair-orders.ts';
import { toRepairOrder } from '../repair-order/order.ts';
import { row } from '../repair-order/rows.fixture.ts';
import { HoldDialog } from './hold-dialog.tsx';

const hold = {
  id: 3,
  reason: 'parts',
  whoActs: 'parts',
  since: '2026-03-02T14:00:00Z',
  note: 'Pads',
} as const;
const tap = vi.fn();

function dialog(holds: Row['holds']) {
  const order = toRepairOrder([row(7, { stage: 'in-work', ...(holds && { holds }) })]);
  const props = { order, reason: 'parts', hold, runningJob: null, tap, close: () => undefined } as const;
  return <HoldDialog {...props} />;
}

test('a note of a hold that the desk has ended meanwhile does not begin it again', async () => {
  const user = userEvent.setup();
  const { rerender } = render(dialog([hold]));
  await user.type(screen.getByRole('textbox'), ' and discs');
  rerender(dialog([]));
  expect(screen.getByRole('status')).toHaveTextContent(
    'This hold of RO 7 has ended in the meantime: there is nothing left to write a note on.',
  );
  const save = screen.getByRole('button', { name: 'Save note' });
  expect(save).toBeDisabled();
  await user.click(save);
  expect(tap).not.toHaveBeenCalled();
  expect(screen.getByRole('textbox')).toHaveValue('Pads and discs');
  rerender(dialog([hold]));
  await user.click(save);
  expect(tap).toHaveBeenCalledExactlyOnceWith(
    expect.anything(),
    expect.objectContaining({ kind: 'hold', reason: 'parts', note: 'Pads and discs' }),
  );
});
