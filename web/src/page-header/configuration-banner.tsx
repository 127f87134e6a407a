import { useQuery } from '@tanstack/react-query';
import { Network, X } from 'lucide-react';
import { useState } from 'react';
import type { ConfigurationNotice } from '../api/machine-status.ts';
import { usePermission } from '../auth/use-session.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { machineStatus } from '../shop/machine-status-query.ts';

const idOf = ({ code, address }: ConfigurationNotice) => `${code} ${address}`;

/** A banner for owners when the server's options do not fit the proxy in front of it. All notices are on About. */
export function ConfigurationBanner() {
  const isOwner = usePermission('manage-users');
  return isOwner ? <Notices /> : null;
}

function Notices() {
  const { data } = useQuery(machineStatus);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  return data?.configuration
    .filter((notice) => !hidden.includes(idOf(notice)))
    .map((notice) => (
      <Notice key={idOf(notice)} notice={notice} hide={() => setHidden((ids) => [...ids, idOf(notice)])} />
    ));
}

const OPTION: Record<ConfigurationNotice['code'], 'untrustedProxy' | 'httpsWithoutPublicUrl' | null> = {
  'untrusted-proxy': 'untrustedProxy',
  'https-without-public-url': 'httpsWithoutPublicUrl',
  // In a shop's own network it may well be right.
  'mails-without-public-url': null,
};

function Notice({ notice, hide }: { notice: ConfigurationNotice; hide: () => void }) {
  const { t } = useTranslation();
  const text = OPTION[notice.code];
  if (text === null) return null;
  return (
    <div
      role="status"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-stale-tint px-4 py-1.5 text-center text-stale print:hidden"
    >
      <Network aria-hidden className="size-4 shrink-0 max-md:hidden" />
      <span className="text-14 font-semibold">
        {t(`configuration.${text}`, { address: notice.address ?? '' })}
      </span>
      <span className="min-w-0 text-13 wrap-anywhere">
        {t(`configuration.${text}Hint`, { address: notice.address ?? '' })}
      </span>
      <button
        type="button"
        onClick={hide}
        aria-label={t('configuration.hide')}
        className="grid size-6 place-items-center rounded-sm hover:bg-sunken"
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}
