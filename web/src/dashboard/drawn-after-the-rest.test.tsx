import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDrawnAfterTheRest } from './drawn-after-the-rest.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function Row({ name }: { name: string }) {
  return useDrawnAfterTheRest() ? <button type="button">{name}</button> : null;
}

const drawn = () => screen.queryAllByRole('button').map((button) => button.textContent);
const scroll = () => document.body.dispatchEvent(new Event('scroll'));
const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('a row that comes while the list stands still is drawn whole at once', () => {
  render(<Row name="still" />);
  expect(drawn()).toEqual(['still']);
});

test('a row that comes while the list is scrolled is drawn whole when that is over, and one that is gone by then never', () => {
  scroll();
  const { rerender } = render([<Row key="1" name="passed" />, <Row key="2" name="stays" />]);
  for (let time = 0; time < 3; time++) {
    wait(100);
    scroll();
  }
  expect(drawn()).toEqual([]);
  rerender([<Row key="2" name="stays" />]);
  wait(149);
  expect(drawn()).toEqual([]);
  wait(1);
  expect(drawn()).toEqual(['stays']);
  scroll();
  wait(100);
  expect(drawn()).toEqual(['stays']);
});
