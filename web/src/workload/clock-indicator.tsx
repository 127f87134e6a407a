// What a technician is doing now, by their clock: a word, a shape and the duration.
import { CircleDashed, CircleOff, TriangleAlert, Wrench } from 'lucide-react';
import type { Workload } from '../api/technicians.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { spanText } from '../repair-order/duration-text.ts';
import { stateLabel } from '../repair-order/technician-state.ts';
import { type Clock, useClock } from '../shop/clock.ts';

/** `number`: the displayed RO number, where it is not just the digits. */
export function ClockIndicator({ clock, number }: { clock: Workload['clock']; number: string | undefined }) {
  const { t, locale } = useTranslation();
  const shopClock = useClock();
  const { time, title } = sinceOf(clock, shopClock);
  if (clock.forgotten) {
    return (
      <span className={`${sign} bg-stale-tint font-medium text-stale`} title={title}>
        <TriangleAlert aria-hidden className={glyph} />
        {t('workload.clock.forgotten', { time })}
      </span>
    );
  }
  switch (clock.state) {
    case 'off':
      return (
        <span className={`${sign} text-quiet`}>
          <CircleOff aria-hidden className={glyph} />
          {stateLabel('off', t, locale)}
        </span>
      );
    case 'idle':
      return (
        <span className={`${sign} bg-accent-tint font-medium text-accent`} title={title}>
          <CircleDashed aria-hidden className={glyph} />
          {t('workload.clock.since', { state: stateLabel('idle', t, locale), time })}
        </span>
      );
    case 'on-job':
      return (
        <span className={`${sign} text-ink`} title={title}>
          <Wrench aria-hidden className={glyph} />
          <span>
            {t('workload.clock.onJob', {
              number: number ?? String(clock.roNumber),
              job: clock.jobNumber ?? '',
              span: spanText(minutesSince(clock, shopClock), t),
            })}
          </span>
        </span>
      );
  }
}

function sinceOf({ since }: Workload['clock'], clock: Clock): { time: string; title: string | undefined } {
  if (since === null) return { time: '', title: undefined };
  const at = Date.parse(since);
  return { time: clock.short(at), title: clock.full(at) };
}

function minutesSince({ since }: Workload['clock'], { now }: Clock): number {
  return since === null ? 0 : Math.max(0, Math.floor((now - Date.parse(since)) / 60_000));
}

const sign = '-ml-1 inline-flex max-w-full items-center gap-1.5 self-start rounded-sm px-1 text-12';
const glyph = 'size-3 shrink-0';
