import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from './api/http.ts';
import { failedRequest, failureDetail, failureReason } from './i18n/failure-reason.ts';
import { changeLanguage, i18n } from './i18n/i18n.ts';
import { copyText } from './ui/clipboard.ts';
import { ErrorBoundary } from './ui/error-boundary.tsx';
import { FailureNote } from './ui/form-field.tsx';
import { LoadState } from './ui/load-state.tsx';
import { FailedLine, FailureBanner } from './ui/panel.tsx';
import { RequestReference } from './ui/request-reference.tsx';
import { showToast } from './ui/toaster.ts';
import { Toasts } from './ui/toasts.tsx';

vi.mock('./ui/clipboard.ts', () => ({ copyText: vi.fn() }));

const ID = '3f2a9c1e-6a55-4a3c-8d54-0b7f2f6b0c9e';
const failed = new ApiError(500, 'unexpected-answer', 'The server answered 500.', null, ID);
const refused = new ApiError(409, 'stale-version', 'Somebody was faster.');
const reference = () => screen.queryByRole('button', { name: /^Request 3f2a9c1e/ });
const { t } = i18n;

beforeEach(() => {
  vi.mocked(copyText).mockReset().mockResolvedValue();
});
afterEach(() => {
  vi.useRealTimers();
  return changeLanguage('en');
});

test('its first characters are shown, and the whole of it is copied', async () => {
  render(<RequestReference request={failedRequest(failed, t)} />);
  expect(reference()).toHaveTextContent(/^Request 3f2a9c1e$/);
  await userEvent.click(screen.getByRole('button', { name: 'Request 3f2a9c1e: copy its whole id' }));
  expect(copyText).toHaveBeenCalledExactlyOnceWith(ID);
  expect(screen.getByRole('status')).toHaveTextContent('Copied');
});

test('where it cannot be copied the whole of it is there to be read', async () => {
  vi.mocked(copyText).mockRejectedValue(new Error('The browser refused to copy.'));
  render(<RequestReference request={failedRequest(failed, t)} />);
  expect(screen.queryByText(ID)).toBeNull();
  await userEvent.click(screen.getByRole('button'));
  expect(screen.getByRole('status')).toHaveTextContent(ID);
});

test.each([
  ['de', 'Anfrage 3f2a9c1e'],
  ['es', 'Solicitud 3f2a9c1e'],
] as const)('in %s, too', async (language, text) => {
  await changeLanguage(language);
  render(<RequestReference request={failedRequest(failed, i18n.t)} />);
  expect(screen.getByRole('button')).toHaveTextContent(text);
});

const again = { retryLabel: 'Try again', retry: () => undefined };
const list = (isLoaded: boolean, failure: Error | null) => (
  <LoadState
    {...failureReason(failure, t)}
    isLoaded={isLoaded}
    failed="Not loaded"
    stale={(reason) => `Old: ${reason}`}
    loading={null}
    {...again}
  >
    Rows
  </LoadState>
);
const places = [
  ['a list that could not be loaded', (failure: Error) => list(false, failure)],
  ['a list that could not be loaded again', (failure: Error) => list(true, failure)],
  [
    'a part of a sheet',
    (failure: Error) => <FailedLine text="No" {...failureReason(failure, t)} {...again} />,
  ],
  ['a form', (failure: Error) => <FailureNote text="No" request={failedRequest(failure, t)} />],
  [
    'a banner',
    (failure: Error) => (
      <FailureBanner
        text="No"
        request={failedRequest(failure, t)}
        dismissLabel="Close"
        dismiss={() => undefined}
      />
    ),
  ],
] as const;

test.each(places)('%s has it where the server failed, and not where it refused', (_, draw) => {
  const { rerender } = render(draw(failed));
  expect(reference()).toBeInTheDocument();
  // It is not read aloud with the sentence.
  expect(reference()?.closest('[role="alert"]')).toBeNull();
  rerender(draw(refused));
  expect(reference()).toBeNull();
});

test('a list that was loaded says nothing', () => {
  render(list(true, null));
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.queryByText(/^Old/)).toBeNull();
});

test('a toast has it, and stays long enough for it to be read out', () => {
  vi.useFakeTimers();
  render(<Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />);
  act(() => showToast({ tone: 'destructive', text: 'Not saved', ...failureDetail(refused, t) }));
  expect(screen.getByText('Somebody was faster.')).toBeInTheDocument();
  expect(reference()).toBeNull();
  act(() => showToast({ tone: 'destructive', text: 'Not saved', ...failureDetail(failed, t) }));
  expect(screen.getByText('The server answered 500.')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(19_999));
  expect(reference()).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(1));
  expect(reference()).toBeNull();
});

test('the fallback of what could not be drawn gets why', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const Screen = () => {
    throw failed;
  };
  render(
    <ErrorBoundary fallback={(failure) => <RequestReference request={failedRequest(failure, t)} />}>
      <Screen />
    </ErrorBoundary>,
  );
  expect(reference()).toBeInTheDocument();
});
