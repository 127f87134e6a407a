// How the server and its machine do, for those who look after them.
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import type {
  BackupStatus,
  DiskSpace,
  IntakeStatus,
  MachineStatus,
  OffsiteBackupStatus,
  ServerOfShop,
} from '../api/machine-status.ts';
import { usePermission } from '../auth/use-session.ts';
import { byteSize } from '../i18n/byte-size.ts';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { machineStatus } from '../shop/machine-status-query.ts';
import { FailedLine } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Fact } from './fact.tsx';

export function ServerSection() {
  return usePermission('see-server-status') ? <Section /> : null;
}

function Section() {
  const { t } = useTranslation();
  const heading = useId();
  const status = useQuery(machineStatus);
  return (
    <section aria-labelledby={heading} className="border-t border-line py-7 max-md:py-5">
      <h2 id={heading} className="text-16 font-semibold">
        {t('server.title')}
      </h2>
      {status.data !== undefined ? (
        <Status status={status.data} />
      ) : status.isError ? (
        <FailedLine
          text={t('server.failed')}
          {...failureReason(status.error, t)}
          retryLabel={t('about.retry')}
          retry={() => void status.refetch()}
          retrying={status.isFetching}
        />
      ) : (
        <Skeleton className="mt-4 w-2/3" />
      )}
    </section>
  );
}

function Status({ status }: { status: MachineStatus }) {
  const { server, otherServers, disk, backups, intake, configuration, mailFolder } = status;
  const { t, locale } = useTranslation();
  const clock = useClock();
  const { database, screens } = server;
  const { bytes = null, checkedAt = null, damage = null } = database;
  const size = bytes === null ? t('server.noAnswer') : byteSize(bytes, locale);
  return (
    <>
      <dl className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(200px,1fr))] gap-x-8 gap-y-4">
        <Fact name={t('server.since')}>{clock.full(Date.parse(server.startedAt))}</Fact>
        <Fact name={t(`server.database.${database.kind}`)}>
          {size}
          {damage !== null && <span className="block text-13 wrap-anywhere text-stale">{damage}</span>}
        </Fact>
        {checkedAt !== null && <Fact name={t('server.checked')}>{clock.full(Date.parse(checkedAt))}</Fact>}
        <Fact name={t('server.desks')}>{screens.desks}</Fact>
        <Fact name={t('server.technicians')}>{screens.technicians}</Fact>
        <Fact name={t('server.boards')}>{screens.boards}</Fact>
        <Fact name={t('server.backup')}>
          <NewestBackup backups={backups ?? null} />
        </Fact>
        {backups?.offsite && (
          <Fact name={t('server.copy')}>
            <NewestCopy copies={backups.offsite} />
          </Fact>
        )}
        <Fact name={t('server.intake')}>
          {intake === null ? t('server.noIntake') : <WatchedFolder intake={intake} />}
        </Fact>
        {mailFolder !== null && (
          <Fact name={t('server.mails')}>
            <span className="block text-13 wrap-anywhere text-stale">
              {t('server.noMailServer', { folder: mailFolder })}
            </span>
          </Fact>
        )}
        {disk.map((one) => (
          <Disk key={one.folder} disk={one} />
        ))}
      </dl>
      {otherServers.length > 0 && <OtherServers servers={otherServers} />}
      {configuration.length > 0 && (
        <>
          <h3 className="mt-6 text-14 font-semibold">{t('server.toPutRight')}</h3>
          <ul className="mt-1 flex list-disc flex-col gap-1 pl-5 text-14">
            {configuration.map(({ code, advice }) => (
              <li key={code + advice}>{advice}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OtherServers({ servers }: { servers: readonly ServerOfShop[] }) {
  const { t } = useTranslation();
  const clock = useClock();
  const heading = useId();
  return (
    <>
      <h3 id={heading} className="mt-6 text-14 font-semibold">
        {t('server.others')}
      </h3>
      <ul aria-labelledby={heading} className="mt-1 flex flex-col divide-y divide-line">
        {servers.map(({ address, version, startedAt, screens }) => (
          <li key={address} className="flex flex-wrap gap-x-6 py-2 text-14">
            <span className="w-full wrap-anywhere">
              {address} <span className="text-13 text-quiet">{version}</span>
            </span>
            <Named name={t('server.since')}>{clock.full(Date.parse(startedAt))}</Named>
            <Named name={t('server.desks')}>{screens.desks}</Named>
            <Named name={t('server.technicians')}>{screens.technicians}</Named>
            <Named name={t('server.boards')}>{screens.boards}</Named>
          </li>
        ))}
      </ul>
    </>
  );
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      <span className="text-12 text-quiet">{name}</span> {children}
    </span>
  );
}

function NewestBackup({ backups }: { backups: BackupStatus | null }) {
  const { t } = useTranslation();
  const clock = useClock();
  if (backups === null) return t('server.noBackups');
  const { newest = null, failure = null, folder } = backups;
  return (
    <>
      {newest === null ? (
        t('server.noBackupYet', { folder })
      ) : (
        <>
          <span className="block">{clock.full(Date.parse(newest))}</span>
          <span className="block text-13 wrap-anywhere text-quiet">{folder}</span>
        </>
      )}
      {failure !== null && <span className="block text-13 wrap-anywhere text-stale">{failure}</span>}
    </>
  );
}

function NewestCopy({ copies }: { copies: OffsiteBackupStatus }) {
  const { t } = useTranslation();
  const clock = useClock();
  const { newest = null, failure = null, store } = copies;
  return (
    <>
      <span className="block">
        {newest === null ? t('server.noCopyYet') : clock.full(Date.parse(newest))}
      </span>
      <span className="block text-13 wrap-anywhere text-quiet">{store}</span>
      {failure !== null && <span className="block text-13 wrap-anywhere text-stale">{failure}</span>}
    </>
  );
}

function WatchedFolder({ intake: { folder, failure } }: { intake: IntakeStatus }) {
  return (
    <>
      <span className="block wrap-anywhere">{folder}</span>
      {failure !== null && <span className="block text-13 wrap-anywhere text-stale">{failure}</span>}
    </>
  );
}

function Disk({ disk: { folder, freeBytes, totalBytes, low } }: { disk: DiskSpace }) {
  const { t, locale } = useTranslation();
  const [free, total] = [byteSize(freeBytes, locale), byteSize(totalBytes, locale)];
  return (
    <Fact name={t('server.disk', { folder })}>
      <span className={low ? 'font-semibold text-stale' : undefined}>
        {t('server.free', { free, total })}
      </span>
    </Fact>
  );
}
