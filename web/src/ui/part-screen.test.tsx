import { act, render, screen } from '@testing-library/react';
import { type ComponentType, Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';
import { part } from './part.ts';
import { partScreen, ScreenNotLoaded } from './part-screen.tsx';

test('a screen whose code could not be loaded is there once it can be', async () => {
  // React reports what the boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const fetchCode = vi.fn(async (): Promise<ComponentType<object>> => () => <p>Portal</p>);
  fetchCode.mockRejectedValueOnce(new Error('not loaded')).mockRejectedValueOnce(new Error('still not'));
  const Portal = partScreen(part(fetchCode));
  const failed = vi.fn((_failure: unknown, _retry: () => void) => <p>Failed</p>);
  const at = (path: string) => (
    <ErrorBoundary fallback={failed} resetKey={path}>
      <Suspense fallback="awaited">{path === '/portal' ? <Portal /> : null}</Suspense>
    </ErrorBoundary>
  );
  const { rerender } = render(at('/portal'));
  expect(await screen.findByText('Failed')).toBeInTheDocument();
  expect(fetchCode).toHaveBeenCalledTimes(1);
  // Whoever leaves it and comes back asks again.
  rerender(at('/elsewhere'));
  rerender(at('/portal'));
  expect(await screen.findByText('Failed')).toBeInTheDocument();
  expect(fetchCode).toHaveBeenCalledTimes(2);
  // So does whoever stays.
  const [failure, retry] = failed.mock.lastCall ?? [];
  if (!(failure instanceof ScreenNotLoaded) || retry === undefined) throw new Error('another failure');
  await act(async () => {
    await failure.load();
    retry();
  });
  expect(screen.getByText('Portal')).toBeInTheDocument();
  expect(fetchCode).toHaveBeenCalledTimes(3);
});
