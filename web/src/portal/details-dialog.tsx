// 'Repair Order #n Details' for the technician: each job with its concern, its clock, and what is written of it.
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Lock, Undo2 } from 'lucide-react';
import type { Details, DetailsJob } from '../api/repair-orders.ts';
import { usePermission } from '../auth/use-session.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { LastKnown } from '../offline/last-known.ts';
import { DueLabel } from '../repair-order/due-label.tsx';
import { HeaderFact, HeaderFacts } from '../repair-order/header-facts.tsx';
import type { RepairOrder } from '../repair-order/order.ts';
import type { OpenOrder } from '../repair-order/order-cache.ts';
import { usePresenceAt } from '../repair-order/presence.ts';
import { PresenceLine } from '../repair-order/presence-indicator.tsx';
import { useReloadAfter, useReloadWhenHeard } from '../repair-order/reload-after.ts';
import { soldHours } from '../repair-order/sold-hours.ts';
import { StageStrip } from '../repair-order/stage-strip.tsx';
import { useOrders } from '../repair-order/use-orders.ts';
import { dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';
import { JobStory } from '../tech-story/job-story.tsx';
import { StorySourceContext } from '../tech-story/story-source.ts';
import { Button } from '../ui/button.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { isCarFinished } from './clock-state.ts';
import { type ClockControls, JobClock, JobHours } from './job-lines.tsx';
import { EditedTexts, ReadTexts } from './job-texts.tsx';
import { PartLastKnown } from './part-last-known.tsx';
import { detailsOf, savedStories } from './saved-answers.ts';

const NO_JOBS: readonly number[] = [];

interface DetailsDialogProps {
  roNumber: number | null;
  cached: Pick<OpenOrder, 'order' | 'version'> | undefined;
  clocked: ClockControls;
  /** Null: it is not theirs to give back. */
  handBack: ((roNumber: number) => void) | null;
  /** If it is open, it is not the reader's. */
  isOthers: boolean;
  close(): void;
}

export function DetailsDialog({ roNumber, cached, clocked, handBack, isOthers, close }: DetailsDialogProps) {
  const { t } = useTranslation();
  usePresenceAt(roNumber === null ? NO_JOBS : [roNumber]);
  const orders = useOrders();
  // A story is written when the order is closed, too.
  const version = cached?.version ?? orders?.closed.get(roNumber ?? -1)?.version;
  const query = useQuery({
    // With the version in the key, a change of the order brings its details up to date while they are read.
    queryKey: ['portal-details', roNumber, version],
    queryFn: ({ signal }) => (roNumber === null ? null : detailsOf(roNumber, signal)),
    enabled: roNumber !== null,
    placeholderData: (before) => (before?.value.repairOrderNumber === roNumber ? before : undefined),
    gcTime: 0,
  });
  // Something may have been missed.
  useReloadAfter('RO_MODIFIED', ['portal-details', roNumber], (message) => message === null);
  useReloadWhenHeard(['portal-details', roNumber], query);
  const details = isOthers ? withoutStories(query.data) : query.data?.value;
  const number = details?.displayNumber ?? cached?.order.roNumber ?? String(roNumber ?? '');
  return (
    <Sheet
      open={roNumber !== null}
      close={close}
      title={t('details.title', { number })}
      closeLabel={t('details.close')}
      inAddress
      footer={
        handBack !== null && roNumber !== null && cached !== undefined ? (
          <Button onClick={() => handBack(roNumber)} className="h-11">
            <Undo2 aria-hidden className="size-4" />
            {t('portal.banner.handBack')}
          </Button>
        ) : undefined
      }
    >
      {roNumber !== null && <PresenceLine roNumber={roNumber} />}
      <PartLastKnown savedAt={query.data?.savedAt ?? null} />
      {details !== undefined ? (
        <StorySourceContext value={savedStories}>
          <Body details={details} order={cached?.order} clocked={clocked} />
        </StorySourceContext>
      ) : (
        <NotLoaded {...query} />
      )}
    </Sheet>
  );
}

/** What this device saved while the order was still the reader's is shown as the server would show it now. */
function withoutStories(answer: LastKnown<Details> | null | undefined): Details | undefined {
  if (answer == null) return undefined;
  const { value, savedAt } = answer;
  return savedAt === null || value.closedDateTime !== null ? value : { ...value, storiesWithheld: true };
}

type NotLoadedProps = Pick<UseQueryResult, 'error' | 'isFetching'> & { refetch(): Promise<unknown> };

function NotLoaded({ error, isFetching, refetch }: NotLoadedProps) {
  const { t } = useTranslation();
  return error !== null ? (
    <div className="flex flex-col items-start gap-3 text-13">
      <p role="alert">
        {t('details.failed')}. <span className="text-quiet">{errorMessage(error, t)}</span>
      </p>
      <RequestReference request={failedRequest(error, t)} />
      <Button onClick={() => void refetch()} disabled={isFetching}>
        {t('details.retry')}
      </Button>
    </div>
  ) : (
    <div role="status" className="flex flex-col gap-3">
      <span className="appear-late text-13 text-quiet">{t('details.loading')}</span>
      <Skeleton className="w-56" />
      <Skeleton className="w-40" />
      <Skeleton className="mt-4 h-40 w-full" />
    </div>
  );
}

interface BodyProps {
  details: Details;
  order: RepairOrder | undefined;
  clocked: ClockControls;
}

function Body({ details, order, clocked }: BodyProps) {
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
      {details.storiesWithheld === true && <NotYours />}
      <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-1.5 text-13">
        <HeaderFacts details={details} />
        {details.promisedDateTime !== null && (
          <PromisedTime
            promised={Date.parse(details.promisedDateTime)}
            isDone={details.closedDateTime !== null || isFinished(details, clocked.clock)}
          />
        )}
      </dl>
      {details.stage !== undefined && (
        <StageStrip roNumber={details.repairOrderNumber} version={details.version} />
      )}
      <h3 className="mt-6 mb-2 text-13 font-semibold">{t('details.jobs')}</h3>
      {jobs.length === 0 ? (
        <p className="text-13 text-quiet">{t('details.noJobs')}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {jobs.map((job, place) => (
            <JobCard
              key={[place, job.jobNumber].join()}
              details={details}
              job={job}
              order={order}
              clocked={clocked}
            />
          ))}
        </ol>
      )}
    </>
  );
}

