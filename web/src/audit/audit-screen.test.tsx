import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { type AuditEvent, fetchAudit, fetchAuditFile } from '../api/audit.ts';
import { ApiError } from '../api/http.ts';
import { saveFile } from '../ui/save-file.ts';
import { Toasts } from '../ui/toasts.tsx';
import { AuditScreen } from './audit-screen.tsx';

vi.mock('../api/audit.ts', () => ({ fetchAudit: vi.fn(), fetchAuditFile: vi.fn() }));
vi.mock('../ui/save-file.ts', () => ({ saveFile: vi.fn() }));
const session = vi.hoisted(() => ({ mayRead: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'read-audit-trail' && session.mayRead,
}));

function event(id: number, facts: Partial<AuditEvent> = {}): AuditEvent {
  return {
    id,
    at: '2026-11-22T16:20:00Z',
    kind: 'sign-in',
    outcome: 'done',
    reason: null,
    address: '192.0.2.7',
    actor: 'person',
    who: 'ann@example.com',
    whoId: 'u1',
    about: null,
    aboutId: null,
    detail: null,
    count: 1,
    ...facts,
  };
}

let user: ReturnType<typeof userEvent.setup>;

beforeEach(() => {
  user = userEvent.setup();
  session.mayRead = true;
  vi.mocked(fetchAudit).mockReset().mockResolvedValue({ events: [], next: null });
  vi.mocked(fetchAuditFile).mockReset();
  vi.mocked(saveFile).mockReset();
});

function open(address = '/audit') {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/audit" element={<AuditScreen />} />
          <Route path="/dashboard" element="the desk" />
        </Routes>
      </MemoryRouter>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}

const lastQuery = () => vi.mocked(fetchAudit).mock.lastCall?.[0];

test('shows each event with its target, actor and address', async () => {
  const changed = {
    kind: 'roles-changed',
    who: 'owner@example.com',
    whoId: 'u2',
    about: 'ann@example.com',
    aboutId: 'u1',
    detail: 'roles Advisor -> Admin',
  } as const;
  const refused = {
    outcome: 'refused',
    reason: 'wrong-password',
    actor: 'unknown',
    who: null,
    whoId: null,
    count: 57,
  } as const;
  vi.mocked(fetchAudit).mockResolvedValue({ events: [event(3, changed), event(2, refused)], next: null });
  open();
  const [, first, second] = await screen.findAllByRole('row');
  const cells = (row: HTMLElement | undefined) =>
    within(row ?? document.body)
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
      .slice(1);
  expect(cells(first)).toEqual([
    'Roles changed',
    'owner@example.com',
    'ann@example.comAdvisor → Admin',
    '192.0.2.7',
  ]);
  expect(cells(second)).toEqual(['Sign-in · wrong password · 57 times', 'Unknown', '–', '192.0.2.7']);
  expect(document.title).toBe('Audit');
  const sorted = screen.getAllByRole('columnheader').map((head) => head.getAttribute('aria-sort'));
  expect(sorted).toEqual(['descending', null, null, null, null]);
});

test('reads its filters from the address and writes them there', async () => {
  open('/audit?kind=sign-in&outcome=refused');
  expect(await screen.findByText('No matching events')).toHaveRole('status');
  expect(lastQuery()).toEqual({ kind: 'sign-in', outcome: 'refused' });
  await user.selectOptions(screen.getByLabelText('Event'), 'Roles changed');
  await user.selectOptions(screen.getByLabelText('Outcome'), 'All');
  await user.type(screen.getByRole('textbox', { name: 'Email, name or address' }), 'ann');
  await waitFor(() => expect(lastQuery()).toEqual({ kind: 'roles-changed', person: 'ann' }));
  await user.click(screen.getByRole('button', { name: 'Show all events' }));
  await waitFor(() => expect(lastQuery()).toEqual({}));
  expect(screen.getByRole('textbox', { name: 'Email, name or address' })).toHaveValue('');
});

