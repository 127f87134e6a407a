// The audit trail: who got in and who was refused, and what was changed about who may. For owners.
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download, RotateCw, ScrollText, SearchX } from 'lucide-react';
import { useCallback } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { fetchAuditFile } from '../api/audit.ts';
import { usePermission } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest, failureDetail, failureReason } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { wallDay } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { LoadingRows, LoadState } from '../ui/load-state.tsx';
import { useNarrow } from '../ui/media.ts';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel, StaleNotice } from '../ui/panel.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { auditPages, type Filters, noFilters, readFilters, toAuditQuery, writeFilters } from './audit.ts';
import { EventCards, EventTable } from './event-list.tsx';
import { FilterBar } from './filters.tsx';

export function AuditScreen() {
  return usePermission('read-audit-trail') ? <Audit /> : <Navigate to="/dashboard" replace />;
}

const useAuditPages = (filters: Filters) => useInfiniteQuery(auditPages(filters));
type AuditPages = ReturnType<typeof useAuditPages>;

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
  const pages = useAuditPages(filters);
  const events = pages.data?.pages.flatMap((page) => page.events);
  // A refetch under way is shown by its button.
  const isFailed = events === undefined ? pages.error !== null : pages.isRefetchError && !pages.isFetching;
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
        <LoadState
          isLoaded={events !== undefined}
          {...failureReason(isFailed ? pages.error : null, t)}
          failed={t('audit.failed.load')}
          stale={(reason) => t('audit.stale', { reason })}
          retryLabel={t('audit.retry')}
          retry={() => void pages.refetch()}
          loading={<LoadingEvents />}
        >
          {events?.length === 0 ? (
            <NoEvents clear={isNarrowed ? () => change(noFilters) : null} />
          ) : (
            <>
              <Events events={events ?? []} />
              <EarlierEvents pages={pages} />
            </>
          )}
        </LoadState>
      </div>
    </main>
  );
}

/** The way to what was before the loaded events. */
function EarlierEvents({ pages }: { pages: AuditPages }) {
  const { t } = useTranslation();
  if (pages.isFetchNextPageError && !pages.isFetching)
    return (
      <StaleNotice
        text={t('audit.failed.earlier', { reason: errorMessage(pages.error, t) })}
        request={failedRequest(pages.error, t)}
        retryLabel={t('audit.retry')}
        retry={() => void pages.fetchNextPage()}
      />
    );
  if (!pages.hasNextPage) return null;
  return (
    <Button onClick={() => void pages.fetchNextPage()} disabled={pages.isFetching} className="self-center">
      {t('audit.earlier')}
    </Button>
  );
}

/** `clear`: null when nothing narrows the list. */
function NoEvents({ clear }: { clear: (() => void) | null }) {
  const { t } = useTranslation();
  if (clear === null) return <MessagePanel glyph={ScrollText} text={t('audit.empty')} />;
  return (
    <MessagePanel glyph={SearchX} text={t('audit.nothingFound')}>
      <Button onClick={clear}>{t('audit.filter.clear')}</Button>
    </MessagePanel>
  );
}

function LoadingEvents() {
  const { t } = useTranslation();
  return (
    <LoadingRows
      label={t('audit.loading')}
      widths={['w-40', 'w-56', 'w-44', 'w-52', 'w-36', 'w-48', 'w-60', 'w-32']}
      // The table's columns.
      rowClassName="h-[34px] grid-cols-[10rem_27%_18%_1fr_11rem] max-md:h-24 max-md:grid-cols-1"
    >
      {(width) => (
        <>
          <Skeleton className="mx-4 w-28" />
          <Skeleton className={`mx-2 max-md:mx-4 ${width}`} />
          <Skeleton className="mx-2 w-32 max-md:hidden" />
          <Skeleton className="mx-2 w-40 max-md:hidden" />
          <Skeleton className="mx-2 w-20 max-md:hidden" />
        </>
      )}
    </LoadingRows>
  );
}

/** What is in sight and all that is behind it, as a file. */
function FileButton({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const { isPending, mutate } = useMutation({
    mutationFn: () => fetchAuditFile(toAuditQuery(filters)),
    onSuccess: (file) => saveFile(`audit-${wallDay(Date.now())}.csv`, file),
    onError: (failure) =>
      showToast({ tone: 'destructive', text: t('audit.failed.file'), ...failureDetail(failure, t) }),
  });
  return (
    <Button onClick={() => mutate()} disabled={isPending}>
      <Download aria-hidden className="size-4" />
      {t('audit.file')}
    </Button>
  );
}
