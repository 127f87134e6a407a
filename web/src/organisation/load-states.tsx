// The states of the tree while there is nothing to show or it may be stale.
import { Lock } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { FailedPanel, Panel, StaleNotice } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

export function FailedOrganisation({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <FailedPanel
      text={t('organisation.failed.load')}
      reason={reason}
      retryLabel={t('organisation.retry')}
      retry={retry}
    />
  );
}

/** The organisation is loaded, but could not be reloaded. */
export function StaleOrganisation({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <StaleNotice
      text={t('organisation.stale', { reason })}
      retryLabel={t('organisation.retry')}
      retry={retry}
    />
  );
}

export function NotPermitted() {
  const { t } = useTranslation();
  return (
    <Panel glyph={Lock}>
      <div>
        <p className="text-14 font-medium">{t('organisation.notPermitted')}</p>
        <p className="mt-1 text-13 text-quiet">{t('organisation.notPermittedHint')}</p>
      </div>
      <Link to="/dashboard" className="rounded-sm text-14 font-medium text-accent underline">
        {t('organisation.toDesk')}
      </Link>
    </Panel>
  );
}

const LEVELS = [3, 5, 4];

export function LoadingOrganisation() {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-2.5">
      <p role="status" className="sr-only">
        {t('organisation.loading')}
      </p>
      {LEVELS.map((technicians) => (
        <div key={technicians} className="skeleton rounded-lg border border-line bg-raised p-3">
          <Skeleton className="w-32" />
          <div className="mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-1.5">
            {Array.from({ length: technicians }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
              <Skeleton key={at} className="h-13 w-full" />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
