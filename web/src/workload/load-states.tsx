// The states of the cards while there is nothing to show or the counts may be stale.
import { CircleAlert, CloudOff, Lock, SearchX, UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Panel } from '../ui/panel.tsx';

/** `reason`: in the red of what went wrong. */
export function FailedWorkload({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel glyph={CircleAlert} ink="text-danger">
      <p role="alert" className="text-14 font-medium text-danger">
        {reason}
      </p>
      <Button onClick={retry}>{t('workload.retry')}</Button>
    </Panel>
  );
}

/** The counts are loaded, but could not be reloaded. */
export function StaleWorkload({ reason, retry }: { reason: string; retry: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-3 rounded-lg bg-danger-tint py-1 pr-1 pl-3 text-13 text-danger">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <p role="alert" className="min-w-0 flex-1 py-1.5">
        {t('workload.stale', { reason })}
      </p>
      <Button onClick={retry} className="h-8 shrink-0">
        {t('workload.retry')}
      </Button>
    </div>
  );
}

export function NoTechnicians() {
  const { t } = useTranslation();
  return (
    <Panel glyph={UsersRound}>
      <div role="status">
        <p className="text-14 font-medium">{t('workload.empty')}</p>
        <p className="mt-1 text-13 text-quiet">{t('workload.emptyHint')}</p>
      </div>
      <Link to="/technician-management" className="rounded-sm text-14 font-medium text-accent underline">
        {t('workload.toManagement')}
      </Link>
    </Panel>
  );
}

export function NoMatches({ clear }: { clear: () => void }) {
  const { t } = useTranslation();
  return (
    <Panel glyph={SearchX}>
      <p role="status" className="text-14 font-medium">
        {t('workload.none')}
      </p>
      <Button onClick={clear}>{t('workload.showAll')}</Button>
    </Panel>
  );
}

export function NotPermitted() {
  const { t } = useTranslation();
  return (
    <Panel glyph={Lock}>
      <div>
        <p className="text-14 font-medium">{t('workload.notPermitted')}</p>
        <p className="mt-1 text-13 text-quiet">{t('workload.notPermittedHint')}</p>
      </div>
      <Link to="/dashboard" className="rounded-sm text-14 font-medium text-accent underline">
        {t('workload.toDesk')}
      </Link>
    </Panel>
  );
}
