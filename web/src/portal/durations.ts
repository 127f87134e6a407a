// Durations: in words for a card, to the second for a clock that runs.
import { useSyncExternalStore } from 'react';
import { serverNow } from '../api/server-time.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { hoursAndMinutes } from '../repair-order/duration-text.ts';

const MINUTE_MS = 60_000;

/** '1 h 20 min', '2 h'; below an hour the minutes alone. Of a time that is still counted, the minutes that are full. */
export function useDurationText(): (ms: number) => string {
  const { t } = useTranslation();
  return (ms) => hoursAndMinutes(Math.floor(ms / MINUTE_MS), t);
}

/** '0:04:09' */
export function stopwatch(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (part: number) => String(part).padStart(2, '0');
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** The server's time (ms), again at each step of it. */
export function useServerTime(stepMs: number): number {
  return useSyncExternalStore(
    stepMs < MINUTE_MS ? everySecond : everyMinute,
    () => Math.floor(serverNow() / stepMs) * stepMs,
  );
}

const everySecond = every(1_000);
const everyMinute = every(10_000);

function every(ms: number) {
  return (listener: () => void) => {
    const timer = setInterval(listener, ms);
    return () => clearInterval(timer);
  };
}
