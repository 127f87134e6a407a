import { readFileSync } from 'node:fs';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const user = {
  uid: 'u1',
  email: 'a@example.com',
  name: 'Ana',
  roles: [],
  technicianId: null,
  permissions: [],
};
const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

vi.mock('./api/socket.ts', () => ({
  openSocket: () => () => undefined,
  onSocketMessage: () => () => undefined,
  isConnected: () => false,
}));
const fetched = vi.fn<(request: Request) => Promise<Response>>();

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.resetModules();
});

afterEach(() => void vi.doUnmock('./i18n/screens.ts'));

/** The page is loaded there; `session`: what the cookie is good for. */
async function load(path: string, session: Promise<Response> | Response | (() => Promise<Response>)) {
  fetched.mockImplementation(async ({ url }) => {
    const { pathname } = new URL(url);
    if (pathname === '/api/auth/refresh') return typeof session === 'function' ? session() : session;
    if (pathname === '/api/repair-orders') return json(200, { ok: true, result: [], seq: 1 });
    return json(404, { ok: false, error: 'No such call.', code: 'unknown-route' });
  });
  window.history.replaceState(null, '', path);
  const { App } = await import('./app.tsx');
  render(<App />);
}

const signedIn = (changes: object = {}) =>
  json(200, { ok: true, result: { idToken: 't', expiresIn: 3_600, user: { ...user, ...changes } } });
const signedOut = () => json(401, { ok: false, error: 'No session.', code: 'unauthorized' });

test.each([
  '/',
  '/dashboard',
  '/account',
  '/users',
  '/technicians',
  '/my-customers',
  '/stage-times',
  '/technician-management',
  '/test',
  '/no/such/screen',
])('a visitor who is not signed in is redirected from %s to the login', async (path) => {
  await load(path, signedOut());
  expect(await screen.findByRole('heading', { name: 'Welcome to the product' })).toBeInTheDocument();
  expect(location.pathname).toBe('/login');
});

test.each(['/', '/login', '/login?error=oidc-failed', '/forgot-password', '/no/such/screen'])(
  'a signed-in user is redirected from %s to the dashboard',
  async (path) => {
    await load(path, signedIn());
    await waitFor(() => expect(location.pathname).toBe('/dashboard'));
    expect(await screen.findByRole('button', { name: 'Sign out' })).toBeInTheDocument();
  },
);

test('the start keeps its query', async () => {
  await load('/?q=9876', signedIn());
  await waitFor(() => expect(location.pathname).toBe('/dashboard'));
  expect(location.search).toBe('?q=9876');
});

test.each([
  ['the desk', {}, '/dashboard'],
  ['a technician', { roles: ['Technician'], technicianId: 5 }, '/technicians/5'],
])('the installed page opens where %s begins', async (_, changes, start) => {
  // Whoever signs in on the device it is installed on: its address is nobody's own.
  const { start_url, scope } = JSON.parse(readFileSync('public/manifest.webmanifest', 'utf8'));
  await load(start_url, signedIn(changes));
  await waitFor(() => expect(location.pathname).toBe(start));
  expect(start.startsWith(scope)).toBe(true);
  expect(await screen.findByRole('button', { name: 'Sign out' })).toBeInTheDocument();
  expect(location.pathname).toBe(start);
});

test('the password reset is open to anybody with the link', async () => {
  await load('/reset-password#token=t', signedIn());
  expect(await screen.findByRole('heading', { name: 'Choose a new password' })).toBeInTheDocument();
  expect(location.pathname).toBe('/reset-password');
});

test.each<[string, () => Promise<Response>, string[]]>([
  [
    'cannot work',
    async () => json(503, { ok: false, error: 'In the words of the server.', code: 'unavailable' }),
    ['The server cannot work just now', 'The server could not do this just now. Please try again.'],
  ],
  [
    'does not answer',
    () => Promise.reject(new TypeError('down')),
    ['The server does not answer', 'The server could not be reached.'],
  ],
])('a page that is loaded while the server %s says so, and goes on when it can', async (_, fail, says) => {
  let answer = fail;
  await load('/account', () => answer());
  for (const text of says) expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.getByText(/tries again by itself/)).toBeInTheDocument();
  expect(screen.queryByText('Restoring your session...')).not.toBeInTheDocument();
  answer = async () => signedIn();
  await userEvent.click(screen.getByRole('button', { name: 'Try now' }));
  expect(await screen.findByRole('button', { name: 'Sign out' })).toBeInTheDocument();
  expect(location.pathname).toBe('/account');
});

test.each(['/dashboard', '/login', '/forgot-password'])(
  'nobody is redirected from %s before the session is restored',
  async (path) => {
    await load(path, new Promise(() => undefined));
    expect(screen.getByRole('status')).toHaveTextContent('Restoring your session...');
    expect(location.pathname).toBe(path);
  },
);

test.each([
  ['/reset-password#token=t', 'Choose a new password'],
  ['/about', 'About Dispatch'],
])('where the code of %s cannot be loaded, that is said until it can be', async (path, heading) => {
  // React reports what the boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let isServerThere = false;
  const texts = async () => {
    if (!isServerThere) throw new TypeError('Failed to fetch dynamically imported module');
    return (await import('./i18n/screens.en.ts')).screensEn;
  };
  vi.doMock('./i18n/screens.ts', () => ({ screenTexts: { en: texts, de: texts, es: texts } }));
  await load(path, signedIn());
  expect(await screen.findByText('Something went wrong on this page.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeInTheDocument();
  isServerThere = true;
  const shown = await screen.findByRole('heading', { name: heading }, { timeout: 10_000 });
  expect(shown).toBeInTheDocument();
  expect(screen.queryByText('Something went wrong on this page.')).not.toBeInTheDocument();
});

const broken = ['Something went wrong on this page.', 'Reload the page'];
const away = [
  'The server could not be reached.',
  'A part of this page can only be loaded once the connection is back.',
];

test.each([
  ['the server is heard', broken],
  ['the browser has no network', away],
  ['the connection was just cut', away],
])('a part of the page that could not be loaded while %s says: %j', async (state, says) => {
  await load('/about', async () => signedIn());
  await screen.findByRole('heading', { name: 'About Dispatch' }, { timeout: 10_000 });
  const { noteConnectionLost, noteStreamState } = await import('./repair-order/freshness.ts');
  const { noteServerTime } = await import('./api/server-time.ts');
  const { untilLoaded } = await import('./ui/part.ts');
  const fetchCode = vi.fn(async () => 'here');
  fetchCode.mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'));
  await act(async () => {
    noteServerTime(new Date().toISOString());
    noteStreamState(false, null);
    if (state === 'the connection was just cut') noteConnectionLost();
    if (state === 'the browser has no network') vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    void untilLoaded(fetchCode);
  });
  for (const text of says) expect(await screen.findByText(text)).toBeInTheDocument();
});
