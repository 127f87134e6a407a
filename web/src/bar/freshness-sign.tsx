import { CloudOff, RefreshCw, WifiOff } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFreshness } from '../repair-order/freshness.ts';
import { useClock } from '../shop/clock.ts';

/** How far what is on screen can be trusted, in a word and a colour. */
export function FreshnessSign() {
  const { t } = useTranslation();
  const clock = useClock();
  const freshness = useFreshness();

  return (
    <p aria-live="polite" className="flex items-center text-12 font-medium whitespace-nowrap">
      {freshness.kind === 'disconnected' ? (
        <span className={`${chip} bg-danger-tint text-danger`}>
          <CloudOff aria-hidden className="size-3.5" />
          {t('live.disconnected')}
        </span>
      ) : freshness.kind === 'live' ? (
        <span className={`${chip} text-used`}>
          <span aria-hidden className="size-2 rounded-full bg-current" />
          {t('live.live')}
        </span>
      ) : freshness.kind === 'connecting' ? (
        <span className={`${chip} text-quiet`}>{t('live.connecting')}</span>
      ) : freshness.kind === 'catching-up' ? (
        <span className={`${chip} bg-stale-tint text-stale`} title={clock.full(freshness.since)}>
          <RefreshCw aria-hidden className="size-3.5" />
          {t('live.catchingUp')}
        </span>
      ) : (
        <span className={`${chip} bg-stale-tint text-stale`} title={clock.full(freshness.since)}>
          <WifiOff aria-hidden className="size-3.5" />
          {t('live.notLiveSince', { time: clock.short(freshness.since) })}
        </span>
      )}
    </p>
  );
}

const chip = 'inline-flex h-7 items-center gap-1.5 rounded-full px-2.5';
