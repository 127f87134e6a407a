// The states of the table when there is nothing to show or the list may be stale.
import { Inbox, SearchX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { FailedPanel, MessagePanel, StaleNotice } from '../ui/panel.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { DueFilter } from './due-filters.ts';
import { rowHeight } from './view-params.ts';

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

const ROWS = Array.from({ length: 16 }, (_, row) => row);
const CELLS = {
  details: 'w-24',
  vehicle: 'w-40',
  status: 'w-20',
  priority: 'w-16',
  assignment: 'w-36 max-md:hidden',
  jobs: 'w-32 max-md:hidden',
  timeline: 'w-24 max-md:hidden',
};

export function LoadingList() {
  const { t } = useTranslation();
  return (
    <div className="relative min-h-0 flex-1 overflow-hidden rounded-lg border border-line bg-raised">
      <p role="status" className="appear-late absolute inset-x-0 top-1/3 z-10 text-center text-13 text-quiet">
        {t('dashboard.loading')}
      </p>
      {ROWS.map((row) => (
        <div
          key={row}
          style={{ height: rowHeight.comfortable }}
          className="flex items-center justify-between gap-6 border-b border-line px-3"
        >
          {Object.entries(CELLS).map(([column, width]) => (
            <Skeleton key={column} className={width} />
          ))}
        </div>
      ))}
    </div>
  );
}
