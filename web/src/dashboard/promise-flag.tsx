// Whether an order will be ready when that was promised: a word, and the sentence that explains it.
import { useQuery } from '@tanstack/react-query';
import { fetchPromiseHistory, type OrderPromise, type PromiseState } from '../api/promises.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { movesText, promiseText } from '../repair-order/promise-text.ts';
import { usePromise } from '../repair-order/promises.ts';
import { useClock } from '../shop/clock.ts';
import { TriangleAlert } from '../ui/row-glyphs.tsx';

const tones: Record<PromiseState, string> = {
  'on-time': 'text-used',
  unknown: 'text-quiet',
  'at-risk': 'text-stale',
  late: 'text-danger',
};

interface PromiseProps {
  order: Pick<RepairOrder, 'key' | 'promised'>;
}

function useSentence(promise: OrderPromise | null): string {
  const { t, locale } = useTranslation();
  const { short } = useClock();
  return promise === null ? '' : promiseText(promise, { t, locale, short });
}

/** In the list: one that is at risk. What is late already stands there in red, and the rest is no news. */
export function PromiseFlag({ order }: PromiseProps) {
  const { t } = useTranslation();
  const promise = usePromise(order.key);
  const sentence = useSentence(promise);
  if (promise?.state !== 'at-risk') return null;
  return (
    <span
      title={sentence}
      className="inline-flex h-4 items-center gap-1 rounded-sm bg-stale-tint px-1 text-12 font-medium text-stale"
    >
      <TriangleAlert aria-hidden className="size-3 shrink-0" />
      <span className="group-data-tight/table:sr-only">{t('stages.promise.state.at-risk')}</span>
      <span className="sr-only">: {sentence}</span>
    </span>
  );
}

/** Among the details: whatever is known. */
export function PromiseFact({ promise, order }: PromiseProps & { promise: OrderPromise }) {
  const { t } = useTranslation();
  const sentence = useSentence(promise);
  return (
    <span className="block">
      <span className={`font-medium ${tones[promise.state]}`}>
        {t(`stages.promise.state.${promise.state}`)}
      </span>
      <span className="block text-12 text-quiet">{sentence}</span>
      <Moves order={order} />
    </span>
  );
}

/** How often the promise was moved, and how far; nothing while it stands as it was given. */
function Moves({ order }: PromiseProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const { data } = useQuery({
    // Another promised time is another move.
    queryKey: ['promise-moves', order.key, order.promised],
    queryFn: ({ signal }) => fetchPromiseHistory(order.key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const text = data === undefined ? null : movesText(data, { t, short: clock.short });
  if (data === undefined || text === null) return null;
  const title = data.moves.map(({ from, to, at, by }) =>
    [
      clock.dated(Date.parse(at)),
      by.name,
      `${clock.short(Date.parse(from))} → ${to === null ? '–' : clock.short(Date.parse(to))}`,
    ]
      .filter(Boolean)
      .join(' · '),
  );
  return (
    <span title={title.join('\n')} className="block text-12 text-quiet">
      {text}
    </span>
  );
}
