import { DatabaseZap, type LucideIcon, WifiOff } from 'lucide-react';
import { useMatch } from 'react-router';
import { useTranslation } from '../i18n/use-translation.ts';
import { type Freshness, useFreshness } from '../repair-order/freshness.ts';
import { useClock } from '../shop/clock.ts';

export type NotLiveFreshness = Extract<Freshness, { kind: 'stale' | 'not-read' | 'disconnected' }>;

/** The same in the banner and in the header, on every screen. */
export function notLiveGlyph({ kind }: NotLiveFreshness): LucideIcon {
  return kind === 'not-read' ? DatabaseZap : WifiOff;
}

/**
 * A banner while the stream is down, the server cannot read its database, or the orders could not be loaded: the data
 * below is missing or may be wrong. It disappears by itself.
 */
export function NotLiveBanner() {
  const freshness = useFreshness();
  switch (freshness.kind) {
    case 'stale':
    case 'not-read':
    case 'disconnected':
      return <Banner freshness={freshness} />;
    default:
      return null;
  }
}

function Banner({ freshness }: { freshness: NotLiveFreshness }) {
  const { t } = useTranslation();
  const clock = useClock();
  // In the portal, changes wait on the device until they can be sent.
  const isPortal = useMatch('/technicians/:id') !== null;
  const Glyph = notLiveGlyph(freshness);
  const since = 'since' in freshness ? freshness.since : null;
  const hint =
    freshness.kind === 'not-read'
      ? 'live.notReadHint'
      : isPortal
        ? 'live.notLivePortalHint'
        : since === null
          ? 'live.disconnectedHint'
          : 'live.notLiveHint';
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-2.5 bg-danger px-4 py-1.5 text-center text-on-danger print:hidden"
    >
      <Glyph aria-hidden className="size-4 shrink-0" />
      <span className="text-14 font-semibold" title={since === null ? undefined : clock.full(since)}>
        {since === null ? t('live.disconnected') : t('live.notLiveSince', { time: clock.short(since) })}
      </span>
      <span className="text-13 max-md:text-12">{t(hint)}</span>
    </div>
  );
}
