import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type Board,
  changeBoard,
  claimBoard,
  deleteBoard,
  fetchBoards,
  identifyBoard,
  linkBoard,
  reloadBoard,
  revokeBoard,
} from '../api/boards.ts';
import { ApiError } from '../api/http.ts';
import { fetchTechnicians } from '../api/repair-orders.ts';
import { onSocketMessage } from '../api/socket.ts';
import { typeUnreadable } from '../ui/number-field.fixture.ts';
import { Toasts } from '../ui/toasts.tsx';
import { boardOf } from './boards.fixture.ts';
import { BoardsScreen } from './boards-screen.tsx';

vi.mock('../api/boards.ts');
vi.mock('../api/socket.ts', () => ({
  onSocketMessage: vi.fn(),
  onStaffChange: vi.fn(),
  openSocket: vi.fn(),
}));
vi.mock('../api/repair-orders.ts', async (original) => ({
  ...(await original<typeof import('../api/repair-orders.ts')>()),
  fetchTechnicians: vi.fn(),
}));
const session = vi.hoisted(() => ({ mayManage: true }));
vi.mock('../auth/use-session.ts', () => ({ usePermission: () => session.mayManage }));

let all: Board[];
let user: ReturnType<typeof userEvent.setup>;
/** As the socket tells it. */
let changed: () => void;
const wall = boardOf();
const lounge = boardOf({
  boardId: '1f8b3c1e-5a52-4d0f-9b59-2d1c7f1d6a10',
  name: 'Lounge',
  layout: 'lounge',
  state: 'revoked',
  live: false,
  shows: null,
});

beforeEach(() => {
  user = userEvent.setup();
  session.mayManage = true;
  all = [lounge, wall];
  vi.mocked(fetchBoards).mockImplementation(async () => all);
  vi.mocked(fetchTechnicians).mockResolvedValue([]);
  for (const call of [
    claimBoard,
    linkBoard,
    changeBoard,
    revokeBoard,
    deleteBoard,
    reloadBoard,
    identifyBoard,
  ]) {
    vi.mocked(call).mockReset();
  }
  vi.mocked(onSocketMessage).mockImplementation((_, listener) => {
    changed = () => listener(null);
    return () => undefined;
  });
});

function open(address = '/boards') {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter initialEntries={[address]}>
        <Routes>
          <Route path="/boards" element={<BoardsScreen />} />
          <Route path="/dashboard" element="the desk" />
        </Routes>
      </MemoryRouter>
      <Toasts region="Notifications" one="Notification" closeLabel="Dismiss" />
    </QueryClientProvider>,
  );
}

const card = (name: string) => screen.findByRole('article', { name });
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

test('a user who may not manage boards is redirected to the desk', () => {
  session.mayManage = false;
  open();
  expect(screen.getByText('the desk')).toBeInTheDocument();
});

test('a user without permission who scans a screen’s code learns who may pair it', async () => {
  session.mayManage = false;
  open('/boards?code=K7Q2MX');
  await screen.findByText('Screens are paired by an owner or admin.');
  expect(screen.getByText('the desk')).toBeInTheDocument();
});

test('each board shows whether it is connected, its content and its version', async () => {
  open();
  const one = within(await card('North wall'));
  expect(one.getByText('Live')).toBeInTheDocument();
  expect(one.getByText('42 cars · 3 pages')).toBeInTheDocument();
  expect(one.getByText('1920 × 1080')).toBeInTheDocument();
  expect(one.getByText('0.1.0-abcdef01')).toBeInTheDocument();
  const other = within(await card('Lounge'));
  expect(other.getByText('Revoked')).toBeInTheDocument();
  expect(other.queryByText('Not said yet')).toBeNull();
  expect(screen.getByText('2 boards · 1 live')).toBeInTheDocument();
});

test('a change by somebody else appears when it is announced', async () => {
  open();
  await card('North wall');
  all = [boardOf({ name: 'East wall' })];
  act(() => changed());
  await card('East wall');
});

