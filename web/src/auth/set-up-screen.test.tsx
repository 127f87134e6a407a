import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { passwordPolicy } from '../api/account.ts';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { checkSetUpLink, type SetUpQuestions, setUpShop } from '../api/set-up.ts';
import { fetchShop, type Shop, shop } from '../shop/shop.ts';
import { SetUpScreen } from './set-up-screen.tsx';

vi.mock('../api/account.ts', () => ({ passwordPolicy: vi.fn() }));
vi.mock('../api/set-up.ts', async (original) => ({
  ...(await original<typeof import('../api/set-up.ts')>()),
  checkSetUpLink: vi.fn(),
  setUpShop: vi.fn(),
}));
vi.mock('../shop/shop.ts', async (original) => ({
  ...(await original<typeof import('../shop/shop.ts')>()),
  fetchShop: vi.fn(),
}));

const user = userEvent.setup();
const check = vi.mocked(checkSetUpLink);
const setUp = vi.mocked(setUpShop);
const everything: SetUpQuestions = {
  shopName: null,
  shopNameByOption: false,
  timeZone: null,
  timeZoneByOption: false,
};

beforeEach(() => {
  check.mockReset().mockResolvedValue(everything);
  setUp.mockReset();
  vi.mocked(passwordPolicy).mockResolvedValue({ minLength: 8, maxLength: 72, refusesCommon: true });
});

function open(fragment = '#token=secret-of-the-link') {
  window.history.replaceState(null, '', `/set-up${fragment}`);
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BrowserRouter>
        <Routes>
          <Route path="/set-up" element={<SetUpScreen />} />
          <Route path="/login" element={<p>Login</p>} />
        </Routes>
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

async function fillIn() {
  open();
  await user.type(await screen.findByLabelText('Your name'), 'Olga Owner');
  await user.type(screen.getByLabelText('Email'), 'owner@example.com');
  await user.type(screen.getByLabelText('New password'), 'long enough');
}

const submit = () => user.click(screen.getByRole('button', { name: 'Set up and sign in' }));

test('removes the link from the address, and sends what was typed with the zone of the browser', async () => {
  await fillIn();
  expect(location.href).not.toContain('secret-of-the-link');
  expect(check).toHaveBeenCalledWith('secret-of-the-link', expect.any(AbortSignal));
  await user.type(screen.getByLabelText('Name of the shop'), 'Example Motors');
  // jsdom goes nowhere: what comes after the call is the browser test's.
  setUp.mockReturnValue(new Promise(() => {}));
  await submit();
  expect(setUp).toHaveBeenCalledExactlyOnceWith({
    token: 'secret-of-the-link',
    email: 'owner@example.com',
    name: 'Olga Owner',
    password: 'long enough',
    shopName: 'Example Motors',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
  expect(screen.getByRole('button', { name: 'Setting up...' })).toBeDisabled();
});

test('another zone can be chosen', async () => {
  await fillIn();
  await user.type(screen.getByLabelText('Name of the shop'), 'Example Motors');
  await user.selectOptions(screen.getByLabelText(/^Time zone of the shop/), 'America/Chicago');
  setUp.mockReturnValue(new Promise(() => {}));
  await submit();
  expect(setUp.mock.lastCall?.[0].timeZone).toBe('America/Chicago');
});

test('what an option says is shown, and neither asked for nor sent', async () => {
  check.mockResolvedValue({
    shopName: 'Option Motors',
    shopNameByOption: true,
    timeZone: 'Europe/Berlin',
    timeZoneByOption: true,
  });
  await fillIn();
  expect(screen.getByLabelText('Name of the shop')).toHaveAttribute('readonly');
  expect(screen.getByLabelText('Name of the shop')).toHaveAccessibleDescription(
    'The server’s option --brand-name says so.',
  );
  expect(screen.getByLabelText('Time zone of the shop')).toHaveValue('Europe/Berlin');
  expect(screen.getByLabelText('Time zone of the shop')).toHaveAttribute('readonly');
  setUp.mockReturnValue(new Promise(() => {}));
  await submit();
  expect(setUp.mock.lastCall?.[0]).not.toHaveProperty('shopName');
  expect(setUp.mock.lastCall?.[0]).not.toHaveProperty('timeZone');
});

test.each<[ErrorCode, string, RegExp]>([
  ['invalid-link', 'This set-up link is not valid', /newest one from the server’s output or its log/],
  ['already-set-up', 'This server is set up already', /ask an owner to invite you/],
])('a link that is over (%s) is said before anything is typed', async (code, title, says) => {
  check.mockRejectedValue(new ApiError(400, code, 'In the words of the server.'));
  open();
  expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
  expect(screen.getByText(says)).toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'To the sign-in' }));
  expect(screen.getByText('Login')).toBeInTheDocument();
});

test('somebody else was quicker while the form was filled in', async () => {
  await fillIn();
  await user.type(screen.getByLabelText('Name of the shop'), 'Example Motors');
  setUp.mockRejectedValueOnce(new ApiError(409, 'already-set-up', 'In the words of the server.'));
  await submit();
  expect(await screen.findByRole('heading', { name: 'This server is set up already' })).toBeInTheDocument();
});

describe('on a page that was loaded before the server was set up', () => {
  const replace = vi.fn();
  beforeEach(() => {
    shop.awaitsSetUp = true;
    replace.mockReset();
    vi.mocked(fetchShop).mockResolvedValue({ ...shop, awaitsSetUp: false });
  });
  afterEach(() => {
    shop.awaitsSetUp = false;
    vi.unstubAllGlobals();
  });

  test('a link that is not valid leads to the sign-in', async () => {
    check.mockRejectedValue(new ApiError(400, 'invalid-link', 'In the words of the server.'));
    open();
    vi.stubGlobal('location', { ...location, replace });
    await waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/login'));
  });

  test('whoever fills in the form is told that somebody else was quicker', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'This server is set up already' })).toBeInTheDocument();
  });

  test('a form that is being sent is left alone', async () => {
    let answer: (settings: Shop) => void = () => undefined;
    vi.mocked(fetchShop).mockReturnValue(
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    await fillIn();
    await user.type(screen.getByLabelText('Name of the shop'), 'Example Motors');
    setUp.mockReturnValue(new Promise(() => {}));
    await submit();
    await act(async () => answer({ ...shop, awaitsSetUp: false }));
    expect(screen.getByRole('button', { name: 'Setting up...' })).toBeDisabled();
  });
});

test('a refusal leaves what was typed', async () => {
  await fillIn();
  await user.type(screen.getByLabelText('Name of the shop'), 'Example Motors');
  setUp.mockRejectedValueOnce(new ApiError(400, 'common-password', 'In the words of the server.'));
  await submit();
  expect(await screen.findByText('This password is one of the most common ones. Choose another.')).toHaveRole(
    'alert',
  );
  expect(screen.getByLabelText('Email')).toHaveValue('owner@example.com');
  expect(screen.getByLabelText('Name of the shop')).toHaveValue('Example Motors');
});

test('a server that does not answer can be asked again', async () => {
  check.mockRejectedValueOnce(new ApiError(0, 'network', 'The server could not be reached.'));
  open();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('Your name')).toBeInTheDocument();
});
