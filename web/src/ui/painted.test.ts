import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { usePaintedValue } from './painted.ts';

test('a value counts once the page was painted with it, and only the last one', () => {
  vi.useFakeTimers({
    toFake: ['requestAnimationFrame', 'cancelAnimationFrame', 'setTimeout', 'clearTimeout'],
  });
  const { result, rerender } = renderHook(usePaintedValue<string>, { initialProps: 'first' });
  expect(result.current).toBe('first');
  const values: string[] = [];
  rerender('second');
  values.push(result.current);
  act(() => vi.advanceTimersToNextFrame());
  rerender('third');
  values.push(result.current);
  act(() => vi.advanceTimersToNextFrame());
  values.push(result.current);
  act(() => vi.runAllTimers());
  values.push(result.current);
  expect(values).toEqual(['first', 'first', 'first', 'third']);
  vi.useRealTimers();
});
