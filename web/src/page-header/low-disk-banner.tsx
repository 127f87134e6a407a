import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { HardDrive } from 'lucide-react';
import { useEffect } from 'react';
import { type DiskSpace, fetchDisks } from '../api/disk-space.ts';
import { onSocketMessage } from '../api/socket.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';

/** The server measures once a minute; while space is low the page refetches as often. */
const REFETCH_INTERVAL_MS = 60_000;

const disks = queryOptions({
  queryKey: ['disks'],
  queryFn: ({ signal }) => fetchDisks(signal),
  refetchInterval: ({ state }) =>
    state.data?.some((disk) => disk.low) === true ? REFETCH_INTERVAL_MS : false,
});

/** A banner before the server's disk is full, for users who can make room. It disappears by itself. */
export function LowDiskBanner() {
  const canSeeServerStatus = usePermission('see-server-status');
  return canSeeServerStatus ? <LowDisks /> : null;
}

function LowDisks() {
  const client = useQueryClient();
  const { data } = useQuery(disks);
  useEffect(
    () =>
      onSocketMessage(
        'SERVER_STATUS_CHANGED',
        () => void client.invalidateQueries({ queryKey: disks.queryKey }),
      ),
    [client],
  );
  return data?.filter((disk) => disk.low).map((disk) => <LowDisk key={disk.folder} disk={disk} />);
}

function LowDisk({ disk }: { disk: DiskSpace }) {
  const { t, locale } = useTranslation();
  const free = bytes(disk.freeBytes, locale);
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-stale-tint px-4 py-1.5 text-center text-stale print:hidden"
    >
      <HardDrive aria-hidden className="size-4 shrink-0 max-md:hidden" />
      <span className="text-14 font-semibold">{t('disk.low', { free })}</span>
      <span className="min-w-0 text-13 wrap-anywhere">{t('disk.lowHint', { folder: disk.folder })}</span>
    </div>
  );
}

const MB = 1_000_000;
const GB = 1_000 * MB;

function bytes(count: number, locale: string): string {
  const [unit, size] = count < GB ? ['megabyte', MB] : ['gigabyte', GB];
  const digits = unit === 'gigabyte' ? 1 : 0;
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: digits });
  return format.format(count / Number(size));
}
