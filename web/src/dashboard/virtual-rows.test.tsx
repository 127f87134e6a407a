import { act, render } from '@testing-library/react';
import { useLayoutEffect, useRef } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { useVirtualRows, type VirtualRows } from './virtual-rows.ts';

const ROW_HEIGHT = 40;
const ORDERS = Array.from({ length: 1_000 }, (_, index) => 4_000 + index);
/** Rows in sight, of the guess with which the first render is made. */
const IN_SIGHT = Math.ceil((innerHeight - 200) / ROW_HEIGHT);
const AT_ONCE = 8;
const OVERSCAN = 5;

/** The rows of each commit. */
let commits: number[][];
let shown: VirtualRows;

beforeEach(() => {
  commits = [];
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(innerHeight - 200);
});

test('the first rows are drawn at once, then the others of the screen and some beyond', async () => {
  await act(async () => render(<List keys={ORDERS} />));
  expect(commits[0]).toHaveLength(AT_ONCE);
  expect(commits[0]?.[0]).toBe(4_000);
  expect(commits.at(-1)).toHaveLength(IN_SIGHT + OVERSCAN);
  expect(newRowsAtMost()).toBe(AT_ONCE);
});

test('rows that are on the screen stay while new ones come', async () => {
  const { rerender } = await act(async () => render(<List keys={ORDERS} />));
  const kept = ORDERS.slice(3, IN_SIGHT);
  commits = [];
  await act(async () => rerender(<List keys={ORDERS.slice(3)} />));
  expect(commits.length).toBeGreaterThan(0);
  for (const commit of commits) expect(commit).toEqual(expect.arrayContaining(kept));
});

test('a list of other orders comes some rows at a time, from the top', async () => {
  const { rerender } = await act(async () => render(<List keys={ORDERS} />));
  commits = [];
  const others = ORDERS.toReversed();
  await act(async () => rerender(<List keys={others} />));
  expect(commits[0]).toEqual(others.slice(0, AT_ONCE));
  expect(commits.at(-1)).toEqual(others.slice(0, IN_SIGHT + OVERSCAN));
  expect(newRowsAtMost()).toBe(AT_ONCE);
});

test('the row with the focus is drawn wherever it is', async () => {
  await act(async () => render(<List keys={ORDERS} focused={IN_SIGHT - 1} />));
  expect(commits[0]).toEqual([...ORDERS.slice(0, AT_ONCE), 4_000 + IN_SIGHT - 1]);
});

/** Of all commits the most rows that the one before had not. */
function newRowsAtMost(): number {
  const added = commits.map((rows, place) => rows.filter((key) => !commits[place - 1]?.includes(key)));
  return Math.max(...added.map(({ length }) => length));
}

function List({ keys, focused = -1 }: { keys: number[]; focused?: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  shown = useVirtualRows({ scroller, keys, rowHeight: ROW_HEIGHT, headerHeight: 0, foot: 0, focused });
  const drawn = shown.rendered.map(({ index }) => keys[index] ?? Number.NaN);
  useLayoutEffect(() => {
    commits.push(drawn);
  });
  return <div ref={scroller} />;
}
