import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { PickerList, type PickerOption } from './picker-list.tsx';

const drop = { value: 'drop', text: 'Drop' };
const pdi = { value: 'pdi', text: 'PDI' };
const used = { value: 'used', text: 'Used' };

const pick = vi.fn<(option: PickerOption) => void>();
let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  pick.mockReset();
});

const list = (...options: PickerOption[]) => (
  <PickerList
    label="Status"
    placeholder=""
    options={options}
    none="Nothing matches"
    concurrentChange=""
    draw={({ text }) => text}
    pick={pick}
  />
);

async function show(...options: PickerOption[]) {
  const { rerender } = render(list(...options));
  await user.click(field());
  return (...now: PickerOption[]) => rerender(list(...now));
}

const field = () => screen.getByRole('combobox', { name: 'Status' });
/** The one that Enter picks. */
const active = () =>
  document.getElementById(field().getAttribute('aria-activedescendant') ?? '')?.textContent;

test('Enter picks none in the place of an option that the arrow keys had reached and that has gone', async () => {
  const change = await show(drop, pdi, used);
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe('PDI');
  change(drop, used);
  expect(active()).toBeUndefined();
  await user.keyboard('{Enter}');
  expect(pick).not.toHaveBeenCalled();
  await user.keyboard('{ArrowDown}');
  expect(active()).toBe('Drop');
  await user.keyboard('{Enter}');
  expect(pick).toHaveBeenCalledExactlyOnceWith(drop);
});

test('an option that the pointer was on is left by typing, also where it has gone', async () => {
  const change = await show(drop, pdi, used);
  await user.hover(screen.getByRole('option', { name: 'PDI' }));
  change(drop, used);
  await user.type(field(), 'u{Enter}');
  expect(pick).toHaveBeenCalledExactlyOnceWith(used);
});

test('the first is active where nobody has gone to another, whatever goes', async () => {
  const change = await show(drop, pdi);
  expect(active()).toBe('Drop');
  change(pdi);
  expect(active()).toBe('PDI');
});

test('what Enter is not to pick first is not active at first, the present value or not', async () => {
  await show({ ...drop, current: true, neverFirst: true }, { ...pdi, neverFirst: true });
  expect(active()).toBeUndefined();
  await user.keyboard('{Enter}dr{Enter}');
  expect(pick).not.toHaveBeenCalled();
  await user.keyboard('{ArrowDown}{Enter}');
  expect(pick).toHaveBeenCalledOnce();
  expect(pick.mock.lastCall?.[0]).toMatchObject(drop);
});
