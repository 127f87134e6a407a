// The closed orders that a search found, below the list of open ones: by number, customer and car, the newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type MouseEvent, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { type ClosedOrder, closedOrders } from '../repair-order/closed-orders.ts';
import { toNameCase } from '../rules/name-case.ts';
import { useClock } from '../shop/clock.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { FailedLine } from '../ui/panel.tsx';
import { closedRowKey, focusFirstClosedRow } from './closed-rows.ts';
import type { ListDetails } from './desk-details.ts';
import { detailsLink } from './open-details.ts';

export interface ClosedOrdersProps {
  searched: string;
  narrow: boolean;
  /** The list above has rows. */
  hasOpenRows: boolean;
  /** Something lies over the foot of the list. */
  isCovered: boolean;
  details: ListDetails;
  /** The first row takes the focus from the search field as soon as it is there. */
  takesFocus: boolean;
  focusSearch(): void;
}

export function ClosedOrders(props: ClosedOrdersProps) {
  const { searched, narrow, hasOpenRows, isCovered } = props;
  const { t } = useTranslation();
  const title = useId();
  const query = useClosedOrders(searched);
  const { data, error, isPlaceholderData, hasNextPage } = query;
  const orders = data?.pages.flatMap((page) => page.orders) ?? [];
  // On a phone the open orders need the room.
  const [chosen, choose] = useState<boolean | null>(null);
  const isUnfolded = chosen ?? (!narrow || !hasOpenRows);
  const hasContent = orders.length > 0 || hasNextPage || error !== null;
  useFocusedFirst(props.takesFocus && data !== undefined && !isPlaceholderData);

  return (
    <section
      aria-labelledby={title}
      aria-busy={query.isFetching}
      className={`flex max-h-[45%] shrink-0 flex-col overflow-hidden rounded-lg border border-line bg-raised max-md:mb-2 ${isCovered ? 'mb-14' : ''}`}
    >
      <div className="flex min-h-9 shrink-0 items-center gap-2.5 pr-1 pl-3 text-13 max-md:min-h-11">
        <h2 id={title} className="font-medium">
          {t('closed.title')}
        </h2>
        <p role="status" className="min-w-0 flex-1 text-quiet">
          <Found
            count={data === undefined ? null : orders.length}
            hasMore={hasNextPage}
            failed={error !== null}
          />
        </p>
        {hasContent && (
          <IconButton
            label={t(isUnfolded ? 'closed.fold' : 'closed.unfold')}
            aria-expanded={isUnfolded}
            onClick={() => choose(!isUnfolded)}
            className="size-8"
          >
            <ChevronDown aria-hidden className={`size-4 ${isUnfolded ? '' : '-rotate-180'}`} />
          </IconButton>
        )}
      </div>
      {isUnfolded && hasContent && <Content {...props} query={query} orders={orders} />}
    </section>
  );
}

/** How many there are so far; null: nobody knows yet. */
function Found({ count, hasMore, failed }: { count: number | null; hasMore: boolean; failed: boolean }) {
  const { t } = useTranslation();
  if (count === null) return failed ? null : <span className="appear-late">{t('closed.searching')}</span>;
  if (count === 0) return t('closed.none');
  return t(hasMore ? 'closed.foundMore' : 'closed.found', { count });
}

function useClosedOrders(searched: string) {
  return useInfiniteQuery(closedOrders(searched));
}

interface ContentProps extends ClosedOrdersProps {
  query: ReturnType<typeof useClosedOrders>;
  orders: readonly ClosedOrder[];
}

