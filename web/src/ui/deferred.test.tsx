import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deferred } from './deferred.tsx';
import { onPartFailed } from './part.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets what was asked for arrive. */
const arrive = (ms = 0) => act(() => vi.advanceTimersByTimeAsync(ms));

function Sheet({ title }: { title: string }) {
  return <p>{title}</p>;
}

test('a component is there once its code is, and at once the next time', async () => {
  const fetchCode = vi.fn(async () => Sheet);
  const Deferred = deferred(fetchCode);
  const { unmount } = render(<Deferred title="Views" />);
  expect(screen.queryByText('Views')).toBeNull();
  await arrive();
  screen.getByText('Views');
  unmount();
  render(<Deferred title="Again" />);
  screen.getByText('Again');
  expect(fetchCode).toHaveBeenCalledTimes(1);
});

test('what cannot be loaded is reported once, takes nothing else from the screen, and comes when it can be', async () => {
  let isServerThere = false;
  const reported = vi.fn();
  const stop = onPartFailed(reported);
  const Deferred = deferred<{ title: string }>(async () => {
    if (!isServerThere) throw new TypeError('Failed to fetch dynamically imported module');
    return Sheet;
  });
  render(
    <>
      <p>The list</p>
      <Deferred title="Views" />
    </>,
  );
  await arrive();
  await arrive(10_000);
  screen.getByText('The list');
  expect(screen.queryByText('Views')).toBeNull();
  expect(reported).toHaveBeenCalledTimes(1);
  isServerThere = true;
  await arrive(3_000);
  screen.getByText('Views');
  stop();
});