test('earlier events are appended to the list', async () => {
  vi.mocked(fetchAudit).mockImplementation(async (_query, before) =>
    before === null
      ? { events: [event(2)], next: '1.2' }
      : { events: [event(1, { who: 'ben@example.com' })], next: null },
  );
  open();
  await user.click(await screen.findByRole('button', { name: 'Show earlier events' }));
  expect(await screen.findByText('ben@example.com')).toBeVisible();
  expect(screen.getByText('ann@example.com')).toBeVisible();
  expect(vi.mocked(fetchAudit).mock.lastCall?.[1]).toBe('1.2');
  expect(screen.queryByRole('button', { name: 'Show earlier events' })).toBeNull();
});

test('a failure to load earlier events is shown below the list and can be retried', async () => {
  const refused = new ApiError(503, 'unexpected-answer', 'The disk is full.');
  vi.mocked(fetchAudit)
    .mockResolvedValueOnce({ events: [event(2)], next: '1.2' })
    .mockRejectedValueOnce(refused)
    .mockResolvedValueOnce({ events: [event(1, { who: 'ben@example.com' })], next: null });
  open();
  await user.click(await screen.findByRole('button', { name: 'Show earlier events' }));
  expect(await screen.findByText('Earlier events could not be loaded: The disk is full.')).toHaveRole(
    'status',
  );
  expect(screen.getByText('ann@example.com')).toBeVisible();
  expect(screen.queryByText(/may be out of date/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('ben@example.com')).toBeVisible();
  expect(vi.mocked(fetchAudit).mock.lastCall?.[1]).toBe('1.2');
  expect(screen.queryByText(/could not be loaded/)).toBeNull();
});

test('a list that cannot be reloaded stays, is marked as old, and is retried', async () => {
  vi.mocked(fetchAudit)
    .mockResolvedValueOnce({ events: [event(1)], next: null })
    .mockRejectedValueOnce(new ApiError(503, 'unexpected-answer', 'The disk is full.'))
    .mockResolvedValueOnce({ events: [event(2, { who: 'ben@example.com' })], next: null });
  open();
  await screen.findByText('ann@example.com');
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  expect(await screen.findByText(/^The events could not be reloaded: The disk is full\./)).toHaveRole(
    'status',
  );
  expect(screen.getByText('ann@example.com')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('ben@example.com')).toBeVisible();
  expect(screen.queryByText(/could not be reloaded/)).toBeNull();
});

test.each([
  ['invalid-link', 'Password change · link not valid'],
  ['expired-link', 'Password change · link expired'],
  ['of-a-newer-server', 'Password change · of-a-newer-server'],
  [null, 'Password change · Refused'],
])('the reason of a refusal is shown as a text, or as its code: %s', async (reason, text) => {
  const refused = event(1, { kind: 'password-changed', outcome: 'refused', reason });
  vi.mocked(fetchAudit).mockResolvedValue({ events: [refused], next: null });
  open();
  const [, what] = await screen.findAllByRole('cell');
  expect(what).toHaveTextContent(text);
});

test('the export uses the filters of the list', async () => {
  const file = new Blob(['x']);
  vi.mocked(fetchAuditFile).mockResolvedValue(file);
  open('/audit?outcome=refused');
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  expect(fetchAuditFile).toHaveBeenCalledWith({ outcome: 'refused' });
  const [name, content] = vi.mocked(saveFile).mock.lastCall ?? [];
  expect(name).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  expect(content).toBe(file);
});

test('a failed export shows a message', async () => {
  vi.mocked(fetchAuditFile).mockRejectedValue(new ApiError(503, 'refused', 'The disk is full.'));
  open();
  await user.click(await screen.findByRole('button', { name: 'Download CSV' }));
  expect(await screen.findByText('The file could not be created')).toBeVisible();
  expect(screen.getByText('The disk is full.')).toBeVisible();
});

test('a list that cannot be loaded shows a message and is retried', async () => {
  vi.mocked(fetchAudit).mockRejectedValueOnce(new ApiError(503, 'refused', 'The disk is full.'));
  open();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The events could not be loadedThe disk is full.',
  );
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No events yet')).toBeVisible();
});

test('a user without the permission is redirected to the desk', () => {
  session.mayRead = false;
  open();
  expect(screen.getByText('the desk')).toBeVisible();
  expect(fetchAudit).not.toHaveBeenCalled();
});
