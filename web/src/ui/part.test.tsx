import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { loadParts, onPartFailed, part, untilLoaded, useLoadedPart, useOpenedPart, usePart } from './part.ts';

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

test('what was opened and cannot be loaded is reported and closed, and is loaded when it is opened again', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const failed = vi.fn();
  onPartFailed(failed);
  const fetchCode = vi.fn(async () => () => 'here it is');
  fetchCode.mockRejectedValueOnce(new Error('not loaded'));
  const source = part(fetchCode);
  const Opened = ({ close }: { close(): void }) => {
    const Loaded = useOpenedPart(source, close);
    return Loaded === null ? 'awaited' : <Loaded />;
  };
  const Control = () => {
    const [isOpen, setIsOpen] = useState(false);
    return isOpen ? (
      <Opened close={() => setIsOpen(false)} />
    ) : (
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
    );
  };
  render(<Control />);
  await userEvent.click(screen.getByRole('button'));
  await userEvent.click(await screen.findByRole('button'));
  expect(await screen.findByText('here it is')).toBeInTheDocument();
  expect(failed).toHaveBeenCalledTimes(1);
});

test('a part in several places is tried again from any of them', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const fetchCode = vi.fn(async () => () => 'here');
  fetchCode.mockRejectedValueOnce(new Error('not loaded'));
  const source = part(fetchCode);
  const Place = () => {
    const { Loaded, hasFailed, retry } = useLoadedPart(source);
    if (Loaded !== null) return <Loaded />;
    return hasFailed ? (
      <button type="button" onClick={retry}>
        Try again
      </button>
    ) : (
      'awaited'
    );
  };
  const { container } = render([<Place key="one" />, <Place key="other" />]);
  await screen.findAllByRole('button');
  const [one] = screen.getAllByRole('button');
  if (one !== undefined) await userEvent.click(one);
  await waitFor(() => expect(container).toHaveTextContent(/^herehere$/));
});

test('what is loaded for many places is reported once, and asked for until it comes', async () => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockReturnValue();
  const failed = vi.fn();
  onPartFailed(failed);
  const fetchCode = vi.fn(async () => 'here');
  fetchCode.mockRejectedValueOnce(new Error('not loaded')).mockRejectedValueOnce(new Error('still not'));
  const loaded = untilLoaded(fetchCode);
  await vi.runAllTimersAsync();
  expect(await loaded).toBe('here');
  expect(fetchCode).toHaveBeenCalledTimes(3);
  expect(failed).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
});
