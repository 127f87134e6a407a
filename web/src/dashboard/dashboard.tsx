// The live desk: categories, figures, search and the table of open repair orders.
import { Tabs } from 'radix-ui';
import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { eventLogResetCount } from '../api/event-log-reset.ts';
import { usePermission } from '../auth/use-session.ts';
import { dialogTexts } from '../i18n/dialogs.ts';
import { loadTexts } from '../i18n/i18n.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { searchesClosed } from '../repair-order/closed-orders.ts';
import { useOpenDialog } from '../repair-order/open-dialog.ts';
import { useOrderPermissions } from '../repair-order/order-actions.ts';
import { followReceipts } from '../repair-order/receipts.ts';
import { deferred } from '../ui/deferred.tsx';
import { releaseKeys, releaseKeysOnArrival } from '../ui/key-hold.ts';
import { useNarrow } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { usePaintedValue } from '../ui/painted.ts';
import { hiddenOf } from './batch-dispatch.ts';
import { isTab, type TabCounts } from './categories.ts';
import { CategoryTabs, PANEL, tabId } from './category-tabs.tsx';
import { layoutText } from './column-layout.ts';
import { type DeskDetails, useDeskDetails, useDetailsProps } from './desk-details.ts';
import { DeskExtras } from './desk-extras.tsx';
import { DeskHead } from './desk-head.tsx';
import { DeskList } from './desk-list.tsx';
import { type DeskOrders, useDeskOrders } from './desk-orders.ts';
import { type DeskSearch, useDeskSearch } from './desk-search.ts';
import { useDeskSelection } from './desk-selection.ts';
import { type DeskView, listName, useDeskView } from './desk-view.ts';
import type { ListHandle } from './first-hit.ts';
import { type FrozenRowOrder, useFrozenRowOrder } from './frozen-row-order.ts';
import { PendingRowsPill } from './pending-rows-pill.tsx';
import { useRowInteraction } from './row-interaction.ts';
import { useDeskKeys } from './row-keyboard.ts';
import { SelectionBar } from './row-selection.tsx';
import { sortText } from './sorting.ts';
import { useDeskStages } from './stage-parts.tsx';

const noneSelected: ReadonlySet<number> = new Set();

const ClosedOrders = deferred(async () => {
  const [{ ClosedOrders: loaded }] = await Promise.all([
    import('./closed-orders.tsx'),
    loadTexts(dialogTexts),
  ]);
  return loaded;
});

export function Dashboard() {
  const { t, language } = useTranslation();
  usePageTitle(t('dashboard.title'));
  const narrow = useNarrow();
  const stages = useDeskStages();
  const may = useMay(stages.isUsed);
  useEffect(followReceipts, []);
  const view = useDeskView(stages.isUsed);
  useReleasedKeys(listName(view));
  const orders = useDeskOrders(view, language);
  const details = useDeskDetails();
  const { rows, waiting, showNow } = useRowsInPlace(view, orders, details);
  const selectable = view.tab === 'unassigned' && may.dispatch;
  const selected = useDeskSelection(selectable, orders.loaded ? orders.open : null);
  const hidden = useMemo(() => hiddenOf(selected ?? noneSelected, rows), [selected, rows]);
  const list = useRef<ListHandle>(null);
  const search = useDeskSearch(view, rows.length, orders.moreInAll !== null, list);
  useDeskKeys({ focusSearch: search.focus, showNow, rows, may });
  const openDetails = useDetailsProps(details, rows, orders.open.get(details.order ?? -1)?.order, may);
  const pill = waiting !== null && <PendingRowsPill waiting={waiting} showNow={showNow} />;

  return (
    <DeskFrame narrow={narrow} view={view} counts={orders.counts}>
      {/* Radix's panel would keep what it was given first, and with it all orders of that time. */}
      <div
        role="tabpanel"
        id={PANEL}
        aria-labelledby={tabId(view.tab)}
        tabIndex={-1}
        className="relative flex min-h-0 min-w-0 flex-1 flex-col gap-3 px-4 pt-3 pb-4 max-md:gap-2 max-md:px-3 max-md:pb-0"
      >
        <DeskHead narrow={narrow} hasStages={stages.isExpected} view={view} orders={orders} search={search} />
        <DeskList
          ref={list}
          narrow={narrow}
          hasStages={stages.isExpected}
          view={view}
          orders={orders}
          search={search}
          rows={rows}
          may={may}
          selected={selected}
          details={details.list}
          pill={pill}
        />
        <FoundClosed
          view={view}
          search={search}
          narrow={narrow}
          hasOpenRows={rows.length > 0}
          isCovered={selected !== null && selected.size > 0}
          details={details.list}
        />
        {selected !== null && selected.size > 0 && (
          <SelectionBar keys={[...selected]} hidden={hidden} showHidden={() => showEverything(view)} />
        )}
      </div>
      <DeskExtras view={view} orders={orders} details={openDetails} may={may} />
    </DeskFrame>
  );
}

