import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter, useLocation } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { signIn, startProviderSignIn, type User } from '../api/session.ts';
import { shop } from '../shop/shop.ts';
import { LoginScreen } from './login-screen.tsx';

vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  signIn: vi.fn(),
  startProviderSignIn: vi.fn(),
}));

const signInCalls = vi.mocked(signIn);
beforeEach(() => {
  signInCalls.mockReset();
  shop.signInWith = null;
  shop.supportEmail = 'help@example.com';
});
afterEach(() => {
  shop.supportEmail = '';
});

function CurrentAddress() {
  const { pathname, search } = useLocation();
  return <output aria-label="Address">{pathname + search}</output>;
}

function open(at: string | { pathname: string; state: unknown } = '/login') {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[at]}>
        <LoginScreen />
        <CurrentAddress />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const button = (name: string) => screen.getByRole('button', { name });
const refuse = (code: ErrorCode, sentence = 'In the words of the server.') =>
  signInCalls.mockRejectedValueOnce(new ApiError(401, code, sentence));

async function fillIn() {
  const user = userEvent.setup();
  open();
  await user.type(screen.getByLabelText('Email'), 'a@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret');
  return user;
}

test('shows exactly the specified texts', () => {
  open();
  expect(screen.getByRole('heading', { name: 'Welcome to the product' })).toBeInTheDocument();
  expect(screen.getByText('Your automotive service platform')).toBeInTheDocument();
  expect(screen.getByLabelText('Email')).toBeRequired();
  expect(screen.getByLabelText('Email')).toHaveAttribute('type', 'email');
  expect(screen.getByLabelText('Password')).toBeRequired();
  expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute(
    'href',
    'mailto:help@example.com?subject=Dispatch%20support',
  );
  expect(screen.getByRole('link', { name: 'Forgot password?' })).toHaveAttribute('href', '/forgot-password');
  expect(screen.queryByRole('button', { name: /^Sign in with/ })).not.toBeInTheDocument();
  expect(document.title).toBe('Sign in');
});

test('names the owners where the shop has no address for support, and nobody before there is an owner', () => {
  shop.supportEmail = '';
  open();
  expect(screen.queryByRole('link', { name: 'Contact support' })).not.toBeInTheDocument();
  expect(screen.getByText('Need help? Ask an owner of your shop.')).toBeInTheDocument();
  cleanup();
  shop.awaitsSetUp = true;
  open();
  expect(screen.getByText('This server is not set up yet.')).toBeInTheDocument();
  expect(screen.queryByText(/^Need help\?/)).not.toBeInTheDocument();
  shop.awaitsSetUp = false;
});

test('shows and hides the password', async () => {
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password');
});

test('is busy while it signs in', async () => {
  signInCalls.mockReturnValue(new Promise<User>(() => undefined));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  expect(signInCalls).toHaveBeenCalledWith('a@example.com', 'secret', undefined);
});

test('shows the failure, keeps the typed text, and shakes', async () => {
  signInCalls.mockRejectedValue(new ApiError(403, 'refused', 'This account is locked.'));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('This account is locked.');
  expect(screen.getByLabelText('Email')).toHaveValue('a@example.com');
  expect(screen.getByRole('alert').closest('.shake')).not.toBeNull();
});

test('says that signing in failed when there is no reason', async () => {
  signInCalls.mockRejectedValue(new Error(''));
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to sign in');
});

