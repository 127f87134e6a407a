import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isInteracting, useRowInteraction } from './row-interaction.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Desk({ pinned = false, menu = false }: { pinned?: boolean; menu?: boolean }) {
  const holding = useRowInteraction(pinned);
  return (
    <>
      <p>{holding ? 'held' : 'free'}</p>
      <div data-holds>
        <button type="button" aria-expanded={menu}>
          row
        </button>
      </div>
      <button type="button">elsewhere</button>
    </>
  );
}

const row = () => screen.getByRole('button', { name: 'row' });
const elsewhere = () => screen.getByRole('button', { name: 'elsewhere' });
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const move = (to: Element) => fireEvent.pointerMove(to, { pointerType: 'mouse' });
const state = () => screen.getByText(/held|free/).textContent;

describe('the sort order is frozen', () => {
  test('while a pointer is over a row, and a moment longer', () => {
    render(<Desk />);
    expect(state()).toBe('free');
    move(row());
    wait(5_000);
    expect(state()).toBe('held');
    move(elsewhere());
    wait(500);
    expect(state()).toBe('held');
    wait(400);
    expect(state()).toBe('free');
  });

  test('while the focus is in a row', () => {
    render(<Desk />);
    act(() => row().focus());
    expect(state()).toBe('held');
    act(() => elsewhere().focus());
    wait(1_000);
    expect(state()).toBe('free');
  });

  test('while a finger is on a row, also when it scrolls', () => {
    render(<Desk />);
    const touch = { identifier: 1, target: row() };
    fireEvent.touchStart(row(), { touches: [touch] });
    fireEvent.pointerCancel(row(), { pointerType: 'touch' });
    wait(3_000);
    expect(state()).toBe('held');
    fireEvent.touchEnd(row(), { touches: [] });
    wait(1_000);
    expect(state()).toBe('free');
  });

  test('while a menu of a row or a dialog about one is open', () => {
    const { rerender } = render(<Desk menu />);
    move(elsewhere());
    wait(2_000);
    expect(state()).toBe('held');
    rerender(<Desk />);
    wait(1_000);
    expect(state()).toBe('free');
    rerender(<Desk pinned />);
    wait(2_000);
    expect(state()).toBe('held');
    rerender(<Desk />);
    wait(1_000);
    expect(state()).toBe('free');
  });

  test('no longer when the focused element was removed', () => {
    render(<Desk />);
    act(() => row().focus());
    act(() => {
      const button = row();
      button.hidden = true;
      button.blur();
    });
    wait(1_000);
    expect(state()).toBe('free');
  });
});

test('a pointer at rest for 30 s freezes nothing until it moves', () => {
  render(<Desk />);
  move(row());
  wait(29_000);
  expect(state()).toBe('held');
  wait(1_400);
  expect(state()).toBe('free');
  move(row());
  expect(state()).toBe('held');
});

test('a key press counts as movement, too', () => {
  render(<Desk />);
  act(() => row().focus());
  wait(20_000);
  fireEvent.keyDown(row(), { key: 'Shift' });
  wait(20_000);
  expect(state()).toBe('held');
  wait(11_000);
  expect(state()).toBe('free');
});

test('a pointer that leaves the window ends the interaction', () => {
  render(<Desk />);
  move(row());
  fireEvent.pointerOut(row(), { relatedTarget: null });
  wait(1_000);
  expect(state()).toBe('free');
});

test('the grace period starts when the pointer leaves', () => {
  const hand = { pinned: false, inside: false, leftAt: 1_000, stirredAt: 1_000 };
  expect(isInteracting(hand, 1_599)).toBe(true);
  expect(isInteracting(hand, 1_600)).toBe(false);
});

test('a resting pointer does not freeze the order for ever, an open menu does', () => {
  const hand = { pinned: false, inside: true, leftAt: 0, stirredAt: 1_000 };
  expect(isInteracting(hand, 30_999)).toBe(true);
  expect(isInteracting(hand, 31_000)).toBe(false);
  expect(isInteracting({ ...hand, pinned: true }, 3_600_000)).toBe(true);
});
