import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { currentToast, dismissToast, showToast, TOAST_MS } from './toaster.ts';
import { Toasts } from './toasts.tsx';

afterEach(() => vi.useRealTimers());

const show = () =>
  render(<Toasts region="Notifications ({hotkey})" one="Notification" closeLabel="Dismiss" />);

test('only the newest toast is there', () => {
  show();
  act(() => showToast({ text: 'first' }));
  act(() => showToast({ text: 'second', tone: 'destructive', detail: 'because' }));
  expect(screen.queryByText('first')).not.toBeInTheDocument();
  expect(screen.getByText('second')).toBeInTheDocument();
  expect(screen.getByText('because')).toBeInTheDocument();
});

test('a toast goes when it is dismissed', async () => {
  show();
  act(() => showToast({ text: 'said' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('a toast goes by itself after five seconds', () => {
  vi.useFakeTimers();
  show();
  act(() => showToast({ text: 'said' }));
  act(() => vi.advanceTimersByTime(4_999));
  expect(screen.getByText('said')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(1));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('a dismissed toast is forgotten five seconds later, unless another has come', () => {
  vi.useFakeTimers();
  showToast({ text: 'said' });
  dismissToast(currentToast()?.id ?? 0);
  vi.advanceTimersByTime(TOAST_MS - 1);
  expect(currentToast()).toMatchObject({ text: 'said', open: false });
  showToast({ text: 'next' });
  vi.advanceTimersByTime(1);
  expect(currentToast()).toMatchObject({ text: 'next', open: true });
});

test('F8 leads to the notifications', () => {
  show();
  act(() => showToast({ text: 'said' }));
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(screen.getByRole('region', { name: 'Notifications (F8)' }).querySelector('ol')).toHaveFocus();
});
