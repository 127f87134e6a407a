import { DatabaseZap, WifiOff } from 'lucide-react';
import { useMatch } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { useFreshness } from '../repair-order/freshness.ts';
import { useClock } from '../shop/clock.ts';

/**
 * A banner while the stream is down or the server cannot read its database: the data below may be wrong. It
 * disappears by itself.
 */
export function NotLiveBanner() {
  const { t } = useTranslation();
  const clock = useClock();
  const freshness = useFreshness();
  // In the portal, changes wait on the device until they can be sent.
  const isPortal = useMatch('/technicians/:id') !== null;
  if (freshness.kind !== 'stale' && freshness.kind !== 'not-read') return null;
  const isRead = freshness.kind !== 'not-read';
  const Glyph = isRead ? WifiOff : DatabaseZap;
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-danger px-4 py-1.5 text-center text-on-danger print:hidden"
    >
      <Glyph aria-hidden className="size-4 shrink-0" />
      <span className="text-14 font-semibold" title={clock.full(freshness.since)}>
        {t('live.notLiveSince', { time: clock.short(freshness.since) })}
      </span>
      <span className="text-13 max-md:text-12">
        {t(isRead ? (isPortal ? 'live.notLivePortalHint' : 'live.notLiveHint') : 'live.notReadHint')}
      </span>
    </div>
  );
}
