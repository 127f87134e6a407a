import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  type BackupStatus,
  type DiskSpace,
  fetchMachineStatus,
  type MachineStatus,
} from '../api/machine-status.ts';
import { onSocketMessage } from '../api/socket.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { RUNNING_SERVER } from '../shop/running-server.fixture.ts';
import { MachineBanners } from './machine-banners.tsx';

vi.mock('../api/machine-status.ts', () => ({ fetchMachineStatus: vi.fn() }));
vi.mock('../api/socket.ts', () => ({ onSocketMessage: vi.fn() }));
const session = vi.hoisted(() => ({ canSeeServerStatus: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-server-status' && session.canSeeServerStatus,
}));

const disk = (low: boolean): DiskSpace => ({
  folder: '/var/lib/dispatch',
  freeBytes: 1_530_000_000,
  totalBytes: 200_000_000_000,
  holds: 'data',
  low,
});

const status = (disks: DiskSpace[], backups: BackupStatus | null = null): MachineStatus => ({
  server: RUNNING_SERVER,
  otherServers: [],
  disk: disks,
  backups,
  configuration: [],
  intake: null,
  mailFolder: null,
});

let changed: () => void;

function open() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MachineBanners />
    </QueryClientProvider>,
  );
}

beforeEach(async () => {
  session.canSeeServerStatus = true;
  vi.mocked(fetchMachineStatus)
    .mockReset()
    .mockResolvedValue(status([disk(true)]));
  vi.mocked(onSocketMessage).mockImplementation((_name, listener) => {
    changed = () => listener(null);
    return () => {};
  });
  await changeLanguage('en');
});

test('the low-disk banner shows the free space, the disk, and what to do', async () => {
  open();
  const band = await screen.findByRole('status');
  expect(band).toHaveTextContent('The server has 1.5 GB of disk space left');
  expect(band).toHaveTextContent('/var/lib/dispatch');
  await act(() => changeLanguage('de'));
  expect(band).toHaveTextContent('Der Server hat noch 1,5 GB Speicherplatz');
});

test('a disk for backups alone is said to be one, and not to stop the work', async () => {
  vi.mocked(fetchMachineStatus).mockResolvedValue(
    status([{ ...disk(true), folder: '/mnt/b2', holds: 'backups' }]),
  );
  open();
  const band = await screen.findByRole('status');
  expect(band).toHaveTextContent('the disk of /mnt/b2: when it is full, no backup can be written.');
  await act(() => changeLanguage('es'));
  expect(band).toHaveTextContent('no se podrá escribir ninguna copia de seguridad');
});

test('the banner comes and goes with the server’s measurements', async () => {
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([disk(false)]));
  open();
  await waitFor(() => expect(fetchMachineStatus).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole('status')).toBeNull();
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([{ ...disk(true), freeBytes: 150_400_000 }]));
  act(() => changed());
  expect(await screen.findByRole('status')).toHaveTextContent('150 MB');
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([]));
  act(() => changed());
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
});

test('the disks are not requested for users who cannot act', () => {
  session.canSeeServerStatus = false;
  open();
  expect(fetchMachineStatus).not.toHaveBeenCalled();
});

test('backups that are not copied to their store are shown with the newest there, and why', async () => {
  const store = 'https://s3.example.com/lakeside';
  const offsite = { store, newest: null, failure: 'the store cannot be reached: it took too long' };
  const backups = { folder: '/mnt/backups', newest: '2026-11-24T15:04:05Z', failure: null };
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([], { ...backups, offsite }));
  open();
  const banner = await screen.findByRole('status');
  expect(banner).toHaveTextContent(`No backup is copied to ${store} yet`);
  expect(banner).toHaveTextContent('it took too long');
  const since = { ...offsite, newest: '2026-11-24T15:04:05Z' };
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([], { ...backups, offsite: since }));
  act(() => changed());
  await waitFor(() =>
    expect(banner).toHaveTextContent(`The last backup in ${store} is of Tuesday, November 24, 2026`),
  );
});

test('backups that are not written are shown with the newest there is, and why', async () => {
  const failed = { folder: '/mnt/backups', newest: null, failure: 'cannot read /mnt/backups: gone' };
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([], failed));
  open();
  const banner = await screen.findByRole('status');
  expect(banner).toHaveTextContent('No backup is written yet');
  expect(banner).toHaveTextContent('cannot read /mnt/backups: gone');
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([], { ...failed, newest: '2026-11-24T15:04:05Z' }));
  act(() => changed());
  await waitFor(() => expect(banner).toHaveTextContent('The last backup is of Tuesday, November 24, 2026'));
  vi.mocked(fetchMachineStatus).mockResolvedValue(status([], { ...failed, failure: null }));
  act(() => changed());
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
});

test('files that are not read from the watched folder are said not to be, with the reason', async () => {
  const failure = '/srv/intake: No such file or directory (os error 2)';
  const failing = { ...status([]), intake: { folder: '/srv/intake', failure } };
  vi.mocked(fetchMachineStatus).mockResolvedValue(failing);
  open();
  const banner = await screen.findByRole('status');
  expect(banner).toHaveTextContent('Files from other systems are not read');
  expect(banner).toHaveTextContent(failure);
  vi.mocked(fetchMachineStatus).mockResolvedValue({
    ...failing,
    intake: { folder: '/srv/intake', failure: null },
  });
  act(() => changed());
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
});

async function bannerOf(fault: Partial<MachineStatus['server']['database']>) {
  const whole = status([]);
  const database = { ...whole.server.database, ...fault };
  vi.mocked(fetchMachineStatus).mockResolvedValue({ ...whole, server: { ...whole.server, database } });
  open();
  return screen.findByRole('status');
}

test('a damaged database is shown with what is to be done', async () => {
  const banner = await bannerOf({ damage: 'Tree 12 page 12: btreeInitPage() returns error code 11' });
  expect(banner).toHaveTextContent('The database is damaged');
  expect(banner).toHaveTextContent('restore a backup: Tree 12 page 12');
});

test('a database whose file is gone is not called damaged, and the copy of it is named', async () => {
  const copy = '/data/dispatch.sqlite.rescued-2026-11-24T15-04-05Z';
  const banner = await bannerOf({ lostFile: { copy } });
  expect(banner).toHaveTextContent('The database file was removed or replaced');
  expect(banner).toHaveTextContent(`All that was saved is in ${copy}: put the file back`);
  expect(banner).not.toHaveTextContent('damaged');
});

test('nobody is told to stop the server while only it has what was saved', async () => {
  const banner = await bannerOf({ lostFile: { copy: null } });
  expect(banner).toHaveTextContent('do not stop the server');
});
