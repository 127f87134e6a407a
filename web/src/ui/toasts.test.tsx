import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Sheet } from './sheet.tsx';
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

test('a dismissed toast disappears', async () => {
  show();
  act(() => showToast({ text: 'said' }));
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('a toast disappears after five seconds', () => {
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

test('F8 moves the focus to the notifications', () => {
  show();
  act(() => showToast({ text: 'said' }));
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  expect(screen.getByRole('region', { name: 'Notifications (F8)' }).querySelector('ol')).toHaveFocus();
});

test('Escape closes a dialog first, even if the toast came later, and then dismisses the toast', async () => {
  const user = userEvent.setup();
  function Page() {
    const [open, setOpen] = useState(true);
    return (
      <Sheet open={open} close={() => setOpen(false)} title="RO 104217" closeLabel="Close">
        <input aria-label="Notes" />
      </Sheet>
    );
  }
  render(<Page />);
  show();
  act(() => showToast({ text: 'said' }));
  await user.click(screen.getByLabelText('Notes'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByText('said')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('Escape on a toast returns the focus to where F8 was pressed', async () => {
  const user = userEvent.setup();
  render(<input aria-label="Search" />);
  show();
  act(() => showToast({ text: 'said', action: { label: 'Undo', otherWay: '', run: () => {} } }));
  await user.click(screen.getByLabelText('Search'));
  await user.keyboard('{F8}{Tab}');
  expect(screen.getByRole('button', { name: 'Undo' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByText('said')).not.toBeInTheDocument();
  expect(screen.getByLabelText('Search')).toHaveFocus();
});

test('a toast disappears by itself although the one it replaced had the focus', () => {
  vi.useFakeTimers();
  show();
  act(() => showToast({ text: 'first', action: { label: 'Undo', otherWay: '', run: () => {} } }));
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  act(() => showToast({ text: 'second' }));
  act(() => vi.advanceTimersByTime(TOAST_MS));
  expect(screen.queryByText('second')).not.toBeInTheDocument();
});

test('a toast that appears while another window is active waits until it is seen', () => {
  vi.useFakeTimers();
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  show();
  act(() => showToast({ text: 'said' }));
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByText('said')).toBeInTheDocument();
  hasFocus.mockRestore();
  fireEvent.focus(window);
  act(() => vi.advanceTimersByTime(TOAST_MS));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('pressing a toast keeps the dialog beside it open', async () => {
  const close = vi.fn();
  render(
    <Sheet open close={close} title="RO 104217" closeLabel="Close">
      Details
    </Sheet>,
  );
  show();
  act(() => showToast({ text: 'said' }));
  await userEvent.setup({ pointerEventsCheck: 0 }).click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
  expect(close).not.toHaveBeenCalled();
});

test('the timer of a toast stops while the pointer or the focus is on it', () => {
  vi.useFakeTimers();
  show();
  act(() => showToast({ text: 'said' }));
  act(() => vi.advanceTimersByTime(4_000));
  fireEvent.pointerEnter(screen.getByRole('listitem'));
  act(() => vi.advanceTimersByTime(60_000));
  fireEvent.pointerLeave(screen.getByRole('listitem'));
  act(() => vi.advanceTimersByTime(500));
  fireEvent.keyDown(document, { key: 'F8', code: 'F8' });
  act(() => vi.advanceTimersByTime(60_000));
  act(() => screen.getByRole('list').blur());
  act(() => vi.advanceTimersByTime(499));
  expect(screen.getByText('said')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(1));
  expect(screen.queryByText('said')).not.toBeInTheDocument();
});

test('a toast is announced once, a failure at once and good news when the reader pauses', () => {
  vi.useFakeTimers();
  show();
  act(() => showToast({ text: 'said', detail: 'because' }));
  act(() => vi.advanceTimersByTime(100));
  expect(screen.getByText('Notification said because')).toHaveAttribute('aria-live', 'polite');
  act(() => vi.advanceTimersByTime(900));
  expect(screen.queryByText('Notification said because')).not.toBeInTheDocument();
  act(() => showToast({ text: 'failed', tone: 'destructive' }));
  act(() => vi.advanceTimersByTime(100));
  expect(screen.getByText('Notification failed')).toHaveAttribute('aria-live', 'assertive');
});
