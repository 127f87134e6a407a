import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  beginTwoFactor,
  changePassword,
  confirmTwoFactor,
  endSession,
  endTwoFactor,
  type OwnSession,
  ownSessions,
  passwordPolicy,
  twoFactor,
} from '../api/account.ts';
import type { ErrorCode } from '../api/error-code.ts';
import { ApiError } from '../api/http.ts';
import { type SessionState, sessionState, signOutEverywhere } from '../api/session.ts';
import { copyText } from '../ui/clipboard.ts';
import { AccountScreen } from './account-screen.tsx';

vi.mock('../api/account.ts');
vi.mock('../ui/clipboard.ts');
vi.mock('../api/session.ts', async (original) => ({
  ...(await original<typeof import('../api/session.ts')>()),
  sessionState: vi.fn(),
  signOutEverywhere: vi.fn(),
}));

const ana: SessionState = {
  status: 'signed-in',
  user: {
    uid: 'u1',
    email: 'ana@example.com',
    name: 'Ana',
    roles: ['Owner', 'Service_Manager'],
    technicianId: null,
    permissions: [],
  },
};
const here: OwnSession = {
  id: 'here',
  current: true,
  createdAt: '2026-03-02T08:00:00Z',
  lastUsedAt: '2026-03-02T14:00:00Z',
  browser: 'Chrome on Windows',
  address: '203.0.113.7',
};
const phone: OwnSession = {
  ...here,
  id: 'phone',
  current: false,
  browser: 'Safari on iPhone',
  address: '2001:db8::7',
};
const user = userEvent.setup();

beforeEach(() => {
  vi.mocked(sessionState).mockReturnValue(ana);
  vi.mocked(passwordPolicy).mockResolvedValue({ minLength: 6, maxLength: 72, refusesCommon: false });
  vi.mocked(twoFactor).mockResolvedValue({ enabled: false, recoveryCodesLeft: 0 });
  vi.mocked(ownSessions).mockResolvedValue([here, phone]);
  for (const call of [changePassword, beginTwoFactor, confirmTwoFactor, endTwoFactor, endSession])
    vi.mocked(call).mockReset();
  vi.mocked(signOutEverywhere).mockReset();
  vi.mocked(copyText).mockReset().mockResolvedValue();
});

/** A section of the screen, by its heading. */
async function open(section: string) {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <AccountScreen />
    </QueryClientProvider>,
  );
  await screen.findByText('At least 6 characters');
  return within(screen.getByRole('region', { name: section }));
}

test('shows the user, with the names of the roles', async () => {
  await open('Password');
  expect(screen.getByRole('heading', { name: 'Your account' })).toBeInTheDocument();
  expect(screen.getByText('Ana · ana@example.com · Owner, Service Manager')).toBeInTheDocument();
  expect(document.title).toBe('Your account');
});

describe('changing the password', () => {
  async function change(to = 'the new one') {
    const section = await open('Password');
    await user.type(section.getByLabelText('Current password'), 'the old one');
    await user.type(section.getByLabelText('New password'), to);
    await user.click(section.getByRole('button', { name: 'Change password' }));
    return section;
  }

  test('confirms, empties the fields and loads the sessions again', async () => {
    vi.mocked(changePassword).mockResolvedValueOnce();
    vi.mocked(ownSessions).mockResolvedValueOnce([here, phone]).mockResolvedValueOnce([here]);
    const section = await change();
    expect(changePassword).toHaveBeenCalledExactlyOnceWith('the old one', 'the new one');
    expect(await section.findByText('Password changed. You are signed out everywhere else.')).toHaveRole(
      'status',
    );
    expect(section.getByLabelText('Current password')).toHaveValue('');
    expect(section.getByLabelText('New password')).toHaveValue('');
    await vi.waitFor(() => expect(screen.queryByText('Safari on iPhone')).not.toBeInTheDocument());
  });

  test.each<[ErrorCode, string]>([
    ['wrong-password', 'The current password is not correct'],
    ['weak-password', 'The password does not meet the requirements.'],
    ['common-password', 'This password is one of the most common ones. Choose another.'],
    ['too-many-requests', 'Too many attempts. Wait a moment and try again.'],
  ])('says what %s means, and keeps what was typed', async (code, text) => {
    vi.mocked(changePassword).mockRejectedValueOnce(new ApiError(400, code, 'In the words of the server.'));
    const section = await change();
    expect(await section.findByText(text)).toHaveRole('alert');
    expect(section.getByLabelText('New password')).toHaveValue('the new one');
  });

  test('does not send a password that is too short', async () => {
    const section = await change('short');
    expect(await section.findByText('The password does not meet the requirements.')).toBeInTheDocument();
    expect(changePassword).not.toHaveBeenCalled();
  });
});

