import { act, render } from '@testing-library/react';
import { StrictMode } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  afterClosing,
  afterOverlays,
  afterTravel,
  goBack,
  historyAtRest,
  historyIndex,
  useHistoryEntry,
} from './history-entries.ts';

beforeEach(() => history.replaceState({ idx: 0 }, '', '/'));

function Overlay({ open, close = () => undefined }: { open: boolean; close?: () => void }) {
  useHistoryEntry(open, close);
  return null;
}

const atRest = () => act(historyAtRest);

async function travel(steps: number) {
  const popped = new Promise((resolve) => window.addEventListener('popstate', resolve, { once: true }));
  history.go(steps);
  await act(() => popped);
  await atRest();
}

test('Back closes what is open, and closing it otherwise takes its entry away', async () => {
  const close = vi.fn();
  const { rerender } = render(<Overlay open close={close} />);
  await atRest();
  expect(historyIndex()).toBe(1);
  await travel(-1);
  expect(close).toHaveBeenCalledOnce();
  rerender(<Overlay open={false} close={close} />);
  await atRest();
  expect(historyIndex()).toBe(0);

  const entries = history.length;
  for (let times = 0; times < 3; times++) {
    rerender(<Overlay open close={close} />);
    await atRest();
    expect(historyIndex()).toBe(1);
    rerender(<Overlay open={false} close={close} />);
    await atRest();
    expect(historyIndex()).toBe(0);
  }
  expect(history.length).toBe(entries);
  expect(close).toHaveBeenCalledOnce();
});

test('an entry that another screen took over stays that screen’s', async () => {
  const { rerender } = render(<Overlay open />);
  await atRest();
  // As the router replaces an entry: a sign-out leads to the login.
  history.replaceState({ usr: null, key: 'k', idx: 1 }, '', '/login');
  rerender(<Overlay open={false} />);
  await atRest();
  expect([location.pathname, historyIndex()]).toEqual(['/login', 1]);
});

test('of two the upper one closes first, and together they take both entries away', async () => {
  const [lower, upper] = [vi.fn(), vi.fn()];
  const { rerender, unmount } = render(
    <>
      <Overlay open close={lower} />
      <Overlay open close={upper} />
    </>,
  );
  await atRest();
  expect(historyIndex()).toBe(2);
  await travel(-1);
  expect(upper).toHaveBeenCalledOnce();
  expect(lower).not.toHaveBeenCalled();
  rerender(
    <>
      <Overlay open close={lower} />
      <Overlay open={false} />
    </>,
  );
  rerender(
    <>
      <Overlay open close={lower} />
      <Overlay open close={upper} />
    </>,
  );
  await atRest();
  expect(historyIndex()).toBe(2);
  unmount();
  await atRest();
  expect(historyIndex()).toBe(0);
});

test('what opens in place of another takes its entry over', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const { rerender } = render(<Overlay key="first" open close={first} />);
  await atRest();
  const pushed = vi.spyOn(history, 'pushState');
  const went = vi.spyOn(history, 'go');
  rerender(<Overlay key="second" open close={second} />);
  await atRest();
  expect(pushed).not.toHaveBeenCalled();
  expect(went).not.toHaveBeenCalled();
  await travel(-1);
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledOnce();
});

test('an effect that runs twice adds one entry', async () => {
  render(
    <StrictMode>
      <Overlay open />
    </StrictMode>,
  );
  await atRest();
  expect(historyIndex()).toBe(1);
});

test('an entry below another screen’s stays', async () => {
  const { rerender } = render(<Overlay open />);
  await atRest();
  history.pushState({ idx: 2 }, '', '/elsewhere');
  rerender(<Overlay open={false} />);
  await atRest();
  expect(historyIndex()).toBe(2);
  expect(location.pathname).toBe('/elsewhere');
});

test('what changes the address waits until the browser has gone back', async () => {
  history.pushState({ idx: 1 }, '', '/?open');
  goBack();
  const seen: string[] = [];
  afterTravel(() => seen.push(location.search));
  expect(seen).toEqual([]);
  await atRest();
  expect(seen).toEqual(['']);
  afterTravel(() => seen.push('at once'));
  expect(seen).toEqual(['', 'at once']);
});

test('what leads elsewhere when it closes waits until its entry is gone', async () => {
  const { rerender } = render(<Overlay open />);
  await atRest();
  const indices: number[] = [];
  const gone = new Promise<void>((resolve) =>
    afterClosing(() => {
      indices.push(historyIndex());
      resolve();
    }),
  );
  rerender(<Overlay open={false} />);
  await act(() => gone);
  expect(indices).toEqual([0]);
});

test('what changes the screen’s address waits until nothing is open over it, however that closes', async () => {
  const changed = vi.fn();
  const { rerender } = render(<Overlay open />);
  await atRest();
  afterOverlays(changed);
  expect(changed).not.toHaveBeenCalled();
  await travel(-1);
  expect(changed).toHaveBeenCalledOnce();

  rerender(<Overlay open={false} />);
  rerender(<Overlay open />);
  await atRest();
  afterOverlays(() => changed(historyIndex()));
  rerender(<Overlay open={false} />);
  await atRest();
  expect(changed).toHaveBeenLastCalledWith(0);
  afterOverlays(() => changed('at once'));
  expect(changed).toHaveBeenLastCalledWith('at once');
});

test('a way back that leads nowhere holds up nothing for long', async () => {
  const went = vi.spyOn(history, 'go').mockImplementation(() => undefined);
  goBack();
  await atRest();
  expect(went).toHaveBeenCalledOnce();
});