test('a code pairs a new board, however it is typed', async () => {
  open();
  await press('Pair a screen');
  await user.type(screen.getByLabelText('Code'), 'k7q-2mx');
  const pair = screen.getByRole('button', { name: 'Pair' });
  expect(pair).toBeDisabled();
  await user.type(screen.getByLabelText('Name'), ' Lane ');
  await user.click(screen.getByRole('radio', { name: 'Queue' }));
  await user.click(pair);
  expect(claimBoard).toHaveBeenCalledWith('K7Q2MX', { name: 'Lane', layout: 'queue' });
  await screen.findByText('Lane is on its screen');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a scanned code is filled in, and can pair an existing board', async () => {
  open('/boards?code=K7Q2MX');
  expect(await screen.findByLabelText('Code')).toHaveValue('K7Q2MX');
  await user.selectOptions(await screen.findByLabelText('Board'), 'Lounge');
  await user.click(screen.getByRole('button', { name: 'Pair' }));
  expect(claimBoard).toHaveBeenCalledWith('K7Q2MX', { boardId: lounge.boardId });
});

test('an answer that comes late leaves the dialog that is open by then', async () => {
  let answer: () => void = () => undefined;
  vi.mocked(changeBoard).mockReturnValue(
    new Promise((resolve) => {
      answer = resolve;
    }),
  );
  open();
  await press('Settings of North wall');
  await user.type(screen.getByLabelText('Name'), ' 1');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await user.keyboard('{Escape}');
  await press('Settings of Lounge');
  await user.type(screen.getByLabelText('Name'), ' 2');
  await act(async () => answer());
  await screen.findByText('North wall 1 saved');
  expect(screen.getByLabelText('Name')).toHaveValue('Lounge 2');
});

test('a wrong code shows a message and keeps the typed text', async () => {
  vi.mocked(claimBoard).mockRejectedValue(new ApiError(404, 'unknown-code', 'No.'));
  open();
  await press('Pair a screen as Lounge');
  await user.type(screen.getByLabelText('Code'), 'AAAAAA{Enter}');
  await screen.findByText('No screen shows this code, or not any more.');
  expect(screen.getByLabelText('Code')).toHaveValue('AAAAAA');
});

test('a new link is shown', async () => {
  const url = '/board#link=abc';
  vi.mocked(linkBoard).mockResolvedValue({ boardId: 'b', url, expiresAt: '2026-03-09T09:00:00Z' });
  open();
  await press('Make a link');
  await user.type(screen.getByLabelText('Name'), 'Lane{Enter}');
  expect(linkBoard).toHaveBeenCalledWith({ name: 'Lane', layout: 'shop-floor' });
  expect(await screen.findByLabelText('The link')).toHaveValue(`${location.origin}${url}`);
});

test('only the changed fields are saved', async () => {
  open();
  await press('Settings of North wall');
  const save = screen.getByRole('button', { name: 'Save' });
  expect(save).toBeDisabled();
  await user.selectOptions(screen.getByLabelText('Text size'), 'Large');
  await user.click(screen.getByRole('checkbox', { name: 'PDI' }));
  await user.clear(screen.getByLabelText('Seconds a page'));
  await user.type(screen.getByLabelText('Seconds a page'), '3');
  // Too short a page to be read.
  expect(save).toBeDisabled();
  await user.type(screen.getByLabelText('Seconds a page'), '0');
  await user.click(save);
  expect(changeBoard).toHaveBeenCalledWith(wall.boardId, {
    expectedRevision: wall.revision,
    settings: { textSize: 'large', pageSeconds: 30, categories: ['Waiting', 'Drop', 'Used'] },
  });
});

test('an invalid value is explained at its field', async () => {
  open();
  await press('Settings of North wall');
  const columns = screen.getByLabelText('Columns');
  await user.type(columns, '13');
  expect(columns).toBeInvalid();
  expect(columns).toHaveAccessibleDescription('1 to 12');
  await user.clear(columns);
  expect(columns).toBeValid();
});

test('a text that is no number is not an empty field: the board does not get as many columns as fit', async () => {
  all = [boardOf({ settings: { ...wall.settings, columns: 5 } })];
  open();
  await press('Settings of North wall');
  const columns = screen.getByLabelText('Columns');
  typeUnreadable(columns);
  expect(columns).toBeInvalid();
  expect(columns).toHaveAccessibleDescription('1 to 12');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('choosing another layout resets cars and columns, which are sent as shown', async () => {
  all = [boardOf({ settings: { ...wall.settings, columns: 5 } })];
  open();
  await press('Settings of North wall');
  await user.click(screen.getByRole('radio', { name: 'Customer lounge' }));
  expect(screen.getByLabelText('Columns')).toHaveValue(null);
  expect(screen.getByRole('checkbox', { name: 'Waiting' })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'Drop' })).not.toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'Shop floor' }));
  expect(screen.getByLabelText('Columns')).toHaveValue(5);
  await user.click(screen.getByRole('radio', { name: 'Customer lounge' }));
  await press('Save');
  expect(changeBoard).toHaveBeenCalledWith(wall.boardId, {
    expectedRevision: wall.revision,
    layout: 'lounge',
    settings: { categories: ['Waiting'], columns: null },
  });
});

