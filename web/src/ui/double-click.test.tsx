import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { doublePress, press, pressElsewhere } from './double-click.fixture.ts';
import { pressGuard } from './double-click.ts';

const pressed = vi.fn<(name: string) => void>();

beforeEach(() => {
  pressed.mockReset();
  vi.useFakeTimers();
  pressElsewhere();
});
afterEach(() => vi.useRealTimers());

/** A press of the first button takes it away, and says so on the second. */
function Buttons() {
  const [isThere, setThere] = useState(true);
  const [count, setCount] = useState(0);
  return (
    <div {...pressGuard}>
      {isThere && (
        <button
          type="button"
          onClick={() => {
            pressed('Gone');
            setThere(false);
          }}
        >
          Gone
        </button>
      )}
      <button type="button" onClick={() => pressed('Stays')}>
        Stays
      </button>
      <button
        type="button"
        aria-label={`Start job ${count}`}
        onClick={() => {
          pressed(`Start job ${count}`);
          setCount(count + 1);
        }}
      >
        Start
      </button>
    </div>
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const names = () => pressed.mock.calls.map(([name]) => name);

test.each(['mouse', 'touch'] as const)(
  'the second press of a %s does not press what came in the place',
  (pointer) => {
    render(<Buttons />);
    doublePress(button('Gone'), () => button('Stays'), pointer);
    expect(names()).toEqual(['Gone']);
  },
);

test.each(['mouse', 'touch'] as const)('the same button is pressed twice by a %s', (pointer) => {
  render(<Buttons />);
  doublePress(button('Stays'), () => button('Stays'), pointer);
  expect(names()).toEqual(['Stays', 'Stays']);
});

test.each(['mouse', 'touch'] as const)(
  'a button that has begun to say something else is another one for a %s',
  (pointer) => {
    render(<Buttons />);
    doublePress(button('Start job 0'), () => button('Start job 1'), pointer);
    expect(names()).toEqual(['Start job 0']);
  },
);

test('a third tap presses nothing either, and the one after a pause does', () => {
  render(<Buttons />);
  doublePress(button('Gone'), () => button('Stays'), 'touch');
  vi.advanceTimersByTime(300);
  press(button('Stays'), 'touch', 1);
  expect(names()).toEqual(['Gone']);
  vi.advanceTimersByTime(400);
  press(button('Stays'), 'touch', 1);
  expect(names()).toEqual(['Gone', 'Stays']);
});

test('two buttons at different places are pressed as fast as a thumb can', () => {
  render(<Buttons />);
  press(button('Gone'), 'touch', 1);
  press(button('Stays'), 'touch', 1, { x: 200, y: 652 });
  expect(names()).toEqual(['Gone', 'Stays']);
});

test('what was pressed elsewhere begins a series, too', () => {
  render(
    <>
      <button type="button">Outside</button>
      <Buttons />
    </>,
  );
  doublePress(button('Outside'), () => button('Stays'), 'touch');
  expect(names()).toEqual([]);
});

test('keys press whatever has the focus, but Enter that is held presses once', () => {
  render(<Buttons />);
  // The click of a key has no count.
  fireEvent.click(button('Gone'), { detail: 0 });
  fireEvent.click(button('Stays'), { detail: 0 });
  expect(names()).toEqual(['Gone', 'Stays']);
  const goesOn = (repeat: boolean) => fireEvent.keyDown(button('Stays'), { key: 'Enter', repeat });
  expect([goesOn(false), goesOn(true)]).toEqual([true, false]);
});
