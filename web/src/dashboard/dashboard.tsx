// The live desk: categories, figures, search and the table of open repair orders.
import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef } from 'react';
import { eventLogResetCount } from '../api/event-log-reset.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useFreshness, useListFailure } from '../repair-order/freshness.ts';
import { openOrders } from '../repair-order/live-orders.ts';
import { useOpenDialog } from '../repair-order/open-dialog.ts';
import { useOrderPermissions } from '../repair-order/order-actions.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { followReceipts } from '../repair-order/receipts.ts';
import { useClock } from '../shop/clock.ts';
import { shop } from '../shop/shop.ts';
import { releaseKeys } from '../ui/key-hold.ts';
import { useNarrow } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { isTouchPointer } from '../ui/pointer-type.ts';
import { countTabs, isTab, ordersInTab } from './categories.ts';
import { CategoryTabs } from './category-tabs.tsx';
import { layoutText, shownColumns } from './column-layout.ts';
import { download, fileName, toCsv } from './csv.ts';
import { useDeskDetails, useDetailsProps } from './desk-details.ts';
import { DueFilterButtons } from './due-filter.tsx';
import { type ListHandle, useFirstHit } from './first-hit.ts';
import { useFoundOrders } from './found-orders.ts';
import { useFrozenRowOrder } from './frozen-row-order.ts';
import { ListHead } from './list-head.tsx';
import { EmptyList, FailedList, LoadingList, StaleBanner } from './load-states.tsx';
import { OpenDetailsContext } from './open-details.ts';
import { OrderCards } from './order-cards.tsx';
import { PendingRowsPill } from './pending-rows-pill.tsx';
import { PrintedList } from './printed-list.tsx';
import { useRowInteraction } from './row-interaction.ts';
import { useDeskKeys } from './row-keyboard.ts';
import { hiddenOf, SelectionBar } from './row-selection.tsx';
import { clearSelection, keepSelected, useSelection } from './selection.ts';
import { sortOrders, sortText } from './sorting.ts';
import { SummaryCards } from './summary-cards.tsx';
import { useFigures } from './summary-figures.ts';
import { OrdersTable } from './table.tsx';
import { NarrowTools, SearchBox, Tools } from './toolbar.tsx';
import { useDensity, useDueFilter, useLayout, useSearch, useSort, useTab } from './view-params.ts';

const noneSelected: ReadonlySet<number> = new Set();
const noOrders: ReadonlyMap<number, OpenOrder> = new Map();

const Dialogs = lazy(async () => ({ default: (await import('./dialogs.tsx')).Dialogs }));

