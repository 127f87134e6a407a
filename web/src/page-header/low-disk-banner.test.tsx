import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { type DiskSpace, fetchDisks } from '../api/disk-space.ts';
import { onSocketMessage } from '../api/socket.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { LowDiskBanner } from './low-disk-banner.tsx';

vi.mock('../api/disk-space.ts', () => ({ fetchDisks: vi.fn() }));
vi.mock('../api/socket.ts', () => ({ onSocketMessage: vi.fn() }));
const session = vi.hoisted(() => ({ canSeeServerStatus: true }));
vi.mock('../auth/use-session.ts', () => ({
  usePermission: (permission: string) => permission === 'see-server-status' && session.canSeeServerStatus,
}));

const disk = (low: boolean): DiskSpace => ({
  folder: '/var/lib/dispatch',
  freeBytes: 1_530_000_000,
  totalBytes: 200_000_000_000,
  low,
});

let changed: () => void;

function open() {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <LowDiskBanner />
    </QueryClientProvider>,
  );
}

beforeEach(async () => {
  session.canSeeServerStatus = true;
  vi.mocked(fetchDisks)
    .mockReset()
    .mockResolvedValue([disk(true)]);
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

test('the banner comes and goes with the server’s measurements', async () => {
  vi.mocked(fetchDisks).mockResolvedValue([disk(false)]);
  open();
  await waitFor(() => expect(fetchDisks).toHaveBeenCalledTimes(1));
  expect(screen.queryByRole('status')).toBeNull();
  vi.mocked(fetchDisks).mockResolvedValue([{ ...disk(true), freeBytes: 150_400_000 }]);
  act(() => changed());
  expect(await screen.findByRole('status')).toHaveTextContent('150 MB');
  vi.mocked(fetchDisks).mockResolvedValue([]);
  act(() => changed());
  await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
});

test('the disks are not requested for users who cannot act', () => {
  session.canSeeServerStatus = false;
  open();
  expect(fetchDisks).not.toHaveBeenCalled();
});
