// An order's jobs in its details: each a block of its own, which is copied by itself.
import type { TFunction } from 'i18next';
import type { ComponentType } from 'react';
import type { Details, DetailsJob } from '../api/repair-orders.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { CopyButton } from './copy-button.tsx';

/** Assignments that come from the dealer management system; the details name only these technicians. */
export const EXTERNAL_ASSIGNMENT_SOURCE = 'DMS';

/** The component that shows a job's story; another feature provides it. */
export type JobStoryPlace = ComponentType<{ details: Details; job: DetailsJob }>;

export function DetailsJobs({ details, Story }: { details: Details; Story: JobStoryPlace }) {
  const { t } = useTranslation();
  const jobs = details.jobs.toSorted((a, b) => a.jobNumber - b.jobNumber);
  return (
    <>
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

interface JobCardProps {
  details: Details;
  job: DetailsJob;
  Story: JobStoryPlace;
}

function JobCard({ details, job, Story }: JobCardProps) {
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
        <span
          className="min-w-0 flex-1 truncate text-quiet normal-nums"
          title={operation?.operationDesciption}
        >
          {operation?.operationDesciption}
        </span>
        <CopyButton
          text={textOfJob(job, t)}
          label={t('details.copyJob', { job: job.jobNumber })}
          copied={t('toast.jobCopied', { job: job.jobNumber })}
          notCopied={t('toast.jobNotCopied')}
        />
      </div>
      <p className="mt-1.5 break-words">
        {concern === '' ? t('details.noConcern') : t('details.concern', { concern })}
      </p>
      <dl className="mt-3">
        {/* The order's own technicians stand above the jobs: these are others. */}
        <dt className="text-12 text-quiet">
          <span className="font-medium">{t('details.technicians')}</span> {t('details.techniciansScope')}
        </dt>
        <dd>{technicians.length === 0 ? t('details.noTechnicians') : technicians.join(', ')}</dd>
      </dl>
      <div className="mt-3 border-t border-line pt-3">
        <Story details={details} job={job} />
      </div>
    </li>
  );
}

/** What of the job is worth a line elsewhere: operation, concern and story. */
function textOfJob(job: DetailsJob, t: TFunction): string {
  const operation = job.operations[0];
  const opcode = operation?.operationCode.trim() || t('details.noOpcode');
  const concern = job.concern.trim();
  const story = job.techStory.trim();
  return [
    `${job.jobNumber}. ${opcode} ${operation?.operationDesciption?.trim() ?? ''}`.trimEnd(),
    concern === '' ? '' : t('details.concern', { concern }),
    story === '' ? '' : `${t('details.story')}: ${story}`,
  ]
    .filter((line) => line !== '')
    .join('\n');
}
