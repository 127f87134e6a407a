// The states of the table when there is nothing to show or the list may be stale.
import { CloudOff, SearchX } from 'lucide-react';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { rowHeight } from './view-params.ts';

export function EmptyList() {
  const { t } = useTranslation();
  return (
    <div className={panel}>
      <SearchX aria-hidden className="size-7 text-quiet" strokeWidth={1.5} />
      <div role="status">
        <p className="text-14 font-medium">{t('dashboard.empty')}</p>
        <p className="mt-1 text-13 text-quiet">{t('dashboard.emptyHint')}</p>
      </div>
    </div>
  );
}

export function FailedList({
  reason,
  retrying,
  retry,
}: {
  reason: string;
  retrying: boolean;
  retry: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div className={panel}>
      <CloudOff aria-hidden className="size-7 text-danger" strokeWidth={1.5} />
      <div role="alert">
        <p className="text-14 font-medium">{t('dashboard.failed')}</p>
        <p className="mt-1 text-13 text-quiet">{reason}</p>
      </div>
      <Button onClick={retry} disabled={retrying}>
        {t('live.retry')}
      </Button>
    </div>
  );
}

/** The list is loaded, but the last reload failed. */
export function StaleBanner({
  reason,
  retrying,
  retry,
}: {
  reason: string;
  retrying: boolean;
  retry: () => void;
}) {
  const { t } = useTranslation();
  return (
    <div className="flex shrink-0 items-center gap-3 rounded-lg bg-danger-tint py-1.5 pr-1.5 pl-3 text-13 text-danger">
      <CloudOff aria-hidden className="size-4 shrink-0" />
      <p role="alert" className="flex-1">
        {t('live.listFailed', { reason })} {t('live.listFailedStale')}
      </p>
      <Button onClick={retry} disabled={retrying} className="h-8">
        {t('live.retry')}
      </Button>
    </div>
  );
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

const panel =
  'flex min-h-0 flex-1 flex-col items-center justify-center gap-4 rounded-lg border border-line bg-raised p-6 text-center';