export function Dashboard() {
  const { t, language } = useTranslation();
  usePageTitle(t('dashboard.title'));
  const [tab, chooseTab] = useTab();
  const { typed, type, searched, searchFor } = useSearch();
  const [due, chooseDue] = useDueFilter();
  const [sort, chooseSort] = useSort();
  const [layout, chooseLayout] = useLayout();
  const [density, chooseDensity] = useDensity();
  const details = useDeskDetails();
  const narrow = useNarrow();
  const { status, priority, dispatch } = useOrderPermissions();
  const may = useMemo(() => ({ status, priority, dispatch }), [status, priority, dispatch]);
  const { data: cache, isFetching, refetch } = useQuery(openOrders);
  const failure = useListFailure();
  const trust = useFreshness().kind;
  const figures = useFigures();
  const { now } = useClock();
  useEffect(followReceipts, []);
  // What was on its way to another screen is not coming.
  useEffect(() => releaseKeys, []);

  const loaded = cache !== undefined && cache.listSeq >= 0;
  const open = cache?.open ?? noOrders;
  const all = useMemo(() => [...open.values()].map(({ order }) => order), [open]);
  const counts = useMemo(() => countTabs(all), [all]);
  const sorted = useMemo(
    () => sortOrders(ordersInTab(all, tab), tab, sort, language),
    [all, tab, sort, language],
  );
  const { found, due: dueCounts, inAll } = useFoundOrders(all, sorted, { tab, searched, due, now });
  const shown = useMemo(() => found.flatMap(({ key }) => open.get(key) ?? []), [found, open]);

  // Another list starts at its top; a new sort order or other columns of the same list show at once.
  const list = `${tab} ${due} ${searched}`;
  const isCovered = details.order !== null && !details.isBeside;
  const holding = useRowInteraction(useOpenDialog() !== null || isCovered);
  const view = `${list} ${sortText(sort)} ${layoutText(layout)} ${eventLogResetCount()}`;
  const frozen = useFrozenRowOrder(shown, open, view, holding);

  const selectable = tab === 'unassigned' && may.dispatch;
  const selected = useSelectionOf(selectable, loaded ? open : null);
  const hidden = useMemo(() => hiddenOf(selected ?? noneSelected, frozen.rows), [selected, frozen.rows]);
  const showHidden = () => {
    searchFor('');
    chooseDue(null);
  };
  const search = useRef<HTMLInputElement>(null);
  /** Where a button that was pressed is gone; a touch screen would open its keyboard. */
  const focusSearch = () => {
    if (!isTouchPointer()) search.current?.focus();
  };
  const clearSearch = () => {
    searchFor('');
    focusSearch();
  };
  const rows = useRef<ListHandle>(null);
  const isMoreInAll = inAll !== null && inAll > found.length;
  const showAll = () => {
    chooseTab('all');
    focusSearch();
  };
  const goToFirst = useFirstHit({
    isSearched: typed === searched,
    searchNow: () => searchFor(typed),
    rowCount: frozen.rows.length,
    list: rows,
    showAll: isMoreInAll ? showAll : null,
  });
  useDeskKeys({
    focusSearch: useCallback(() => search.current?.focus(), []),
    showNow: frozen.showNow,
    may,
  });
  const openDetails = useDetailsProps(details, frozen.rows, open.get(details.order ?? -1)?.order, may);

  const reason = failure === null ? null : errorMessage(failure, t);
  const retry = () => void refetch();
  const exportList = () =>
    download(fileName(tab, Date.now(), shop.timeZone), toCsv(found, shownColumns(layout), t, shop.timeZone));
  const pill = frozen.waiting !== null && (
    <PendingRowsPill waiting={frozen.waiting} showNow={frozen.showNow} />
  );

  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => {
        if (isTab(value)) chooseTab(value);
      }}
      orientation={narrow ? 'horizontal' : 'vertical'}
      asChild
    >
      <main className="flex min-h-0 flex-1 max-md:flex-col">
        <h1 className="sr-only">{t('dashboard.title')}</h1>
        <CategoryTabs counts={counts} narrow={narrow} />
        <Tabs.Content
          value={tab}
          tabIndex={-1}
          className="relative flex min-h-0 min-w-0 flex-1 flex-col gap-3 px-4 pt-3 pb-4 max-md:gap-2 max-md:px-3 max-md:pb-0"
        >
          <ListHead
            narrow={narrow}
            figures={
              <SummaryCards
                tab={tab}
                shown={loaded ? shown.length : null}
                waiting={loaded ? counts.waiting : null}
                figures={figures}
              />
            }
            dueFilter={<DueFilterButtons counts={dueCounts} chosen={due} choose={chooseDue} />}
            search={
              <SearchBox
                typed={typed}
                type={type}
                clear={clearSearch}
                goToFirst={goToFirst}
                input={search}
                hits={isMoreInAll ? { here: found.length, all: inAll, showAll } : null}
              />
            }
            pill={pill}
            tools={
              narrow ? (
                <NarrowTools exportList={exportList} />
              ) : (
                <Tools
                  layout={layout}
                  chooseLayout={chooseLayout}
                  density={density}
                  chooseDensity={chooseDensity}
                  exportList={exportList}
                />
              )
            }
          />
          {loaded && reason !== null && <StaleBanner reason={reason} retrying={isFetching} retry={retry} />}
          {!loaded && reason !== null ? (
            <FailedList reason={reason} retrying={isFetching} retry={retry} />
          ) : !loaded ? (
            <LoadingList />
          ) : frozen.rows.length === 0 ? (
            <EmptyList
              inAll={inAll}
              showAll={isMoreInAll ? goToFirst : null}
              due={due}
              clearDue={() => chooseDue(null)}
              clearSearch={searched === '' ? null : clearSearch}
            />
          ) : (
            <ListArea
              dimmed={trust === 'stale' || trust === 'not-read' || trust === 'disconnected'}
              openDetails={details.list.open}
            >
              {narrow ? (
                <>
                  <OrderCards ref={rows} key={list} rows={frozen.rows} may={may} selected={selected} />
                  {pill && <div className="absolute inset-x-0 top-2 z-20 mx-auto w-fit">{pill}</div>}
                </>
              ) : (
                <OrdersTable
                  ref={rows}
                  key={tab}
                  list={list}
                  rows={frozen.rows}
                  may={may}
                  density={density}
                  layout={layout}
                  sort={sort}
                  chooseSort={chooseSort}
                  selected={selected}
                  details={details.list}
                />
              )}
            </ListArea>
          )}
          {selected !== null && selected.size > 0 && (
            <SelectionBar keys={[...selected]} hidden={hidden} showHidden={showHidden} />
          )}
        </Tabs.Content>
        <PrintedList orders={found} columns={shownColumns(layout)} tab={tab} searched={searched} due={due} />
        <Suspense>
          <Dialogs details={openDetails} may={may} dispatched={clearSelection} />
        </Suspense>
      </main>
    </Tabs.Root>
  );
}

/** Dimmed while the list may be out of date. It stays usable and readable: only its background is dimmed. */
function ListArea({
  dimmed,
  openDetails,
  children,
}: {
  dimmed: boolean;
  openDetails(key: number): void;
  children: React.ReactNode;
}) {
  return (
    <div
      data-stale={dimmed || undefined}
      className="relative flex min-h-0 flex-1 flex-col transition-[filter] duration-150 data-stale:grayscale data-stale:[--raised:var(--sunken)]"
    >
      <OpenDetailsContext value={openDetails}>{children}</OpenDetailsContext>
    </div>
  );
}

/**
 * The ticked orders that are still unassigned; null where none can be ticked. Leaving the tab unticks them. `open`
 * null: the list is loading.
 */
function useSelectionOf(
  selectable: boolean,
  open: ReadonlyMap<number, OpenOrder> | null,
): ReadonlySet<number> | null {
  const ticked = useSelection();
  const selected = useMemo(() => {
    if (open === null) return ticked;
    const isStillThere = (key: number) => open.get(key)?.order.technician === '';
    return [...ticked].every(isStillThere) ? ticked : new Set([...ticked].filter(isStillThere));
  }, [ticked, open]);

  useEffect(() => {
    keepSelected((key) => selected.has(key));
  }, [selected]);
  useEffect(() => (selectable ? clearSelection : undefined), [selectable]);
  return selectable ? selected : null;
}
