import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { BrowserRouter, Link } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { changePreferences, fetchPreferences, type Preferences } from '../api/preferences.ts';
import { type SessionState, sessionState, type User } from '../api/session.ts';
import { currentPreferences, forgetSavedPreferences, localCopy } from '../preferences/local-copy.ts';
import { type Tab, tabs } from './categories.ts';
import { useDeskChoices } from './remembered-choices.ts';
import { useSearch } from './view-params.ts';

vi.mock('../api/preferences.ts', () => ({ fetchPreferences: vi.fn(), changePreferences: vi.fn() }));
vi.mock('../api/session.ts', () => ({ sessionState: vi.fn() }));

/** A server that keeps preferences as the real one does. */
let kept: { version: number; value: Preferences };
const fetched = vi.mocked(fetchPreferences);
const changed = vi.mocked(changePreferences);

const ana: User = {
  uid: 'ana',
  email: '',
  name: 'Ana',
  roles: ['Advisor'],
  technicianId: null,
  permissions: [],
};

function signIn(user: Partial<User> = {}) {
  const session: SessionState = { status: 'signed-in', user: { ...ana, ...user } };
  vi.mocked(sessionState).mockReturnValue(session);
}

beforeEach(() => {
  localStorage.clear();
  kept = { version: 0, value: {} };
  signIn();
  fetched.mockReset().mockImplementation(async () => kept);
  changed.mockReset().mockImplementation(async (expectedVersion, value) => {
    if (expectedVersion !== kept.version) return null;
    kept = { version: kept.version + 1, value };
    return kept;
  });
});
afterEach(() => history.replaceState(null, '', '/'));

/** A named view's query, with a search and a parameter that this desk does not know. */
const VIEW = 'tab=pdi&sort=vehicle&columns=default&density=dense&q=joe&zoom=2';

function Desk() {
  const { tab, sort, density, chooseTab, chooseSort, chooseDensity, chooseView } = useDeskChoices();
  const { typed, type, searched } = useSearch();
  return (
    <>
      <output aria-label="Tab">{tab}</output>
      <output aria-label="Sort">{sort?.column ?? 'own'}</output>
      <output aria-label="Density">{density}</output>
      <output aria-label="Searched">{searched}</output>
      <input aria-label="Search" value={useSelector(typed)} onChange={(event) => type(event.target.value)} />
      {tabs.map((one) => (
        <button type="button" key={one} onClick={() => chooseTab(one)}>
          {one}
        </button>
      ))}
      <button type="button" onClick={() => chooseDensity('dense')}>
        dense
      </button>
      <button type="button" onClick={() => chooseSort({ column: 'vehicle', descending: false })}>
        by vehicle
      </button>
      <Link to={`/?${VIEW}`} onClick={() => chooseView(VIEW)}>
        Morning
      </Link>
      <button type="button" onClick={() => chooseSort(null)}>
        own order
      </button>
    </>
  );
}

function show(address = '/') {
  history.replaceState(null, '', address);
  return render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <BrowserRouter>
        <Desk />
      </BrowserRouter>
    </QueryClientProvider>,
  );
}

const shown = (what: string) => screen.getByRole('status', { name: what }).textContent;
const params = () => Object.fromEntries(new URLSearchParams(location.search));
const button = (name: string) => screen.getByRole('button', { name });

/** An answer that comes when it is told to. */
function lateAnswer() {
  let arrive: () => void = () => undefined;
  fetched.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        const answer = kept;
        arrive = () => resolve(answer);
      }),
  );
  return async () => {
    await act(async () => arrive());
    // The query cache tells of it in a task of its own.
    await act(() => new Promise((resolve) => setTimeout(resolve)));
  };
}

test('what was chosen on one screen is there on another, and in its address', async () => {
  const first = show();
  const user = userEvent.setup();
  await user.click(button('drop'));
  await user.click(button('dense'));
  await user.click(button('by vehicle'));
  await waitFor(() =>
    expect(kept.value).toEqual({ 'desk.tab': 'drop', 'desk.density': 'dense', 'desk.sort': 'vehicle' }),
  );
  first.unmount();

  localStorage.clear();
  show();
  await waitFor(() => expect(shown('Tab')).toBe('drop'));
  expect(shown('Density')).toBe('dense');
  expect(shown('Sort')).toBe('vehicle');
  await waitFor(() => expect(params()).toEqual({ tab: 'drop', density: 'dense', sort: 'vehicle' }));
});

test('what the address says wins, and is not remembered', async () => {
  kept = { version: 3, value: { 'desk.tab': 'drop', 'desk.density': 'dense' } };
  show('/?tab=pdi');
  expect(shown('Tab')).toBe('pdi');
  await waitFor(() => expect(params()).toEqual({ tab: 'pdi', density: 'dense' }));
  expect(shown('Tab')).toBe('pdi');
  expect(changed).not.toHaveBeenCalled();
});

test('a view that is opened is remembered like a choice, without its search', async () => {
  kept = { version: 3, value: { 'desk.tab': 'drop' } };
  const first = show();
  await waitFor(() => expect(params()).toEqual({ tab: 'drop' }));
  await userEvent.click(screen.getByRole('link', { name: 'Morning' }));
  expect(shown('Tab')).toBe('pdi');
  await waitFor(() =>
    expect(kept.value).toEqual({
      'desk.tab': 'pdi',
      'desk.sort': 'vehicle',
      'desk.columns': 'default',
      'desk.density': 'dense',
    }),
  );
  expect(Object.fromEntries(new URLSearchParams(VIEW))).toEqual(params());
  first.unmount();

  show();
  await waitFor(() => expect(params()).toEqual({ tab: 'pdi', sort: 'vehicle', density: 'dense' }));
  expect(shown('Searched')).toBe('');
});

