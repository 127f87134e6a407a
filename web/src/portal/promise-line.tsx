// Whether the next car will be ready as promised, and when to begin at the latest. Only of a car with a promised time.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AlarmClock, TriangleAlert } from 'lucide-react';
import { fetchPromises } from '../api/promises.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { useClock } from '../shop/clock.ts';
import { promiseSentence } from './promise-sentence.ts';

/** What is left of the work changes with each minute on the clock. */
const RELOAD_MS = 60_000;

interface PromiseLineProps {
  order: Pick<RepairOrder, 'key' | 'holds'>;
  /** ms */
  promised: number;
  /** What the clock runs on: it decides what stands before the car. */
  running: number | null;
}

export function PromiseLine({ order, promised, running }: PromiseLineProps) {
  const { t, locale } = useTranslation();
  const clock = useClock();
  const { data, isError } = useQuery({
    queryKey: ['promises', 'next', order.key, order.holds, promised, running],
    queryFn: ({ signal }) => fetchPromises(signal),
    refetchInterval: RELOAD_MS,
    placeholderData: keepPreviousData,
    gcTime: RELOAD_MS,
  });
  const risk = data?.find(
    (one) => one.roNumber === order.key && Date.parse(one.promisedDateTime) === promised,
  );
  // Until the server has answered, and when it cannot be asked again, the promise alone is told.
  const words = { t, locale, short: clock.short };
  const { tone, text } = promiseSentence(isError ? null : (risk ?? null), promised, words);
  const Glyph = tone === 'late' ? TriangleAlert : tone === 'at-risk' ? AlarmClock : null;
  return (
    // Lines are kept for what the server says, so that little moves when it comes.
    <p className={`my-0.5 flex min-h-[2lh] items-start gap-1.5 md:min-h-[1lh] ${tones[tone]}`}>
      {Glyph !== null && <Glyph aria-hidden className="mt-0.5 size-4 shrink-0" />}
      <span className="line-clamp-3 min-w-0 md:line-clamp-2" title={text}>
        {text}
      </span>
    </p>
  );
}

const tones = {
  quiet: 'text-quiet',
  'at-risk': 'font-medium text-stale',
  late: 'font-medium text-danger',
};