test('removes the last failure while it retries, so that the next one is announced', async () => {
  refuse('refused', 'Wrong.');
  const user = await fillIn();
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Wrong.')).toBeInTheDocument();
  let fail: (reason: Error) => void = () => undefined;
  signInCalls.mockReturnValueOnce(
    new Promise<User>((_, reject) => {
      fail = reject;
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(screen.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  fail(new ApiError(409, 'refused', 'Wrong.'));
  expect(await screen.findByText('Wrong.')).toBeInTheDocument();
});

test.each<[ErrorCode, string]>([
  ['wrong-password', 'The email or password is not correct'],
  ['too-many-requests', 'Too many attempts. Wait a moment and try again.'],
  ['network-request-failed', 'The sign-in service could not be reached. Check the connection and try again.'],
  ['network', 'The server could not be reached.'],
])('says what %s means', async (code, text) => {
  refuse(code);
  const user = await fillIn();
  await user.click(button('Sign in'));
  expect(await screen.findByText(text)).toHaveRole('alert');
});

test('passes the email on to the reset, and says when a password was set', () => {
  open({ pathname: '/login', state: { email: 'a@example.com', passwordSet: true } });
  expect(screen.getByLabelText('Email')).toHaveValue('a@example.com');
  expect(screen.getByText('Your password is set. You can sign in with it now.')).toHaveRole('status');
});

test.each([
  ['other-tab', 'You signed out in another tab of this browser.'],
  ['inactivity', 'You were signed out after two hours without activity.'],
  ['no-role', 'You were signed out: you no longer have a role in this shop. Ask an owner to give you one.'],
  ['signed-out', 'You ended this session on another device or in another browser.'],
  ['ended-by-owner', 'An owner signed you out.'],
  ['password-changed', 'You were signed out because your password was changed.'],
  ['expired', 'Your session expired. Sign in again to go on.'],
  [
    'ended',
    'Your session is over. It may have been ended on another device or by an owner, by a change of your password or roles, or it expired.',
  ],
])('says why the session ended (%s) until somebody signs in', async (reason, text) => {
  open({ pathname: '/login', state: { reason, email: 'a@example.com' } });
  expect(screen.getByText(text)).toHaveRole('status');
  refuse('wrong-password');
  await userEvent.type(screen.getByLabelText('Password'), 'secret{Enter}');
  expect(await screen.findByText('The email or password is not correct')).toBeInTheDocument();
  expect(screen.queryByText(text)).not.toBeInTheDocument();
});

test('has no reason for whoever was not signed in', () => {
  open();
  const notes = within(screen.getByRole('main')).getAllByRole('status');
  for (const note of notes) expect(note).toBeEmptyDOMElement();
});

describe('the second factor', () => {
  async function untilCode() {
    refuse('second-factor-required');
    const user = await fillIn();
    await user.click(button('Sign in'));
    await screen.findByRole('heading', { name: 'Enter your code' });
    return user;
  }

  test('is asked for on the same card, with a focused field for digits', async () => {
    await untilCode();
    const field = screen.getByLabelText('Code');
    expect(field).toHaveFocus();
    expect(field).toHaveAttribute('inputmode', 'numeric');
    expect(field).toHaveAttribute('autocomplete', 'one-time-code');
    expect(screen.getByText(/a@example\.com/)).toBeInTheDocument();
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('is sent with the password, however its digits are grouped', async () => {
    const user = await untilCode();
    signInCalls.mockReturnValue(new Promise<User>(() => undefined));
    await user.type(screen.getByLabelText('Code'), '123 456');
    await user.click(button('Sign in'));
    expect(signInCalls).toHaveBeenLastCalledWith('a@example.com', 'secret', '123456');
    expect(button('Signing in...')).toBeDisabled();
  });

  test('that is wrong shows a message, and can be tried again', async () => {
    const user = await untilCode();
    refuse('wrong-code');
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(await screen.findByText('The code is not correct')).toHaveRole('alert');
    expect(screen.getByRole('alert').closest('.shake')).not.toBeNull();
    expect(screen.getByLabelText('Code')).toHaveValue('000000');
  });

  test('can be a recovery code instead', async () => {
    const user = await untilCode();
    await user.click(button('Use a recovery code'));
    const field = screen.getByLabelText('Recovery code');
    expect(field).toHaveFocus();
    signInCalls.mockReturnValue(new Promise<User>(() => undefined));
    await user.type(field, 'abcde-fghij{Enter}');
    expect(signInCalls).toHaveBeenLastCalledWith('a@example.com', 'secret', 'abcde-fghij');
    await user.click(button('Use the authenticator app'));
    expect(screen.getByLabelText('Code')).toHaveValue('');
  });

  test('can be cancelled, and the password is asked for again', async () => {
    const user = await untilCode();
    await user.click(button('Back'));
    expect(screen.getByLabelText('Email')).toHaveValue('a@example.com');
    expect(screen.getByLabelText('Password')).toHaveValue('');
  });

  test('is cancelled when the password is no longer right', async () => {
    const user = await untilCode();
    refuse('wrong-password');
    await user.type(screen.getByLabelText('Code'), '123456{Enter}');
    expect(await screen.findByText('The email or password is not correct')).toBeInTheDocument();
    expect(screen.getByLabelText('Password')).toBeInTheDocument();
  });
});

describe('another provider', () => {
  test('is a button with its name, which asks the server for the address', async () => {
    shop.signInWith = 'Northside';
    open();
    const leave = vi.fn();
    vi.stubGlobal('location', { ...location, assign: leave });
    vi.mocked(startProviderSignIn).mockResolvedValue('https://accounts.example.com/auth?state=x');
    await userEvent.click(button('Sign in with Northside'));
    await waitFor(() => expect(leave).toHaveBeenCalledWith('https://accounts.example.com/auth?state=x'));
    vi.unstubAllGlobals();
  });

  test('that cannot be reached shows a message, and the page stays', async () => {
    shop.signInWith = 'Northside';
    open();
    vi.mocked(startProviderSignIn).mockRejectedValue(
      new ApiError(503, 'oidc-failed', 'In the words of the server.'),
    );
    await userEvent.click(button('Sign in with Northside'));
    const message = 'The sign-in provider cannot be reached just now. Please try again.';
    expect(await screen.findByText(message)).toHaveRole('alert');
    expect(button('Sign in with Northside')).toBeEnabled();
  });

  test.each([
    ['oidc-failed', 'The sign-in was not completed. Please try again.'],
    ['oidc-no-account', 'There is no account here for that sign-in. Ask an owner to invite you.'],
    [
      'oidc-unverified-email',
      'The email address of that sign-in is not verified. Verify it with the provider and try again.',
    ],
  ])('that refused with %s shows the reason, and the address is cleaned', async (code, text) => {
    open(`/login?error=${code}`);
    expect(screen.getByText(text)).toHaveRole('alert');
    expect(await screen.findByText('/login')).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  test('with an unknown refusal code in the address shows nothing', async () => {
    open('/login?error=Call%20this%20number');
    expect(await screen.findByText('/login')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
  });
});

describe('a server that nobody can sign in to', () => {
  beforeEach(() => {
    shop.awaitsSetUp = true;
  });
  afterEach(() => {
    shop.awaitsSetUp = false;
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test('says how it is set up', () => {
    open();
    expect(screen.getByText('This server is not set up yet.')).toBeInTheDocument();
    expect(screen.getByText(/printed a set-up link, which is also in its log/)).toBeInTheDocument();
  });

  test('is asked until somebody can, and the page is loaded again then', async () => {
    vi.useFakeTimers();
    const reload = vi.fn();
    vi.stubGlobal('location', { ...location, origin: location.origin, reload });
    let page = pageOf({ awaitsSetUp: true });
    vi.stubGlobal('fetch', async () => new Response(page));
    open();
    await vi.advanceTimersByTimeAsync(60_000);
    // A proxy's page is none of the server's.
    page = '<h1>Back soon</h1>';
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reload).not.toHaveBeenCalled();
    page = pageOf({ awaitsSetUp: false });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).toHaveBeenCalledOnce();
  });
});

function pageOf(settings: object): string {
  const page = document.implementation.createHTMLDocument();
  const meta = page.createElement('meta');
  meta.name = 'dispatch-shop';
  meta.content = JSON.stringify(settings);
  page.head.append(meta);
  return page.documentElement.outerHTML;
}