function isFinished({ repairOrderNumber, jobs }: Details, clock: ClockControls['clock']): boolean {
  return clock !== null && isCarFinished(clock, { key: repairOrderNumber, jobs });
}

interface PromiseProps {
  /** ms */
  promised: number;
  /** The work is, so that nothing is late. */
  isDone: boolean;
}

/** When the car was promised, and how late or soon that is. */
function PromisedTime({ promised, isDone }: PromiseProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const near = dueness(promised, clock.now);
  return (
    <HeaderFact name={t('conflict.field.promised')}>
      {clock.beginning(promised)}
      {!isDone && near.kind !== 'later' && <DueLabel near={near} className="mt-0.5" />}
    </HeaderFact>
  );
}

/** The server takes nothing that is written on another technician's order. */
function NotYours() {
  const { t } = useTranslation();
  return (
    <p
      role="status"
      className="mb-3 flex items-start gap-2 rounded-md bg-sunken px-3 py-2 text-13 font-medium"
    >
      <Lock aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t('portal.details.notYours')}
    </p>
  );
}

function JobCard({ details, job, order, clocked }: BodyProps & { job: DetailsJob }) {
  const { t } = useTranslation();
  const mayWrite = usePermission('edit-jobs') && details.storiesWithheld !== true;
  const operation = job.operations[0];
  const concern = job.concern.trim();
  return (
    <li className="rounded-lg border border-line p-3.5 text-13">
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <span className="text-quiet">{job.jobNumber}. </span>
          <span className="font-mono font-medium">
            {operation?.operationCode.trim() || t('details.noOpcode')}
          </span>
          <span className="block text-quiet">{operation?.operationDesciption}</span>
          <JobHours
            job={{ jobNumber: job.jobNumber, soldHours: soldHours(job.operations) }}
            roNumber={details.repairOrderNumber}
            clock={clocked.clock}
          />
        </div>
        {order !== undefined && <JobClock order={order} jobNumber={job.jobNumber} clocked={clocked} />}
      </div>
      <p className="mt-2 break-words">
        {concern === '' ? t('details.noConcern') : t('details.concern', { concern })}
      </p>
      <div className="mt-3 border-t border-line pt-3">
        {mayWrite ? (
          <EditedTexts roNumber={details.repairOrderNumber} job={job} />
        ) : (
          <dl className="flex flex-col gap-2">
            <ReadTexts roNumber={details.repairOrderNumber} job={job} />
          </dl>
        )}
      </div>
      <div className="mt-3 border-t border-line pt-3">
        <JobStory details={details} job={job} />
      </div>
    </li>
  );
}
