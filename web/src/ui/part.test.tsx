import { act, render, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { loadParts, onPartFailed, part, usePart } from './part.ts';

test('what nobody asked for is loaded once it is time to, and its failure is not reported', async () => {
  const failed = vi.fn();
  onPartFailed(failed);
  const fetchCode = vi.fn(() => Promise.reject(new Error('not loaded')));
  const source = part(fetchCode);
  const Control = () => (usePart(source).isOpen ? 'open' : 'closed');
  render(<Control />);
  expect(fetchCode).not.toHaveBeenCalled();
  await act(async () => loadParts());
  await waitFor(() => expect(fetchCode).toHaveBeenCalledTimes(1));
  // A control that comes later loads its own at once.
  render(<Control />);
  await waitFor(() => expect(fetchCode).toHaveBeenCalledTimes(2));
  expect(failed).not.toHaveBeenCalled();
});
