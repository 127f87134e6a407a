import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { changeLanguage } from '../i18n/i18n.ts';
import { instantOf, NO_TIME, type TypedTime, typedTime } from './typed-time.ts';
import { WallTimeField } from './wall-time-field.tsx';

// Its clock is put forward on 8 March 2026 from 2 to 3, and back on 1 November from 2 to 1.
vi.mock('./shop.ts', async (original) => {
  const { shop } = await original<typeof import('./shop.ts')>();
  return { shop: { ...shop, timeZone: 'America/New_York' } };
});

afterEach(() => changeLanguage('en'));

let last: TypedTime;

function Form({ first }: { first: TypedTime }) {
  const [value, change] = useState(first);
  last = value;
  return <WallTimeField label="Start" value={value} change={change} />;
}

const field = () => screen.getByLabelText('Start');
const show = (first = NO_TIME) => render(<Form first={first} />);
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const choice = () => screen.queryByRole('radiogroup');
const meant = () => {
  const at = instantOf(last);
  return at === null ? null : new Date(at).toISOString();
};

test('nothing is said of an empty field, nor of a time that the clock shows once', () => {
  show();
  for (const [text, at] of [
    ['', null],
    ['2026-03-08T01:59', '2026-03-08T06:59:00.000Z'],
    ['2026-03-08T03:00', '2026-03-08T07:00:00.000Z'],
    ['2026-11-01T02:00', '2026-11-01T07:00:00.000Z'],
  ] as const) {
    type(text);
    expect(meant()).toBe(at);
    expect(field()).not.toHaveAttribute('aria-invalid');
    expect(field()).not.toHaveAccessibleDescription();
    expect(choice()).toBeNull();
  }
});

test('a time over which the clock is put forward is an error, which says what to do', () => {
  show();
  type('2026-03-08T02:30');
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription(
    /^The clocks are put forward from 2:00\sAM to 3:00\sAM on this day, so there is no 2:30\sAM\. Choose an earlier or a later time\.$/,
  );
  expect(meant()).toBeNull();
  type('2026-03-08T03:30');
  expect(field()).not.toHaveAttribute('aria-invalid');
  expect(field()).not.toHaveAccessibleDescription();
});

test('of a time that comes twice the first is chosen, and the second can be', async () => {
  show();
  type('2026-11-01T01:30');
  const question = /^The clocks are put back on this day, so 1:30\sAM comes twice\. Which one is meant\?$/;
  expect(field()).toBeValid();
  expect(field()).toHaveAccessibleDescription(question);
  const both = within(screen.getByRole('radiogroup', { name: question }));
  const first = both.getByRole('radio', { name: /^The first 1:30\sAM Eastern Daylight Time$/ });
  const second = both.getByRole('radio', { name: /^The second 1:30\sAM Eastern Standard Time$/ });
  expect(first).toBeChecked();
  expect(meant()).toBe('2026-11-01T05:30:00.000Z');
  const user = userEvent.setup();
  await user.tab();
  await user.tab();
  expect(first).toHaveFocus();
  await user.keyboard('{ArrowDown}');
  expect(second).toBeChecked();
  expect(meant()).toBe('2026-11-01T06:30:00.000Z');
});

test('the second stays chosen for another time of the same hour, and not beyond it', () => {
  show(typedTime(Date.parse('2026-11-01T06:30:20Z')));
  expect(screen.getByRole('radio', { name: /second/ })).toBeChecked();
  type('2026-11-01T01:45');
  expect(meant()).toBe('2026-11-01T06:45:00.000Z');
  type('2026-11-01T03:45');
  type('2026-11-01T01:45');
  expect(meant()).toBe('2026-11-01T05:45:00.000Z');
});

test('a year of five digits is an error', () => {
  // A text field stands for the browsers that let one be typed.
  show({ text: '12026-03-08T02:30', isSecond: false });
  expect(field()).toBeInvalid();
  expect(field()).toHaveAccessibleDescription('The year cannot be right. Correct it.');
  expect(meant()).toBeNull();
});

test.each([
  ['de', /werden die Uhren von 02:00 auf 03:00 vorgestellt: 02:30 gibt es nicht/, 'Das zweite Mal 01:30'],
  [
    'es',
    /no existe la hora 02:30, porque los relojes se adelantan de 02:00 a 03:00/,
    'La segunda vez, 01:30',
  ],
] as const)('in %s, too', async (language, error, second) => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([language]);
  await changeLanguage(language);
  show();
  type('2026-03-08T02:30');
  expect(field()).toHaveAccessibleDescription(error);
  type('2026-11-01T01:30');
  expect(screen.getByRole('radio', { name: new RegExp(second) })).not.toBeChecked();
});