test('All is chosen like any other tab: an address without a tab means the remembered one', async () => {
  kept = { version: 3, value: { 'desk.tab': 'drop' } };
  show();
  await waitFor(() => expect(params()).toEqual({ tab: 'drop' }));
  await userEvent.click(button('all'));
  expect(shown('Tab')).toBe('all');
  expect(params()).toEqual({ tab: 'all' });
  await waitFor(() => expect(kept.value).toEqual({ 'desk.tab': 'all' }));
});

test('each of several choices in one go wins over the one before', async () => {
  show();
  const way: Tab[] = ['waiting', 'drop', 'pdi', 'used', 'drop', 'all', 'pdi'];
  act(() => {
    for (const tab of way) button(tab).click();
  });
  expect(shown('Tab')).toBe('pdi');
  await waitFor(() => expect(kept.value).toEqual({ 'desk.tab': 'pdi' }));
  expect(shown('Tab')).toBe('pdi');
  expect(params()).toEqual({ tab: 'pdi' });
});

test('an answer that comes after a choice changes nothing', async () => {
  kept = { version: 3, value: { 'desk.tab': 'drop', 'desk.sort': 'jobs' } };
  const arrive = lateAnswer();
  show();
  await userEvent.click(button('used'));
  await arrive();
  expect(shown('Tab')).toBe('used');
  expect(shown('Sort')).toBe('own');
  expect(params()).toEqual({ tab: 'used' });
  // What the other screen chose is still remembered.
  await waitFor(() => expect(kept.value).toEqual({ 'desk.tab': 'used', 'desk.sort': 'jobs' }));
});

test('an answer that comes while somebody types leaves the tab and the search alone', async () => {
  kept = { version: 3, value: { 'desk.tab': 'drop' } };
  const arrive = lateAnswer();
  show();
  await userEvent.type(screen.getByRole('textbox'), 'joe');
  await arrive();
  expect(shown('Tab')).toBe('all');
  await waitFor(() => expect(params()).toEqual({ q: 'joe' }));
  expect(screen.getByRole('textbox')).toHaveValue('joe');
  expect(shown('Searched')).toBe('joe');
});

test('the first paint uses this device’s copy, and the answer corrects it', async () => {
  kept = { version: 1, value: { 'desk.tab': 'drop' } };
  const first = show();
  await waitFor(() => expect(shown('Tab')).toBe('drop'));
  first.unmount();

  kept = { version: 2, value: { 'desk.tab': 'used' } };
  const arrive = lateAnswer();
  show();
  expect(shown('Tab')).toBe('drop');
  expect(params()).toEqual({});
  await arrive();
  expect(shown('Tab')).toBe('used');
  await waitFor(() => expect(params()).toEqual({ tab: 'used' }));
});

test('a choice made without a connection is sent when the page is opened again', async () => {
  kept = { version: 4, value: { 'desk.density': 'dense' } };
  const failure = new ApiError(0, 'network', '');
  fetched.mockRejectedValueOnce(failure);
  changed.mockRejectedValue(failure);
  const first = show();
  await userEvent.click(button('pdi'));
  await waitFor(() => expect(changed).toHaveBeenCalled());
  expect(shown('Tab')).toBe('pdi');
  first.unmount();

  changed.mockReset().mockImplementation(async (expectedVersion, value) => {
    if (expectedVersion !== kept.version) return null;
    kept = { version: kept.version + 1, value };
    return kept;
  });
  show();
  expect(shown('Tab')).toBe('pdi');
  await waitFor(() => expect(kept.value).toEqual({ 'desk.density': 'dense', 'desk.tab': 'pdi' }));
  await waitFor(() => expect(params()).toEqual({ tab: 'pdi', density: 'dense' }));
});

test('a sign-out leaves on the device what the server does not have, and nothing else', async () => {
  kept = { version: 4, value: { 'desk.density': 'dense' } };
  show();
  await waitFor(() => expect(shown('Density')).toBe('dense'));
  forgetSavedPreferences();
  expect(localStorage).toHaveLength(0);

  changed.mockRejectedValue(new ApiError(0, 'network', ''));
  await userEvent.click(button('pdi'));
  forgetSavedPreferences();
  expect(currentPreferences(localCopy('ana'))).toEqual({ 'desk.tab': 'pdi' });
});

test('who is only Used starts on the tab Used, until they choose another', async () => {
  signIn({ roles: ['Used'] });
  const first = show();
  expect(shown('Tab')).toBe('used');
  await waitFor(() => expect(params()).toEqual({ tab: 'used' }));
  await userEvent.click(button('all'));
  await waitFor(() => expect(kept.value).toEqual({ 'desk.tab': 'all' }));
  first.unmount();
  show();
  expect(shown('Tab')).toBe('all');
});

test('who has another role besides Used starts on All', async () => {
  signIn({ roles: ['Used', 'Advisor'] });
  show();
  expect(shown('Tab')).toBe('all');
});
