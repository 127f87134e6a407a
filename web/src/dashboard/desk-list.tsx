// The list of the desk: the table, the cards of a phone, or what stands in their place.
import { type ReactNode, type Ref, useCallback } from 'react';
import { failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useFreshness } from '../repair-order/freshness.ts';
import { OpenDetailsContext } from '../repair-order/open-details-context.ts';
import type { OrderPermissions } from '../repair-order/order-actions.ts';
import { shownColumns, withStages } from './column-layout.ts';
import type { ListDetails } from './desk-details.ts';
import type { DeskOrders } from './desk-orders.ts';
import type { DeskSearch } from './desk-search.ts';
import { type DeskView, listName } from './desk-view.ts';
import type { ListHandle } from './first-hit.ts';
import type { FrozenRow } from './frozen-row-order.ts';
import { EmptyList, FailedList, LoadingList, NoOrders, StaleBanner } from './load-states.tsx';
import { OrderCards } from './order-cards.tsx';
import { DUE_HOLDS } from './stage-filters.ts';
import { DeskStageBoard } from './stage-parts.tsx';
import { OrdersTable } from './table.tsx';

/** px; what lies over the foot of the list can be scrolled away from the last order. */
const SELECTION_BAR = 68;
const PILL = 56;

interface DeskListProps {
  narrow: boolean;
  /** The shop uses stages, or will turn out to in a moment. */
  hasStages: boolean;
  view: DeskView;
  orders: DeskOrders;
  search: DeskSearch;
  /** The orders as they stand on screen. */
  rows: readonly FrozenRow[];
  may: OrderPermissions;
  selected: ReadonlySet<number> | null;
  details: ListDetails;
  /** How many rows wait. */
  pill: ReactNode;
  ref: Ref<ListHandle>;
}

export function DeskList(props: DeskListProps) {
  const { view, orders, search, rows } = props;
  const { t } = useTranslation();
  const { chooseDue } = view;
  const isSelecting = props.selected !== null && props.selected.size > 0;
  const clearDue = useCallback(() => chooseDue(null), [chooseDue]);
  const failed =
    orders.failure === null
      ? null
      : { ...failureReason(orders.failure, t), retrying: orders.isFetching, retry: orders.retry };
  const isEmptyDesk =
    orders.open.size === 0 && view.searched === '' && view.due === null && view.stage === null;
  if (!orders.loaded) {
    if (failed !== null) return <FailedList {...failed} />;
    const columns = shownColumns(withStages(view.layout, props.hasStages));
    return <LoadingList narrow={props.narrow} columns={columns} density={view.density} />;
  }
  return (
    <>
      {failed !== null && <StaleBanner {...failed} />}
      {rows.length === 0 && isEmptyDesk ? (
        <NoOrders />
      ) : rows.length === 0 ? (
        <EmptyList
          clearStage={view.stage === null ? null : () => view.chooseStage(null)}
          inAll={orders.moreInAll}
          showAll={orders.moreInAll === null ? null : search.goToFirst}
          due={view.due}
          clearDue={clearDue}
          clearSearch={view.searched === '' ? null : search.clear}
        />
      ) : (
        <ListArea openDetails={props.details.open}>
          <Rows {...props} foot={(isSelecting ? SELECTION_BAR : 0) + (props.pill ? PILL : 0)} />
          {/* Over the foot of the list: nothing moves when it comes, and the names of the columns stay in sight. */}
          {props.pill && (
            <div
              className={`absolute right-5 z-30 w-fit max-w-[calc(100%-1rem)] max-md:inset-x-2 max-md:mx-auto ${isSelecting ? 'bottom-17' : 'bottom-3 max-md:bottom-2'}`}
            >
              {props.pill}
            </div>
          )}
        </ListArea>
      )}
    </>
  );
}

interface RowsProps extends DeskListProps {
  /** px left free below the last order. */
  foot: number;
}

function Rows({ narrow, view, orders, rows, may, selected, details, foot, ref }: RowsProps) {
  const list = listName(view);
  if (view.presentation === 'stages') {
    const { open } = orders;
    // Holds that are due are cars of any stage.
    const only = view.stage === DUE_HOLDS ? null : view.stage;
    const columns = { list, rows, open, only, narrow, may, details, foot };
    return <DeskStageBoard ref={ref} {...columns} />;
  }
  if (narrow)
    return <OrderCards ref={ref} key={list} rows={rows} may={may} selected={selected} foot={foot} />;
  return (
    <OrdersTable
      ref={ref}
      key={view.tab}
      list={list}
      rows={rows}
      may={may}
      density={view.density}
      layout={view.layout}
      sort={view.sort}
      chooseSort={view.chooseSort}
      selected={selected}
      details={details}
      foot={foot}
    />
  );
}

/** Dimmed while the list may be out of date. It stays usable and readable: only its background is dimmed. */
function ListArea({ openDetails, children }: { openDetails(key: number): void; children: ReactNode }) {
  const trust = useFreshness().kind;
  const dimmed = trust === 'stale' || trust === 'not-read' || trust === 'disconnected';
  return (
    <div
      data-stale={dimmed || undefined}
      className="relative flex min-h-0 flex-1 flex-col transition-[filter] duration-150 data-stale:grayscale data-stale:[--raised:var(--sunken)]"
    >
      <OpenDetailsContext value={openDetails}>{children}</OpenDetailsContext>
    </div>
  );
}