test('a change by somebody else under the open sheet is shown, and the user takes either', async () => {
  open();
  await press('Settings of North wall');
  await user.selectOptions(screen.getByLabelText('Text size'), 'Large');
  all = [boardOf({ revision: 'b', name: 'East wall', settings: { ...wall.settings, theme: 'light' } })];
  act(() => changed());
  await screen.findByText('Somebody else has changed this board meanwhile.');
  expect(screen.getByLabelText('Name')).toHaveValue('North wall');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  await press('Keep mine');
  // Only what was touched here.
  expect(screen.getByLabelText('Name')).toHaveValue('East wall');
  expect(screen.getByLabelText('Look')).toHaveValue('light');
  await press('Save');
  expect(changeBoard).toHaveBeenCalledWith(wall.boardId, {
    expectedRevision: 'b',
    settings: { textSize: 'large' },
  });
});

test('taking the other change takes all its fields', async () => {
  open();
  await press('Settings of North wall');
  await user.type(screen.getByLabelText('Name'), ' 2');
  all = [boardOf({ revision: 'b', name: 'East wall' })];
  act(() => changed());
  await press('Take theirs');
  expect(screen.getByLabelText('Name')).toHaveValue('East wall');
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
});

test('a technician who no longer exists can be removed', async () => {
  all = [boardOf({ settings: { ...wall.settings, technicians: [12] } })];
  open();
  await press('Settings of North wall');
  expect(await screen.findByRole('checkbox', { name: 'No. 12, not here any more' })).toBeChecked();
  await press('All of them');
  await press('Save');
  expect(changeBoard).toHaveBeenCalledWith(wall.boardId, {
    expectedRevision: wall.revision,
    settings: { technicians: [] },
  });
});

test('a disconnected board offers no actions', async () => {
  all = [boardOf({ live: false })];
  open();
  expect(await screen.findByRole('button', { name: 'Identify North wall' })).toBeDisabled();
  await press('More for North wall');
  expect(await screen.findByRole('menuitem', { name: 'Reload' })).toHaveAttribute('aria-disabled', 'true');
});

test('links of a board without a screen are revoked', async () => {
  open();
  await press('More for Lounge');
  await user.click(await screen.findByRole('menuitem', { name: 'Void its links' }));
  expect(revokeBoard).toHaveBeenCalledWith(lounge.boardId);
  await screen.findByText('Links made for Lounge are void');
});

test('a board is identified, and loads its page again', async () => {
  open();
  await press('Identify North wall');
  expect(identifyBoard).toHaveBeenCalledWith(wall.boardId);
  await press('More for North wall');
  await user.click(await screen.findByRole('menuitem', { name: 'Reload' }));
  expect(reloadBoard).toHaveBeenCalledWith(wall.boardId);
});

test('a board is revoked only after a question', async () => {
  open();
  await press('More for North wall');
  await user.click(await screen.findByRole('menuitem', { name: 'Revoke' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Revoke North wall?' }));
  expect(revokeBoard).not.toHaveBeenCalled();
  await user.click(question.getByRole('button', { name: 'Revoke' }));
  expect(revokeBoard).toHaveBeenCalledWith(wall.boardId);
  await screen.findByText('North wall is revoked');
});

test('a board without a screen is deleted only after a question', async () => {
  open();
  await press('More for Lounge');
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Delete Lounge?' }));
  expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'More for Lounge' })).toHaveFocus());
  expect(deleteBoard).not.toHaveBeenCalled();

  await press('More for Lounge');
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  expect(deleteBoard).toHaveBeenCalledWith(lounge.boardId);
  expect(revokeBoard).not.toHaveBeenCalled();
});

test('an empty list explains how to add a board, and a failed one shows the reason', async () => {
  all = [];
  open();
  await screen.findByText('No boards yet');
  vi.mocked(fetchBoards).mockRejectedValue(new ApiError(0, 'network', 'No.'));
  open();
  expect(await screen.findByRole('alert')).toHaveTextContent('Boards could not be loaded');
});
