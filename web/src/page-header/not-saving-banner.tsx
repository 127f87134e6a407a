import { SaveOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { useMatch } from 'react-router';
import { onServerStatus, serverStatus } from '../api/server-status.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';

/**
 * A banner while the server cannot save and refuses changes: the data below is right. It disappears by itself.
 */
export function NotSavingBanner() {
  const { t } = useTranslation();
  const clock = useClock();
  // In the portal, changes wait on the device until they can be sent.
  const isPortal = useMatch('/technicians/:id') !== null;
  const since = useSyncExternalStore(onServerStatus, () => serverStatus().notSavingSince);
  if (since === null) return null;
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-stale-tint px-4 py-1.5 text-center text-stale print:hidden"
    >
      <SaveOff aria-hidden className="size-4 shrink-0" />
      <span className="text-14 font-semibold" title={clock.full(since)}>
        {t('live.notSavingSince', { time: clock.short(since) })}
      </span>
      <span className="text-13">{t(isPortal ? 'live.notSavingPortalHint' : 'live.notSavingHint')}</span>
    </div>
  );
}
