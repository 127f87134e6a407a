// What is known of an order: its header, its jobs and its history. The header is there at once, from the open orders.
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { type Details, fetchDetails } from '../api/repair-orders.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest, failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';
import { Button } from '../ui/button.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toaster.ts';
import { DetailsJobs, type JobStoryPlace } from './details-jobs.tsx';
import { DueLabel } from './due-label.tsx';
import { dueAt } from './due-time.ts';
import { type Header, HeaderFact, HeaderFacts } from './header-facts.tsx';
import { History } from './history.tsx';
import type { RepairOrder } from './order.ts';
import type { OrderPermissions } from './order-actions.ts';
import { Receipts } from './receipt-indicator.tsx';
import { StageStrip } from './stage-strip.tsx';

/** What changes an order in its details; another feature provides them. */
export interface DetailsControls {
  Status: ComponentType<ControlProps>;
  Priority: ComponentType<ControlProps>;
  Assignment: ComponentType<ControlProps>;
  /** Facts of a shop that uses stages: where the order stands, and what it waits for. */
  Stages?: ComponentType<ControlProps>;
}

interface ControlProps {
  order: RepairOrder;
  may: OrderPermissions;
}

export function detailsQuery(roNumber: number, version: number | undefined) {
  return queryOptions<Details>({
    // With the version in the key, a change of the order brings its details up to date while they are read.
    queryKey: ['repair-order', roNumber, version],
    queryFn: ({ signal }) => fetchDetails(roNumber, signal),
    placeholderData: (before) => (before?.repairOrderNumber === roNumber ? before : undefined),
    gcTime: 0,
  });
}

export interface DetailsContentProps {
  roNumber: number;
  /** Of the newest state; undefined: the order is unknown here. */
  version: number | undefined;
  /** Undefined: the order is closed, or not loaded yet. */
  order: RepairOrder | undefined;
  may: OrderPermissions;
  controls: DetailsControls;
  Story: JobStoryPlace;
}

export function DetailsContent({ roNumber, version, order, may, controls, Story }: DetailsContentProps) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useQuery(detailsQuery(roNumber, version));
  const details = useLastKnown(data);
  useEffect(() => {
    if (error !== null)
      showToast({ tone: 'destructive', text: t('details.failed'), ...failureDetail(error, t) });
  }, [error, t]);

  const failed = error !== null && (
    <DetailsFailed failure={error} retry={() => void refetch()} isRetrying={isFetching} />
  );
  return (
    <>
      <ClosedNotice details={details} />
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-5 gap-y-1.5 text-13">
        <Facts details={details} order={order} may={may} controls={controls} />
      </dl>
      {failed}
      {details === undefined ? (
        !failed && <JobsSkeleton />
      ) : (
        <>
          {details.stage !== undefined && <StageStrip roNumber={roNumber} version={details.version} />}
          <DetailsJobs details={details} Story={Story} />
          <History
            roNumber={roNumber}
            version={version}
            outcome={{
              customerStatus: details.customerStatus,
              technicians: order?.technicians.map(({ name }) => name) ?? null,
            }}
          />
        </>
      )}
    </>
  );
}

/** Where the newest details cannot be had the ones before stay: somebody may be writing in them. */
function useLastKnown(details: Details | undefined): Details | undefined {
  const [last, setLast] = useState(details);
  if (details !== undefined && details !== last) setLast(details);
  return details ?? last;
}

interface DetailsFailedProps {
  failure: Error;
  retry(): void;
  isRetrying: boolean;
}

function DetailsFailed({ failure, retry, isRetrying }: DetailsFailedProps) {
  const { t } = useTranslation();
  return (
    <div className="mt-6 flex flex-col items-start gap-3 text-13">
      <p role="alert">
        {t('details.failed')}. <span className="text-quiet">{errorMessage(failure, t)}</span>
      </p>
      <RequestReference request={failedRequest(failure, t)} />
      <Button onClick={retry} disabled={isRetrying}>
        {t('details.retry')}
      </Button>
    </div>
  );
}

function ClosedNotice({ details }: { details: Details | undefined }) {
  const { t } = useTranslation();
  const clock = useClock();
  if (details === undefined || details.closedDateTime === null) return null;
  return (
    <p className="mb-3 rounded-md bg-sunken px-3 py-2 text-13 font-medium">
      {t('details.closed', { time: clock.short(Date.parse(details.closedDateTime)) })}
    </p>
  );
}

type FactsProps = Pick<DetailsContentProps, 'order' | 'may' | 'controls'> & { details: Details | undefined };

function Facts({ details, order, may, controls: { Status, Priority, Assignment, Stages } }: FactsProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const header = details ?? (order && headerOf(order));
  const opened = details === undefined ? order?.openTime : Date.parse(details.createDateTime);
  const promised = details === undefined ? order?.promised : timeOf(details.promisedDateTime);
  return (
    <>
      {order !== undefined && <DueFact order={order} />}
      {header !== undefined && <HeaderFacts details={header} />}
      {order !== undefined && (
        <>
          <HeaderFact name={t('column.status')}>
            <Status order={order} may={may} />
          </HeaderFact>
          <HeaderFact name={t('column.priority')}>
            <Priority order={order} may={may} />
          </HeaderFact>
          {Stages !== undefined && order.stage !== null && <Stages order={order} may={may} />}
          <HeaderFact name={t('conflict.field.technicians')}>
            {order.allRegularTechs || t('order.unassigned')}
            {order.hasEtlTech && <em> · {t('order.etl', { name: order.allEtlTechs })}</em>}
            <Receipts order={order} />
            <Assignment order={order} may={may} />
          </HeaderFact>
        </>
      )}
      {opened !== undefined && <HeaderFact name={t('order.opened')}>{clock.full(opened)}</HeaderFact>}
      {order !== undefined && <HeaderFact name={t('order.eta')}>{clock.full(order.eta)}</HeaderFact>}
      {promised != null && (
        <HeaderFact name={t('conflict.field.promised')}>{clock.full(promised)}</HeaderFact>
      )}
    </>
  );
}

/** Nothing while the order is neither late nor due soon. */
function DueFact({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const near = dueness(dueAt(order), useClock().now);
  if (near.kind === 'later') return null;
  return (
    <HeaderFact name={t('field.due')}>
      <DueLabel near={near} />
    </HeaderFact>
  );
}

function headerOf({ vehicle, vin, tagNumber, customer, advisor }: RepairOrder): Header {
  return { vehicle, vehicleVIN: vin, customer, advisor, ...(tagNumber !== '' && { tagNumber }) };
}

function timeOf(text: string | null): number | null {
  return text === null ? null : Date.parse(text);
}

function JobsSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" className="mt-6 flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('details.loading')}</span>
      <Skeleton className="w-40" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-24 w-full" />
    </div>
  );
}
