import { useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseBackup, DatabaseZap, FolderX, HardDrive, type LucideIcon } from 'lucide-react';
import { useEffect } from 'react';
import type { BackupStatus, DiskSpace, OffsiteBackupStatus } from '../api/machine-status.ts';
import { onSocketMessage } from '../api/socket.ts';
import { usePermission } from '../auth/use-session.ts';
import { byteSize } from '../i18n/byte-size.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { machineStatus } from '../shop/machine-status-query.ts';

/** What the server's machine needs before work is lost, for users who can see to it. It disappears by itself. */
export function MachineBanners() {
  const canSeeServerStatus = usePermission('see-server-status');
  return canSeeServerStatus ? <Banners /> : null;
}

function Banners() {
  const client = useQueryClient();
  const { data } = useQuery(machineStatus);
  useEffect(
    () =>
      onSocketMessage(
        'SERVER_STATUS_CHANGED',
        () => void client.invalidateQueries({ queryKey: machineStatus.queryKey }),
      ),
    [client],
  );
  if (data === undefined) return null;
  const { damage = null, lostFile = null } = data.server.database;
  return (
    <>
      {damage !== null && <DamagedDatabase damage={damage} />}
      {lostFile !== null && <LostDatabase copy={lostFile.copy ?? null} />}
      {data.disk
        .filter(({ low }) => low)
        .map((disk) => (
          <LowDisk key={disk.folder} disk={disk} />
        ))}
      {data.intake?.failure && <UnreadFiles failure={data.intake.failure} />}
      {data.backups && <FailedBackup backups={data.backups} />}
      {data.backups?.offsite && <FailedCopy copies={data.backups.offsite} />}
    </>
  );
}

function DamagedDatabase({ damage }: { damage: string }) {
  const { t } = useTranslation();
  return (
    <Banner glyph={DatabaseZap} text={t('database.damaged')} hint={t('database.damagedHint', { damage })} />
  );
}

function LostDatabase({ copy }: { copy: string | null }) {
  const { t } = useTranslation();
  // Who stops the server before there is a copy loses what only it can still read.
  const hint = copy === null ? t('database.lostHint') : t('database.lostHintCopied', { copy });
  return <Banner glyph={DatabaseZap} text={t('database.lost')} hint={hint} />;
}

/** What does not work any more when a disk is full. */
const LOW_HINTS = {
  data: 'disk.lowHint',
  intake: 'disk.lowHintIntake',
  backups: 'disk.lowHintBackups',
} as const satisfies Record<DiskSpace['holds'], string>;

function LowDisk({ disk }: { disk: DiskSpace }) {
  const { t, locale } = useTranslation();
  const free = byteSize(disk.freeBytes, locale);
  return (
    <Banner
      glyph={HardDrive}
      text={t('disk.low', { free })}
      hint={t(LOW_HINTS[disk.holds], { folder: disk.folder })}
    />
  );
}

function UnreadFiles({ failure }: { failure: string }) {
  const { t } = useTranslation();
  return <Banner glyph={FolderX} text={t('intake.notRead')} hint={failure} />;
}

function FailedBackup({ backups }: { backups: BackupStatus }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { newest = null, failure = null } = backups;
  if (failure === null) return null;
  const text =
    newest === null
      ? t('backup.noneWritten')
      : t('backup.notWritten', { time: clock.full(Date.parse(newest)) });
  return <Banner glyph={DatabaseBackup} text={text} hint={failure} />;
}

function FailedCopy({ copies }: { copies: OffsiteBackupStatus }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { newest = null, failure = null, store } = copies;
  if (failure === null) return null;
  const text =
    newest === null
      ? t('backup.noneCopied', { store })
      : t('backup.notCopied', { store, time: clock.full(Date.parse(newest)) });
  return <Banner glyph={DatabaseBackup} text={text} hint={failure} />;
}

interface BannerProps {
  glyph: LucideIcon;
  text: string;
  hint: string;
}

function Banner({ glyph: Glyph, text, hint }: BannerProps) {
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-stale-tint px-4 py-1.5 text-center text-stale print:hidden"
    >
      <Glyph aria-hidden className="size-4 shrink-0 max-md:hidden" />
      <span className="text-14 font-semibold">{text}</span>
      <span className="min-w-0 text-13 wrap-anywhere">{hint}</span>
    </div>
  );
}
