// The technician dashboard, on which a foreman plans the day: each technician's today and cars, and who is free. For users
// who may see all technicians.

import { useQuery } from '@tanstack/react-query';
import { CircleAlert, Lock, SearchX, UsersRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { ApiError } from '../api/http.ts';
import { usePermission, useUser } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { followReceipts } from '../repair-order/receipts.ts';
import { isOverToday } from '../repair-order/technician-load.ts';
import { Button } from '../ui/button.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { MessagePanel, Panel, StaleNotice } from '../ui/panel.tsx';
import { type FailedRequest, RequestReference } from '../ui/request-reference.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { AttentionList } from './attention-list.tsx';
import { filterAndSort, readView, type View, writeView } from './filter-and-sort.ts';
import { ProposedCorrections } from './proposed-corrections.tsx';
import { TechnicianRows } from './technician-rows.tsx';
import { Toolbar } from './toolbar.tsx';
import { useLiveWorkload, workload } from './workload.ts';

export function WorkloadScreen() {
  const { t } = useTranslation();
  usePageTitle(t('workload.title'));
  const { roles, technicianId } = useUser();
  const maySeeAll = usePermission('see-all-technicians');
  if (maySeeAll) return <AllTechnicians />;
  // A technician has a screen of their own.
  if (roles.includes('Technician') && technicianId !== null) {
    return <Navigate to={`/technicians/${technicianId}`} replace />;
  }
  return (
    <main className="min-h-0 flex-1 overflow-y-auto px-4 pt-4 max-md:px-3">
      <h1 className={`${title} mb-3`}>{t('workload.title')}</h1>
      <NotPermitted />
    </main>
  );
}

function AllTechnicians() {
  const { t } = useTranslation();
  useLiveWorkload();
  useEffect(followReceipts, []);
  const { data, error, refetch } = useQuery(workload);
  const [params, setParams] = useSearchParams();
  // The address is updated later; the input must not wait for it.
  const [search, type] = useState(() => readView(params).search);
  const view = { ...readView(params), search };
  const change = (part: Partial<View>) => {
    if (part.search !== undefined) type(part.search);
    setParams(writeView({ ...view, ...part }), { replace: true });
  };
  const again = { retryLabel: t('workload.retry'), retry: () => void refetch() };

  const reasonOf = (failure: Error) => {
    // A refused request or an error status: the call itself failed.
    if (failure instanceof ApiError && failure.status !== 0) return t('workload.failed');
    return errorMessage(failure, t) || t('workload.failedSomehow');
  };
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex min-h-full flex-col gap-2.5 px-4 pt-2.5 pb-6 max-md:px-3">
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div className="flex flex-wrap items-baseline gap-x-3">
            <h1 className={title}>{t('workload.title')}</h1>
            {data !== undefined && data.length > 0 && (
              <p className="text-13 text-quiet">
                {t('workload.count', { count: data.length })}
                {' · '}
                {t('workload.freeCount', { count: data.filter((one) => one.clock.state === 'idle').length })}
                {' · '}
                {t('workload.overCount', { count: data.filter(isOverToday).length })}
              </p>
            )}
          </div>
          {data !== undefined && data.length > 0 && <Toolbar all={data} view={view} change={change} />}
        </div>
        {data !== undefined && <AttentionList technicians={data} />}
        {data !== undefined && <ProposedCorrections all={data} />}
        {data !== undefined && error !== null && (
          <StaleNotice
            urgent
            text={t('workload.stale', { reason: reasonOf(error) })}
            request={failedRequest(error, t)}
            {...again}
          />
        )}
        {data !== undefined ? (
          <Rows view={view} clear={() => change({ search: '', filter: 'all' })} />
        ) : error !== null ? (
          <FailedWorkload reason={reasonOf(error)} request={failedRequest(error, t)} {...again} />
        ) : (
          <div className="grid flex-1 place-items-center">
            <Spinner label={t('workload.loading')} />
          </div>
        )}
      </div>
    </main>
  );
}

const title = 'text-20 font-semibold max-md:text-16';

function Rows({ view, clear }: { view: View; clear: () => void }) {
  const { t, language } = useTranslation();
  const { data: all = [] } = useQuery(workload);
  if (all.length === 0) return <NoTechnicians />;
  const shown = filterAndSort(all, view, language);
  const none = (
    <MessagePanel glyph={SearchX} text={t('workload.none')}>
      <Button onClick={clear}>{t('workload.showAll')}</Button>
    </MessagePanel>
  );
  return <TechnicianRows all={all} shown={shown} none={none} />;
}

/** `reason`: in the red of what went wrong. */
function FailedWorkload({
  reason,
  request,
  retryLabel,
  retry,
}: {
  reason: string;
  request: FailedRequest | null;
  retryLabel: string;
  retry: () => void;
}) {
  return (
    <Panel glyph={CircleAlert} ink="text-danger">
      <p role="alert" className="text-14 font-medium text-danger">
        {reason}
      </p>
      <RequestReference request={request} />
      <Button onClick={retry}>{retryLabel}</Button>
    </Panel>
  );
}

function NoTechnicians() {
  const { t } = useTranslation();
  return (
    <MessagePanel glyph={UsersRound} text={t('workload.empty')} hint={t('workload.emptyHint')}>
      <Link to="/technician-management" className="rounded-sm text-14 font-medium text-accent underline">
        {t('workload.toManagement')}
      </Link>
    </MessagePanel>
  );
}

function NotPermitted() {
  const { t } = useTranslation();
  return (
    <MessagePanel glyph={Lock} text={t('workload.notPermitted')} hint={t('workload.notPermittedHint')}>
      <Link to="/dashboard" className="rounded-sm text-14 font-medium text-accent underline">
        {t('workload.toDesk')}
      </Link>
    </MessagePanel>
  );
}
