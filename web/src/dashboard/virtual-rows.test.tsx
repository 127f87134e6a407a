import { act, type RenderResult, render } from '@testing-library/react';
import { type ReactElement, useLayoutEffect, useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useVirtualRows, type VirtualRows } from './virtual-rows.ts';

const ROW_HEIGHT = 40;
const ORDERS = Array.from({ length: 1_000 }, (_, index) => 4_000 + index);
const OTHERS = Array.from({ length: 1_000 }, (_, index) => 8_000 - index);
/** Rows in sight, of the guess with which the first render is made. */
const IN_SIGHT = Math.ceil((innerHeight - 200) / ROW_HEIGHT);
const FIRST = 5;
const IN_A_FRAME = 4;
const OVERSCAN = 5;

/** The rows of each commit. */
let commits: number[][];
let shown: VirtualRows;
let frame: number;
let inNextFrame: Map<number, FrameRequestCallback>;

beforeEach(() => {
  commits = [];
  frame = 1;
  inNextFrame = new Map();
  vi.spyOn(document.timeline, 'currentTime', 'get').mockImplementation(() => frame);
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    const id = Math.random();
    inNextFrame.set(id, callback);
    return id;
  });
  vi.stubGlobal('cancelAnimationFrame', (id: number) => inNextFrame.delete(id));
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(innerHeight - 200);
});

afterEach(() => vi.unstubAllGlobals());

test('of the first screenful some rows are painted at once, and then the others and some beyond', async () => {
  const { rerender } = await act(async () => render(<List keys={ORDERS} />));
  // What is committed before the first frame, as by the list's measured height, brings no more.
  await act(async () => rerender(<List keys={[...ORDERS]} />));
  expect(commits.length).toBeGreaterThan(1);
  for (const commit of commits) expect(commit).toEqual(ORDERS.slice(0, FIRST));
  await frames(1);
  expect(commits.at(-1)).toEqual(ORDERS.slice(0, IN_SIGHT + OVERSCAN));
});

test('rows that are on the screen stay while new ones come', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  const kept = ORDERS.slice(3, IN_SIGHT);
  await act(async () => rerender(<List keys={ORDERS.slice(3)} />));
  await frames(10);
  expect(commits.length).toBeGreaterThan(0);
  for (const commit of commits) expect(commit).toEqual(expect.arrayContaining(kept));
});

test('other rows of the same list come some in each frame, from the top', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  await act(async () => rerender(<List keys={OTHERS} />));
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, IN_A_FRAME));
  await frames(1);
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, 2 * IN_A_FRAME));
  await frames(10);
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, IN_SIGHT + OVERSCAN));
  expect(newRowsAtMost()).toBe(IN_A_FRAME);
});

test('of another list fewer rows come in the first frame, and more in those after it', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  await act(async () => rerender(<List keys={OTHERS} list="searched" />));
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, 2));
  await frames(1);
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, 7));
  await frames(10);
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, IN_SIGHT + OVERSCAN));
  // What comes into the list after that is no other list.
  await act(async () => rerender(<List keys={ORDERS} list="searched" />));
  expect(commits.at(-1)).toEqual(ORDERS.slice(0, IN_A_FRAME));
});

test('two commits before one frame have no more new rows than one', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  await act(async () => rerender(<List keys={OTHERS} />));
  const longer = [9_999, ...OTHERS];
  await act(async () => rerender(<List keys={longer} />));
  expect(commits.at(-1)).toEqual(OTHERS.slice(0, IN_A_FRAME));
  await frames(1);
  expect(commits.at(-1)).toEqual(longer.slice(0, 2 * IN_A_FRAME));
});

test('rows that were removed again before a frame do not count in it', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  await act(async () => rerender(<List keys={OTHERS} />));
  await act(async () => rerender(<List keys={ORDERS} />));
  expect(commits.at(-1)).toEqual(ORDERS.slice(0, IN_A_FRAME));
});

test('the row with the focus is drawn wherever it is', async () => {
  const { rerender } = await filled(<List keys={ORDERS} />);
  await act(async () => rerender(<List keys={OTHERS} focused={IN_SIGHT - 1} />));
  expect(commits.at(-1)).toEqual([...OTHERS.slice(0, IN_A_FRAME), OTHERS[IN_SIGHT - 1]]);
});

/** Rendered with all of the first screenful, a frame ago. */
async function filled(list: ReactElement): Promise<RenderResult> {
  const rendered = await act(async () => render(list));
  await frames(2);
  commits = [];
  return rendered;
}

async function frames(count: number): Promise<void> {
  for (let time = 0; time < count; time++) {
    frame++;
    const callbacks = [...inNextFrame.values()];
    inNextFrame.clear();
    await act(async () => {
      for (const callback of callbacks) callback(frame);
    });
  }
}

/** Of all commits the most rows that the one before had not. */
function newRowsAtMost(): number {
  const added = commits.map((rows, place) => rows.filter((key) => !commits[place - 1]?.includes(key)));
  return Math.max(...added.map(({ length }) => length));
}

function List({ keys, list = 'all', focused = -1 }: { keys: number[]; list?: string; focused?: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  shown = useVirtualRows({ list, scroller, keys, rowHeight: ROW_HEIGHT, headerHeight: 0, foot: 0, focused });
  const drawn = shown.rendered.map(({ index }) => keys[index] ?? Number.NaN);
  useLayoutEffect(() => {
    commits.push(drawn);
  });
  return <div ref={scroller} />;
}