function Content({ query, orders, details, hasOpenRows, focusSearch }: ContentProps) {
  const { t } = useTranslation();
  const { error, hasNextPage, isFetching, isPlaceholderData } = query;
  const [stop, setStop] = useState<number | null>(null);
  const current = orders.some(({ repairOrderNumber }) => repairOrderNumber === stop)
    ? stop
    : orders[0]?.repairOrderNumber;
  const list = useRef<HTMLDivElement>(null);
  const showMore = useShowMore(list, orders.length, () => void query.fetchNextPage());
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the rows in it, which have the focus
    <div
      ref={list}
      onKeyDown={(event) => closedRowKey(event, hasOpenRows ? null : focusSearch)}
      className={`min-h-0 overflow-y-auto border-t border-line ${isPlaceholderData ? 'opacity-60' : ''}`}
    >
      {orders.length > 0 && (
        <ul aria-label={t('closed.title')}>
          {orders.map((order) => (
            <li key={order.repairOrderNumber} className="border-b border-line last:border-b-0">
              <ClosedRow
                order={order}
                isStop={order.repairOrderNumber === current}
                stopHere={() => setStop(order.repairOrderNumber)}
                details={details}
              />
            </li>
          ))}
        </ul>
      )}
      {error !== null ? (
        <div className="px-3 py-2">
          <FailedLine
            text={t('closed.failed')}
            {...failureReason(error, t)}
            retryLabel={t('live.retry')}
            retry={() => void (orders.length > 0 ? query.fetchNextPage() : query.refetch())}
            retrying={isFetching}
          />
        </div>
      ) : (
        hasNextPage && (
          <Button data-closed-stop disabled={isFetching} onClick={showMore} className="m-1.5 h-8 max-md:h-11">
            {t('closed.more')}
          </Button>
        )
      )}
    </div>
  );
}

interface ClosedRowProps {
  order: ClosedOrder;
  /** The Tab stop among the rows. */
  isStop: boolean;
  stopHere(): void;
  details: ListDetails;
}

function ClosedRow({ order, isStop, stopHere, details }: ClosedRowProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const { repairOrderNumber: key, displayNumber, vehicle, technicians, closedDateTime } = order;
  const customer = toNameCase(order.customer);
  const isOpen = key === details.beside;
  const clicked = (event: MouseEvent) => {
    // Elsewhere the browser opens it.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    details.open(key);
  };
  const fact = 'min-w-0 truncate';
  return (
    <a
      href={detailsLink(key)}
      data-closed-stop
      data-closed-order={key}
      tabIndex={isStop ? 0 : -1}
      aria-current={isOpen || undefined}
      onClick={clicked}
      onFocus={() => {
        stopHere();
        details.follow(key);
      }}
      className={`grid min-h-9 grid-cols-[7rem_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_12.5rem] items-center gap-x-3 px-3 py-1 text-13 -outline-offset-2! hover:bg-sunken max-md:min-h-11 max-md:grid-cols-[auto_minmax(0,1fr)] pointer-coarse:min-h-11 ${isOpen ? 'bg-accent-tint' : ''}`}
    >
      <span className={`${fact} font-mono font-medium text-accent`}>{displayNumber ?? key}</span>{' '}
      <span className={fact} title={customer}>
        {customer}
      </span>{' '}
      <span className={`${fact} text-quiet max-md:col-span-2`} title={vehicle}>
        {vehicle}
      </span>{' '}
      <span className={`${fact} text-quiet max-md:hidden`} title={technicians.join(', ')}>
        {technicians.join(', ')}
      </span>{' '}
      <span className={`${fact} text-quiet max-md:col-span-2`}>
        {t('details.closed', { time: clock.short(Date.parse(closedDateTime)) })}
      </span>
    </a>
  );
}

/** Not where somebody has gone elsewhere meanwhile. */
function useFocusedFirst(isDue: boolean): void {
  useLayoutEffect(() => {
    if (isDue && document.activeElement instanceof HTMLInputElement) focusFirstClosedRow();
  }, [isDue]);
}

/** The first row of the next page takes the focus from the button that showed it. */
function useShowMore(
  list: { current: HTMLElement | null },
  shown: number,
  fetchNextPage: () => void,
): () => void {
  const from = useRef<number | null>(null);
  useEffect(() => {
    if (from.current === null || shown <= from.current) return;
    const row = list.current?.querySelectorAll<HTMLElement>('[data-closed-order]')[from.current];
    from.current = null;
    const focused = document.activeElement;
    if (focused === document.body || list.current?.contains(focused)) row?.focus();
  }, [list, shown]);
  return () => {
    from.current = shown;
    fetchNextPage();
  };
}
