// The states of the table when there is nothing to show or the list may be stale.
import { Inbox, SearchX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailedPanel, MessagePanel, StaleNotice } from '../ui/panel.tsx';
import type { FailedRequest } from '../ui/request-reference.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { ColumnId } from './column-layout.ts';
import { columnWidths } from './columns.tsx';
import type { DueFilter } from './due-filters.ts';
import type { Density } from './remembered-choices.ts';
import { headerHeight } from './table-header.tsx';
import { rowHeight, touchRowHeight, useNarrowTable, useTouchPointer } from './view-params.ts';

/** They take the place of the table. */
const PANEL_SIZE = 'min-h-0 flex-1';

interface EmptyListProps {
  /** How many the tab All would list; null: no more than here. */
  inAll: number | null;
  showAll: (() => void) | null;
  due: DueFilter | null;
  clearDue(): void;
  /** Null: orders of all stages are listed. */
  clearStage?: (() => void) | null;
  /** Null: nothing is searched for. */
  clearSearch: (() => void) | null;
}

export function EmptyList({ inAll, showAll, due, clearDue, clearStage = null, clearSearch }: EmptyListProps) {
  const { t } = useTranslation();
  return (
    <MessagePanel
      glyph={SearchX}
      text={t('dashboard.empty')}
      hint={t('dashboard.emptyHint')}
      className={PANEL_SIZE}
    >
      <div className="flex flex-wrap justify-center gap-2">
        {showAll && (
          <Button variant="primary" onClick={showAll}>
            {t('dashboard.showHitsInAll', { count: inAll ?? 0 })}
          </Button>
        )}
        {due !== null && (
          <Button onClick={clearDue}>{t('dashboard.clearDue', { name: t(`due.${due}`) })}</Button>
        )}
        {clearStage && <Button onClick={clearStage}>{t('stages.filter.clear')}</Button>}
        {clearSearch && <Button onClick={clearSearch}>{t('dashboard.clearSearch')}</Button>}
      </div>
    </MessagePanel>
  );
}

/** A shop that has taken in no order yet, or has closed all. */
export function NoOrders() {
  const { t } = useTranslation();
  return (
    <MessagePanel
      glyph={Inbox}
      text={t('dashboard.noOrders')}
      hint={t('dashboard.noOrdersHint')}
      className={PANEL_SIZE}
    >
      <ul className="flex max-w-md list-disc flex-col gap-1.5 pl-5 text-left text-13 text-quiet">
        <li>{t('dashboard.orderWays.folder')}</li>
        <li>{t('dashboard.orderWays.file')}</li>
        <li>{t('dashboard.orderWays.program')}</li>
      </ul>
    </MessagePanel>
  );
}

interface FailedProps {
  reason: string;
  request: FailedRequest | null;
  retrying: boolean;
  retry(): void;
}

export function FailedList(failed: FailedProps) {
  const { t } = useTranslation();
  return (
    <FailedPanel
      text={t('dashboard.failed')}
      retryLabel={t('live.retry')}
      className={PANEL_SIZE}
      {...failed}
    />
  );
}

/** The list is loaded, but the last reload failed. */
export function StaleBanner({ reason, ...again }: FailedProps) {
  const { t } = useTranslation();
  const text = `${t('live.listFailed', { reason })} ${t('live.listFailedStale')}`;
  return <StaleNotice urgent text={text} retryLabel={t('live.retry')} {...again} />;
}

interface LoadingListProps {
  narrow: boolean;
  /** Those of the table, in their order. */
  columns: readonly ColumnId[];
  density: Density;
}

/** The list before its orders: its frame and its columns are there already. */
export function LoadingList({ narrow, columns, density }: LoadingListProps) {
  const { t } = useTranslation();
  return (
    <div
      className={`relative min-h-0 flex-1 overflow-hidden ${narrow ? '' : 'rounded-lg border border-line bg-raised'}`}
    >
      <p role="status" className="appear-late absolute inset-x-0 top-1/3 z-10 text-center text-13 text-quiet">
        {t('dashboard.loading')}
      </p>
      {narrow ? <LoadingCards /> : <LoadingTable columns={columns} density={density} />}
    </div>
  );
}

const ROWS = Array.from({ length: 16 }, (_, row) => row);
const TEXT_WIDTHS: Record<ColumnId, string> = {
  details: 'w-24',
  vehicle: 'w-40',
  status: 'w-20',
  priority: 'w-14',
  stage: 'w-24',
  assignment: 'w-28',
  jobs: 'w-16',
  timeline: 'w-32',
};

function LoadingTable({ columns, density }: Omit<LoadingListProps, 'narrow'>) {
  const { t } = useTranslation();
  const tight = useNarrowTable(false);
  const touch = useTouchPointer();
  const widths = columnWidths({ tight, stages: columns.includes('stage'), beside: false });
  const gridTemplateColumns = columns.map((id) => `${widths[id]}fr`).join(' ');
  const line = `grid items-center border-b border-line *:truncate ${tight ? '*:mx-2' : '*:mx-3'}`;
  return (
    <>
      <div
        style={{ gridTemplateColumns, height: headerHeight(touch) }}
        className={`${line} text-12 font-medium text-quiet`}
      >
        {columns.map((id) => (
          <span key={id}>{t(`column.${id}`)}</span>
        ))}
      </div>
      {ROWS.map((row) => (
        <div
          key={row}
          style={{ gridTemplateColumns, height: (touch ? touchRowHeight : rowHeight)[density] }}
          className={line}
        >
          {columns.map((id) => (
            <Skeleton key={id} className={`max-w-[calc(100%-1.5rem)] ${TEXT_WIDTHS[id]}`} />
          ))}
        </div>
      ))}
    </>
  );
}

function LoadingCards() {
  return (
    <div className="flex flex-col gap-2">
      {ROWS.map((row) => (
        <div key={row} className="flex h-31 flex-col gap-3 rounded-lg border border-line bg-raised px-3 py-3">
          <Skeleton className="w-40" />
          <Skeleton className="w-56" />
          <Skeleton className="mt-auto h-9 w-48" />
        </div>
      ))}
    </div>
  );
}
