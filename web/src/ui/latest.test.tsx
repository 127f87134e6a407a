import { render, renderHook } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { expect, test, vi } from 'vitest';
import { expectGone } from './garbage.fixture.ts';
import { useLatest } from './latest.ts';

test('the function stays the same and does what the last one does', () => {
  const first = vi.fn();
  const second = vi.fn();
  const { result, rerender } = renderHook(({ call }) => useLatest(call), { initialProps: { call: first } });
  const kept = result.current;
  rerender({ call: second });
  expect(result.current).toBe(kept);
  kept('given');
  expect(first).not.toHaveBeenCalled();
  expect(second).toHaveBeenCalledExactlyOnceWith('given');
});

test('what only the first function used is given back', async () => {
  const kept: (() => void)[] = [];
  function Component({ used }: { used: object }) {
    const call = useLatest(() => void used);
    useEffect(() => void kept.push(call), [call]);
    return null;
  }
  const withAnother = (): [ReactNode, WeakRef<object>] => {
    const used = {};
    return [<Component key="one" used={used} />, new WeakRef(used)];
  };
  const { rerender } = render(null);
  const used = [1, 2, 3, 4].map(() => {
    const [element, one] = withAnother();
    rerender(element);
    return one;
  });
  expect(kept).toHaveLength(1);
  for (const one of used.slice(0, 2)) await expectGone(one);
});
