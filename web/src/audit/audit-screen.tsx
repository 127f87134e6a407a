// The audit trail: who got in and who was refused, and what was changed about who may. For owners.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download, RotateCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { fetchAuditFile } from '../api/audit.ts';
import { usePermission } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { wallDay } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { useNarrow } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { saveFile } from '../ui/save-file.ts';
import { showToast } from '../ui/toaster.ts';
import { auditPages, type Filters, noFilters, readFilters, toAuditQuery, writeFilters } from './audit.ts';
import { EventCards, EventTable } from './event-list.tsx';
import { FilterBar } from './filters.tsx';
import { EmptyList, FailedEarlier, FailedList, LoadingList, StaleList } from './load-states.tsx';

export function AuditScreen() {
  return usePermission('read-audit-trail') ? <Audit /> : <Navigate to="/dashboard" replace />;
}

function Audit() {
  const { t } = useTranslation();
  usePageTitle(t('audit.title'));
  const narrow = useNarrow();
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const change = useCallback(
    (some: Partial<Filters>) =>
      setParams((before) => writeFilters({ ...readFilters(before), ...some }), { replace: true }),
    [setParams],
  );
  const pages = useInfiniteQuery(auditPages(filters));
  const events = pages.data?.pages.flatMap((page) => page.events);
  const isNarrowed = Object.keys(writeFilters(filters)).length > 0;
  const Events = narrow ? EventCards : EventTable;
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[1240px] flex-col gap-3 px-4 pt-4 pb-8 max-md:px-3 max-md:pt-3">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
            <h1 className="text-20 font-semibold max-md:text-16">{t('audit.title')}</h1>
            <p className="text-13 text-quiet">{t('audit.hint')}</p>
          </div>
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => void pages.refetch()} disabled={pages.isFetching}>
              <RotateCw aria-hidden className="size-4" />
              {t('audit.reload')}
            </Button>
            <FileButton filters={filters} />
          </div>
        </div>
        <FilterBar filters={filters} change={change} />
        {pages.isRefetchError && !pages.isFetching && (
          <StaleList reason={errorMessage(pages.error, t)} retry={() => void pages.refetch()} />
        )}
        {events === undefined && pages.error !== null ? (
          <FailedList reason={errorMessage(pages.error, t)} retry={() => void pages.refetch()} />
        ) : events === undefined ? (
          <LoadingList />
        ) : events.length === 0 ? (
          <EmptyList clear={isNarrowed ? () => change(noFilters) : null} />
        ) : (
          <>
            <Events events={events} />
            {pages.isFetchNextPageError && !pages.isFetching ? (
              <FailedEarlier reason={errorMessage(pages.error, t)} retry={() => void pages.fetchNextPage()} />
            ) : (
              pages.hasNextPage && (
                <Button
                  onClick={() => void pages.fetchNextPage()}
                  disabled={pages.isFetching}
                  className="self-center"
                >
                  {t('audit.earlier')}
                </Button>
              )
            )}
          </>
        )}
      </div>
    </main>
  );
}

/** What is in sight and all that is behind it, as a file. */
function FileButton({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    try {
      saveFile(`audit-${wallDay(Date.now())}.csv`, await fetchAuditFile(toAuditQuery(filters)));
    } catch (failure) {
      showToast({ tone: 'destructive', text: t('audit.failed.file'), detail: errorMessage(failure, t) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button onClick={() => void take()} disabled={busy}>
      <Download aria-hidden className="size-4" />
      {t('audit.file')}
    </Button>
  );
}