/** The list that a key asked for is there: the keys act again. */
function useReleasedKeys(list: string): void {
  useEffect(() => {
    void list;
    // An order's details release them themselves.
    if (!new URLSearchParams(window.location.search).has('ro')) releaseKeysOnArrival();
  }, [list]);
  // What was on its way to another screen is not coming.
  useEffect(() => releaseKeys, []);
}

interface FoundClosedProps
  extends Omit<ComponentProps<typeof ClosedOrders>, 'searched' | 'takesFocus' | 'focusSearch'> {
  view: DeskView;
  search: DeskSearch;
}

/** The closed orders that the search finds. */
function FoundClosed({ view, search, ...closed }: FoundClosedProps) {
  // The open orders that were found are painted before the closed ones are asked for.
  const searched = usePaintedValue(view.searched);
  if (!searchesClosed(searched)) return null;
  return (
    <ClosedOrders
      {...closed}
      searched={searched}
      takesFocus={search.goesToClosed && searched === view.searched}
      focusSearch={search.focus}
    />
  );
}

interface DeskFrameProps {
  narrow: boolean;
  view: DeskView;
  counts: TabCounts;
  children: ReactNode;
}

/** The categories beside the list, or below it on a phone. */
function DeskFrame({ narrow, view, counts, children }: DeskFrameProps) {
  const { t } = useTranslation();
  return (
    <Tabs.Root
      value={view.tab}
      onValueChange={(value) => {
        if (isTab(value)) view.chooseTab(value);
      }}
      orientation={narrow ? 'horizontal' : 'vertical'}
      asChild
    >
      <main className="flex min-h-0 flex-1 max-md:flex-col">
        <h1 className="sr-only">{t('dashboard.title')}</h1>
        <CategoryTabs counts={counts} narrow={narrow} />
        {children}
      </main>
    </Tabs.Root>
  );
}

/** The same object while the permissions are the same. */
function useMay(usesStages: boolean) {
  const { status, priority, dispatch } = useOrderPermissions();
  const stage = usePermission('change-stages') && usesStages;
  return useMemo(() => ({ status, priority, dispatch, stage }), [status, priority, dispatch, stage]);
}

/** The listed orders, in place while the user is at one; another view of them shows at once. */
function useRowsInPlace(view: DeskView, { shown, open }: DeskOrders, details: DeskDetails): FrozenRowOrder {
  const isCovered = details.order !== null && !details.isBeside;
  const holding = useRowInteraction(useOpenDialog() !== null || isCovered);
  const arrangement = `${sortText(view.sort)} ${layoutText(view.layout)} ${eventLogResetCount()}`;
  return useFrozenRowOrder(shown, open, `${listName(view)} ${arrangement}`, holding);
}

/** Nothing is searched for or filtered. */
function showEverything({ searchFor, chooseDue, chooseStage }: DeskView): void {
  searchFor('');
  chooseStage(null);
  chooseDue(null);
}
