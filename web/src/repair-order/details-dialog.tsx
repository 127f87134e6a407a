// 'Repair Order #n Details': the vehicle, the customer and each job with its concern, technicians and story.
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import { type Details, type DetailsJob, fetchDetails } from '../api/repair-orders.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { HeaderFact, HeaderFacts } from './header-facts.tsx';
import { History } from './history.tsx';
import { openOrders } from './live-orders.ts';
import type { RepairOrder } from './order.ts';
import { usePresenceAt } from './presence.ts';
import { PresenceLine } from './presence-indicator.tsx';
import { Receipts } from './receipt-indicator.tsx';

/** Assignments that come from the dealer management system; the dialog names only these technicians. */
export const EXTERNAL_ASSIGNMENT_SOURCE = 'DMS';

const NO_JOBS: readonly number[] = [];

/** The component that shows a job's story; another feature provides it. */
export type JobStoryPlace = ComponentType<{ details: Details; job: DetailsJob }>;

interface DetailsDialogProps {
  roNumber: number | null;
  Story: JobStoryPlace;
  close(): void;
}

export function DetailsDialog({ roNumber, Story, close }: DetailsDialogProps) {
  const { t } = useTranslation();
  const orders = useQuery(openOrders).data;
  const cached = orders?.open.get(roNumber ?? -1);
  const version = cached?.version ?? orders?.closed.get(roNumber ?? -1)?.version;
  usePresenceAt(roNumber === null ? NO_JOBS : [roNumber]);
  const { data, error, refetch, isFetching } = useQuery({
    // With the version in the key, a change of the order brings its details up to date while they are read.
    queryKey: ['repair-order', roNumber, version],
    queryFn: ({ signal }) => (roNumber === null ? null : fetchDetails(roNumber, signal)),
    enabled: roNumber !== null,
    placeholderData: (before) => (before?.repairOrderNumber === roNumber ? before : undefined),
    gcTime: 0,
  });

  useEffect(() => {
    if (error !== null)
      showToast({ tone: 'destructive', text: t('details.failed'), detail: errorMessage(error, t) });
  }, [error, t]);

  const number = data?.displayNumber ?? cached?.order.roNumber ?? String(roNumber ?? '');
  return (
    <Sheet
      open={roNumber !== null}
      close={close}
      title={t('details.title', { number })}
      closeLabel={t('details.close')}
    >
      {roNumber !== null && <PresenceLine roNumber={roNumber} />}
      {data ? (
        <>
          <DetailsBody details={data} order={cached?.order} Story={Story} />
          <History key={data.repairOrderNumber} roNumber={data.repairOrderNumber} version={version} />
        </>
      ) : error !== null ? (
        <div className="flex flex-col items-start gap-3 text-13">
          <p role="alert">
            {t('details.failed')}. <span className="text-quiet">{errorMessage(error, t)}</span>
          </p>
          <Button onClick={() => void refetch()} disabled={isFetching}>
            {t('details.retry')}
          </Button>
        </div>
      ) : (
        <DetailsSkeleton />
      )}
    </Sheet>
  );
}

interface DetailsBodyProps {
  details: Details;
  order: RepairOrder | undefined;
  Story: JobStoryPlace;
}

function DetailsBody({ details, order, Story }: DetailsBodyProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const jobs = details.jobs.toSorted((a, b) => a.jobNumber - b.jobNumber);
  return (
    <>
      {details.closedDateTime !== null && (
        <p className="mb-3 rounded-md bg-sunken px-3 py-2 text-13 font-medium">
          {t('details.closed', { time: clock.short(Date.parse(details.closedDateTime)) })}
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-13">
        <HeaderFacts details={details} />
        {order !== undefined && (
          <>
            <HeaderFact name={t('column.status')}>{t(`status.${order.status}`)}</HeaderFact>
            <HeaderFact name={t('column.priority')}>{t(`priority.${order.priority}`)}</HeaderFact>
            <HeaderFact name={t('conflict.field.technicians')}>
              {order.allRegularTechs || t('order.unassigned')}
              {order.hasEtlTech && <em> · {t('order.etl', { name: order.allEtlTechs })}</em>}
              <Receipts order={order} />
            </HeaderFact>
          </>
        )}
        <HeaderFact name={t('order.opened')}>{clock.full(Date.parse(details.createDateTime))}</HeaderFact>
        {details.promisedDateTime !== null && (
          <HeaderFact name={t('conflict.field.promised')}>
            {clock.full(Date.parse(details.promisedDateTime))}
          </HeaderFact>
        )}
      </dl>
      <h3 className="mt-6 mb-2 text-13 font-semibold">{t('details.jobs')}</h3>
      {jobs.length === 0 ? (
        <p className="text-13 text-quiet">{t('details.noJobs')}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {jobs.map((job, place) => (
            <JobCard key={[place, job.jobNumber].join()} details={details} job={job} Story={Story} />
          ))}
        </ol>
      )}
    </>
  );
}

function JobCard({ details, job, Story }: Omit<DetailsBodyProps, 'order'> & { job: DetailsJob }) {
  const { t } = useTranslation();
  const technicians = job.assignments
    .filter((assignment) => assignment.source === EXTERNAL_ASSIGNMENT_SOURCE)
    .map((assignment) => assignment.firstName);
  const operation = job.operations[0];
  const concern = job.concern.trim();
  return (
    <li className="rounded-lg border border-line p-3.5 text-13">
      <div className="flex items-baseline gap-2">
        <span className="text-quiet">{job.jobNumber}.</span>
        <span className="font-mono font-medium">
          {operation?.operationCode.trim() || t('details.noOpcode')}
        </span>
        <span className="min-w-0 truncate text-quiet" title={operation?.operationDesciption}>
          {operation?.operationDesciption}
        </span>
      </div>
      <p className="mt-1.5">{concern === '' ? t('details.noConcern') : t('details.concern', { concern })}</p>
      <dl className="mt-3">
        <dt className="text-12 font-medium text-quiet">{t('details.technicians')}</dt>
        <dd>{technicians.length === 0 ? t('details.noTechnicians') : technicians.join(', ')}</dd>
      </dl>
      <div className="mt-3 border-t border-line pt-3">
        <Story details={details} job={job} />
      </div>
    </li>
  );
}

function DetailsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('details.loading')}</span>
      <Skeleton className="w-56" />
      <Skeleton className="w-40" />
      <Skeleton className="w-48" />
      <Skeleton className="mt-4 h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