describe('the second factor', () => {
  const codes = Array.from({ length: 10 }, (_, place) => `code-${place}`);
  const uri = 'otpauth://totp/Dispatch:ana@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Dispatch';

  async function untilCode() {
    const section = await open('Two-factor sign-in');
    await user.click(await section.findByRole('button', { name: 'Set up' }));
    vi.mocked(beginTwoFactor).mockResolvedValueOnce({ secret: 'JBSWY3DPEHPK3PXP', uri });
    await user.type(section.getByLabelText('Current password'), 'secret{Enter}');
    await section.findByLabelText('Code from the app');
    expect(beginTwoFactor).toHaveBeenCalledExactlyOnceWith('secret');
    return section;
  }

  test('is set up with the password, a QR code or key, and a code; its recovery codes are shown once', async () => {
    const section = await untilCode();
    expect(section.getByRole('img', { name: 'QR code for the authenticator app' })).toBeInTheDocument();
    expect(section.getByText('JBSW Y3DP EHPK 3PXP')).toBeInTheDocument();
    await user.click(section.getByRole('button', { name: 'Copy key' }));
    expect(copyText).toHaveBeenLastCalledWith('JBSWY3DPEHPK3PXP');
    expect(await section.findByText('Copied')).toHaveRole('status');

    vi.mocked(confirmTwoFactor).mockResolvedValueOnce(codes);
    vi.mocked(twoFactor).mockResolvedValue({ enabled: true, recoveryCodesLeft: 10 });
    await user.type(section.getByLabelText('Code from the app'), '123 456');
    await user.click(section.getByRole('button', { name: 'Turn on' }));
    const list = await section.findByRole('list', { name: 'Your recovery codes' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(10);
    expect(confirmTwoFactor).toHaveBeenCalledExactlyOnceWith('123456');

    vi.mocked(copyText).mockRejectedValueOnce(new Error('refused'));
    await user.click(section.getByRole('button', { name: 'Copy' }));
    expect(await section.findByText('It could not be copied')).toHaveRole('status');
    await user.click(section.getByRole('button', { name: 'Copy' }));
    expect(copyText).toHaveBeenLastCalledWith(codes.join('\n'));
    expect(await section.findByText('Copied')).toHaveRole('status');
    await user.click(section.getByRole('button', { name: 'I have kept them' }));
    expect(await section.findByText('On')).toBeInTheDocument();
    expect(section.getByText('10 recovery codes left')).toBeInTheDocument();
    expect(screen.queryByText('code-0')).not.toBeInTheDocument();
  });

  test('prints its recovery codes on a sheet with the name of the account', async () => {
    const section = await untilCode();
    vi.mocked(confirmTwoFactor).mockResolvedValueOnce(codes);
    await user.type(section.getByLabelText('Code from the app'), '123456{Enter}');
    await section.findByText('code-9');
    const print = vi.spyOn(window, 'print').mockImplementation(() => {
      act(() => window.dispatchEvent(new Event('beforeprint')));
      const sheet = screen.getByText('Recovery codes of ana@example.com').closest('.print-sheet');
      expect(sheet).toHaveTextContent(codes.join(''));
      act(() => window.dispatchEvent(new Event('afterprint')));
    });
    await user.click(section.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledTimes(1);
    expect(screen.queryByText('Recovery codes of ana@example.com')).not.toBeInTheDocument();
  });

  test('is not set up with a wrong password or a wrong code, and can be cancelled', async () => {
    const section = await open('Two-factor sign-in');
    await user.click(await section.findByRole('button', { name: 'Set up' }));
    vi.mocked(beginTwoFactor).mockRejectedValueOnce(new ApiError(400, 'wrong-password', 'Wrong.'));
    await user.type(section.getByLabelText('Current password'), 'nope{Enter}');
    expect(await section.findByText('The current password is not correct')).toHaveRole('alert');
    vi.mocked(beginTwoFactor).mockResolvedValueOnce({ secret: 'JBSWY3DPEHPK3PXP', uri });
    await user.click(section.getByRole('button', { name: 'Continue' }));
    vi.mocked(confirmTwoFactor).mockRejectedValueOnce(new ApiError(400, 'wrong-code', 'Wrong.'));
    await user.type(await section.findByLabelText('Code from the app'), '000000{Enter}');
    expect(await section.findByText('The code is not correct')).toHaveRole('alert');
    await user.click(section.getByRole('button', { name: 'Cancel' }));
    expect(await section.findByText('Off')).toBeInTheDocument();
  });

  test('is turned off with password and code', async () => {
    vi.mocked(twoFactor).mockResolvedValue({ enabled: true, recoveryCodesLeft: 1 });
    const section = await open('Two-factor sign-in');
    expect(await section.findByText('1 recovery code left')).toHaveClass('text-stale');
    await user.click(section.getByRole('button', { name: 'Turn off' }));
    await user.type(section.getByLabelText('Current password'), 'secret');
    await user.type(section.getByLabelText('Code or recovery code'), '123456');
    vi.mocked(endTwoFactor).mockResolvedValueOnce();
    vi.mocked(twoFactor).mockResolvedValue({ enabled: false, recoveryCodesLeft: 0 });
    await user.click(section.getByRole('button', { name: 'Turn off' }));
    expect(endTwoFactor).toHaveBeenCalledExactlyOnceWith('secret', '123456');
    expect(await section.findByText('Off')).toBeInTheDocument();
  });

  test('shows a message when its state could not be loaded, and retries', async () => {
    vi.mocked(twoFactor).mockRejectedValueOnce(new ApiError(0, 'network', ''));
    const section = await open('Two-factor sign-in');
    expect(await section.findByRole('alert')).toHaveTextContent('The server could not be reached.');
    await user.click(section.getByRole('button', { name: 'Try again' }));
    expect(await section.findByText('Off')).toBeInTheDocument();
  });
});

describe('the sessions', () => {
  test('are listed with browser, address and time, and the current one is marked', async () => {
    const section = await open('Sessions');
    const [first, second] = await section.findAllByRole('listitem');
    expect(first).toHaveTextContent(/^Chrome on WindowsThis one203\.0\.113\.7Last used /);
    expect(second).toHaveTextContent(/^Safari on iPhone2001:db8::7Last used /);
    expect(section.getAllByRole('button', { name: /^End the session/ })).toHaveLength(1);
  });

  test('are ended one by one', async () => {
    const section = await open('Sessions');
    const end = await section.findByRole('button', {
      name: 'End the session of Safari on iPhone at 2001:db8::7',
    });
    // Another hand was quicker: that is what was wanted.
    vi.mocked(endSession).mockRejectedValueOnce(new ApiError(404, 'unknown-session', 'Gone.'));
    vi.mocked(ownSessions).mockResolvedValue([here]);
    await user.click(end);
    expect(endSession).toHaveBeenCalledExactlyOnceWith('phone');
    await vi.waitFor(() => expect(section.getAllByRole('listitem')).toHaveLength(1));
    expect(section.getByRole('alert')).toBeEmptyDOMElement();
  });

  test('that cannot be ended stay in the list, with the reason', async () => {
    const section = await open('Sessions');
    vi.mocked(endSession).mockRejectedValueOnce(new ApiError(0, 'network', ''));
    await user.click(await section.findByRole('button', { name: /^End the session/ }));
    expect(await section.findByText('The server could not be reached.')).toHaveRole('alert');
    expect(section.getAllByRole('listitem')).toHaveLength(2);
  });

  test('are all ended together', async () => {
    const section = await open('Sessions');
    vi.mocked(signOutEverywhere).mockResolvedValueOnce();
    await user.click(section.getByRole('button', { name: 'Sign out everywhere' }));
    expect(signOutEverywhere).toHaveBeenCalledTimes(1);
  });

  test('that could not be loaded can be loaded again', async () => {
    vi.mocked(ownSessions).mockRejectedValueOnce(new ApiError(0, 'network', ''));
    const section = await open('Sessions');
    expect(await section.findByText('Sessions could not be loaded')).toBeInTheDocument();
    await user.click(section.getByRole('button', { name: 'Try again' }));
    expect(await section.findAllByRole('listitem')).toHaveLength(2);
  });
});
