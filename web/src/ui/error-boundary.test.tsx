import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { expect, test, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';

test('what failed stays so at one place, and is left behind at another', () => {
  // React reports what the boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error('Its code could not be loaded.');
  };
  const at = (path: string, children: ReactNode) => (
    <ErrorBoundary fallback={<p>Failed</p>} resetKey={path}>
      {children}
    </ErrorBoundary>
  );
  const { rerender } = render(at('/elsewhere', <Broken />));
  expect(screen.getByText('Failed')).toBeInTheDocument();
  rerender(at('/elsewhere', <p>Portal</p>));
  expect(screen.getByText('Failed')).toBeInTheDocument();
  rerender(at('/portal', <p>Portal</p>));
  expect(screen.getByText('Portal')).toBeInTheDocument();
});

test('what failed is tried again from what stands in its place', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isBroken = true;
  const Portal = () => {
    if (isBroken) throw new Error('It cannot be drawn.');
    return <p>Portal</p>;
  };
  const fallback = (failure: unknown, retry: () => void) => (
    <button type="button" onClick={retry}>
      {String(failure)}
    </button>
  );
  render(
    <ErrorBoundary fallback={fallback}>
      <Portal />
    </ErrorBoundary>,
  );
  const again = () => screen.getByRole('button', { name: 'Error: It cannot be drawn.' });
  await userEvent.click(again());
  expect(again()).toBeInTheDocument();
  isBroken = false;
  await userEvent.click(again());
  expect(screen.getByText('Portal')).toBeInTheDocument();
});
