import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { lastHeardAt, useFreshness } from '../repair-order/freshness.ts';
import { useClock } from '../shop/clock.ts';
import { type NotLiveFreshness, notLiveGlyph } from './not-live-banner.tsx';

/** How far the screen can be trusted, in a word and a colour. */
export function FreshnessIndicator() {
  const { t } = useTranslation();
  const clock = useClock();
  const freshness = useFreshness();

  return (
    <p aria-live="polite" className="flex items-center text-12 font-medium whitespace-nowrap">
      {freshness.kind === 'live' ? (
        <span className={`${chip} text-used`}>
          <span aria-hidden className="size-2 rounded-full bg-current" />
          {/* On a phone the dot says it to the eye: whatever else is the case has its words. */}
          <span className="max-sm:sr-only">{t('live.live')}</span>
          <FreshnessAge />
        </span>
      ) : freshness.kind === 'late' ? (
        <span className={`${chip} bg-stale-tint text-stale`} title={clock.full(freshness.since)}>
          <WifiOff aria-hidden className="size-3.5" />
          <span className="sr-only">{t('live.lateSaid')}</span>
          <Late />
        </span>
      ) : freshness.kind === 'connecting' ? (
        <span className={`${chip} text-quiet`}>{t('live.connecting')}</span>
      ) : freshness.kind === 'catching-up' ? (
        <span className={`${chip} bg-stale-tint text-stale`} title={clock.full(freshness.since)}>
          <RefreshCw aria-hidden className="size-3.5" />
          {t('live.catchingUp')}
        </span>
      ) : (
        <NotLive freshness={freshness} />
      )}
    </p>
  );
}

/** The mark alone: the banner below says it in words, and since when. */
function NotLive({ freshness }: { freshness: NotLiveFreshness }) {
  const { t } = useTranslation();
  const clock = useClock();
  const Glyph = notLiveGlyph(freshness);
  return (
    <span
      title={'since' in freshness ? clock.full(freshness.since) : undefined}
      className={`${chip} bg-danger-tint text-danger`}
    >
      <Glyph aria-hidden className="size-3.5" />
      <span className="sr-only">{t('live.notLive')}</span>
    </span>
  );
}

/** The age of the last message. Visual only: a screen reader would announce it each second. */
function FreshnessAge() {
  const { t } = useTranslation();
  const age = t('live.age', { seconds: useSecondsSinceHeard() });
  return (
    <span
      aria-hidden
      title={t('live.heard', { age })}
      className="min-w-6 text-right font-normal text-quiet max-md:hidden"
    >
      {age}
    </span>
  );
}

function Late() {
  const { t } = useTranslation();
  const age = t('live.age', { seconds: useSecondsSinceHeard() });
  return (
    <>
      <span aria-hidden className="max-sm:hidden">
        {t('live.late', { age })}
      </span>
      {/* A phone has no room for more beside the screen's name. */}
      <span aria-hidden className="sm:hidden">
        {age}
      </span>
    </>
  );
}

function useSecondsSinceHeard(): number {
  const [seconds, set] = useState(secondsSinceHeard);
  useEffect(() => {
    const timer = setInterval(() => set(secondsSinceHeard()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return seconds;
}

function secondsSinceHeard(): number {
  return Math.max(0, Math.floor((Date.now() - lastHeardAt()) / 1_000));
}

const chip = 'inline-flex h-7 items-center gap-1.5 rounded-full px-2.5 max-md:px-1.5';
