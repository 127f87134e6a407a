import { beforeEach, expect, test } from 'vitest';
import {
  addressAfterSignIn,
  keepAskedAddress,
  loginState,
  readNavigationState,
  takeAskedAddress,
} from './navigation-state.ts';

beforeEach(() => sessionStorage.clear());

const asked = { address: '/users?q=ana#top', uid: 'u1' };

test.each(['other-tab', 'inactivity', 'no-role', 'ended-by-owner', 'expired', 'ended'] as const)(
  'a session that ended (%s) leaves the reason and the address to the login screen',
  (reason) => {
    const state = loginState({ reason, uid: 'u1' }, '/users');
    expect(readNavigationState(state)).toMatchObject({ reason, asked: { address: '/users', uid: 'u1' } });
  },
);

test('whoever opens an address without a session has no reason to read, and goes on to it', () => {
  expect(readNavigationState(loginState(null, '/users'))).toMatchObject({
    reason: null,
    asked: { address: '/users', uid: null },
  });
});

test('whoever signs out begins at their start, unless they came with a scanned code', () => {
  const end = { reason: 'user', uid: 'u1' } as const;
  expect(loginState(end, '/users')).toEqual({});
  expect(readNavigationState(loginState(end, '/boards?code=K7Q2MX'))).toMatchObject({
    reason: null,
    asked: { address: '/boards?code=K7Q2MX', uid: null },
  });
});

test('the address is for the user whose session ended there', () => {
  expect(addressAfterSignIn(asked, 'u1')).toBe('/users?q=ana#top');
  expect(addressAfterSignIn(asked, 'u2')).toBe('/');
  expect(addressAfterSignIn({ ...asked, uid: null }, 'u2')).toBe('/users?q=ana#top');
  expect(addressAfterSignIn(null, 'u1')).toBe('/');
});

test('the address is kept once over the way to another provider', () => {
  keepAskedAddress(asked);
  expect(takeAskedAddress()).toEqual(asked);
  expect(takeAskedAddress()).toBeNull();
  keepAskedAddress(asked);
  keepAskedAddress(null);
  expect(takeAskedAddress()).toBeNull();
});

test.each(['//example.com', '/\\\\example.com', 'https://example.com', 'users', 7, null])(
  'only addresses of this page are gone to (%s)',
  (address) => {
    expect(readNavigationState({ asked: { address, uid: null } }).asked).toBeNull();
    sessionStorage.setItem('dispatch.asked-address', JSON.stringify({ address, uid: null }));
    expect(takeAskedAddress()).toBeNull();
  },
);

test.each([undefined, null, 'text', { reason: 'made up', asked: [], email: 7, passwordSet: 'yes' }])(
  'a state that is not ours is none',
  (state) => {
    expect(readNavigationState(state)).toEqual({ email: '', passwordSet: false, reason: null, asked: null });
  },
);

test('what was kept and is no JSON is none', () => {
  sessionStorage.setItem('dispatch.asked-address', '{');
  expect(takeAskedAddress()).toBeNull();
});
