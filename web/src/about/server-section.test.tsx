import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/http.ts';
import { fetchMachineStatus, type MachineStatus } from '../api/machine-status.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { RUNNING_SERVER } from '../shop/running-server.fixture.ts';
import { ServerSection } from './server-section.tsx';

vi.mock('../api/machine-status.ts', () => ({ fetchMachineStatus: vi.fn() }));
const session = vi.hoisted(() => ({ canSeeServerStatus: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-server-status' && session.canSeeServerStatus,
}));

const STATUS: MachineStatus = {
  server: RUNNING_SERVER,
  otherServers: [],
  disk: [
    {
      folder: '/var/lib/dispatch',
      freeBytes: 1_530_000_000,
      totalBytes: 200_000_000_000,
      holds: 'data',
      low: true,
    },
  ],
  backups: { folder: '/mnt/backups', newest: '2026-03-02T15:00:00Z', failure: null },
  configuration: [],
  intake: { folder: '/srv/intake', failure: null },
  mailFolder: null,
};
const user = userEvent.setup();

beforeEach(async () => {
  session.canSeeServerStatus = true;
  vi.mocked(fetchMachineStatus).mockReset().mockResolvedValue(STATUS);
  await changeLanguage('en');
});

function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <ServerSection />
    </QueryClientProvider>,
  );
}

const factOf = async (term: string) => (await screen.findByText(term, { selector: 'dt' })).nextElementSibling;

test('whoever looks after the server reads since when it runs, for whom, and what its machine has left', async () => {
  open();
  expect(await factOf('Running since')).toHaveTextContent(/2 March 2026|March 2, 2026/);
  expect(await factOf('SQLite database')).toHaveTextContent('159 MB');
  expect(await factOf('Last read whole')).toHaveTextContent(/2 March 2026|March 2, 2026/);
  expect(await factOf('Open desks')).toHaveTextContent('3');
  expect(await factOf('Open technicians’ screens')).toHaveTextContent('12');
  expect(await factOf('Connected boards')).toHaveTextContent('2');
  expect(await factOf('Newest backup')).toHaveTextContent(/2 March 2026|March 2, 2026/);
  expect(await factOf('Newest backup')).toHaveTextContent('/mnt/backups');
  expect(await factOf('Disk of /var/lib/dispatch')).toHaveTextContent('1.5 GB of 200 GB free');
  expect(await factOf('Files from other systems')).toHaveTextContent(/^\/srv\/intake$/);
  expect(screen.queryByText('To be put right')).toBeNull();
  expect(screen.queryByText('Mails')).toBeNull();
});

test('what is wrong is said: no answer of the database, no backup, and what the configuration lacks', async () => {
  const advice = 'Browsers reach this server by HTTPS. Start it with --public-url https://...';
  vi.mocked(fetchMachineStatus).mockResolvedValue({
    ...STATUS,
    server: {
      ...RUNNING_SERVER,
      database: { kind: 'postgresql', bytes: null, checkedAt: null, damage: null },
    },
    backups: { folder: '/mnt/backups', newest: null, failure: 'the folder /mnt/backups is not there' },
    configuration: [
      { code: 'https-without-public-url', address: null, seenAt: '2026-03-02T16:20:00Z', advice },
    ],
    intake: { folder: '/srv/intake', failure: '/srv/intake: the folder does not answer' },
    mailFolder: '/var/lib/dispatch/mail',
  });
  open();
  expect(await factOf('PostgreSQL database')).toHaveTextContent('It does not answer');
  expect(await factOf('Mails')).toHaveTextContent('they are files in /var/lib/dispatch/mail on the server');
  const backup = await factOf('Newest backup');
  expect(backup).toHaveTextContent('None yet in /mnt/backups');
  expect(backup).toHaveTextContent('the folder /mnt/backups is not there');
  expect(screen.getByRole('listitem')).toHaveTextContent(advice);
});

test('where copies of backups go is shown, with the newest there and why none is copied since', async () => {
  const store = 'https://s3.example.com/lakeside';
  const backups = { folder: '/mnt/backups', newest: '2026-03-02T15:00:00Z', failure: null };
  vi.mocked(fetchMachineStatus).mockResolvedValue({
    ...STATUS,
    backups: { ...backups, offsite: { store, newest: '2026-03-02T15:00:00Z', failure: null } },
  });
  open();
  const copy = await factOf('Newest copy of a backup');
  expect(copy).toHaveTextContent(/2 March 2026|March 2, 2026/);
  expect(copy).toHaveTextContent(store);
});

test('a copy that fails is shown with its reason', async () => {
  const failure = 'the store cannot be reached: it took too long';
  vi.mocked(fetchMachineStatus).mockResolvedValue({
    ...STATUS,
    backups: {
      folder: '/mnt/backups',
      newest: '2026-03-02T15:00:00Z',
      failure: null,
      offsite: { store: 'https://s3.example.com/lakeside', newest: null, failure },
    },
  });
  open();
  const copy = await factOf('Newest copy of a backup');
  expect(copy).toHaveTextContent('None yet');
  expect(copy).toHaveTextContent(failure);
});

test('a server that writes no backups by itself says so', async () => {
  vi.mocked(fetchMachineStatus).mockResolvedValue({ ...STATUS, backups: null });
  open();
  expect(await factOf('Newest backup')).toHaveTextContent('The server writes none by itself');
});

test('a failed call is said and can be repeated', async () => {
  const noAnswer = new ApiError(0, 'network', 'The server could not be reached.');
  vi.mocked(fetchMachineStatus).mockRejectedValueOnce(noAnswer);
  open();
  expect(await screen.findByText(/How the server does could not be loaded/)).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await factOf('Open desks')).toHaveTextContent('3');
});

test('nobody else sees it', () => {
  session.canSeeServerStatus = false;
  open();
  expect(screen.queryByText('This server')).toBeNull();
  expect(fetchMachineStatus).not.toHaveBeenCalled();
});

test('the other servers of a shop say where they are, which build they are and who hears them', async () => {
  const other = { ...RUNNING_SERVER, address: 'http://dispatch-2:8080', version: '0.1.1 (e11150cd)' };
  vi.mocked(fetchMachineStatus).mockResolvedValue({ ...STATUS, otherServers: [other] });
  open();
  const list = await screen.findByRole('list', { name: 'Other servers of this shop' });
  expect(list).toHaveTextContent('http://dispatch-2:8080 0.1.1 (e11150cd)');
  expect(list).toHaveTextContent('Open desks 3');
  expect(list).toHaveTextContent('Connected boards 2');
});
