// The banner of new assignments: above the clock, in thumb's reach, until they are answered.
import { useSelector } from '@tanstack/react-store';
import { Bell, Check, ChevronDown, Undo2 } from 'lucide-react';
import { memo, useMemo, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import { DueLabel } from '../repair-order/due-label.tsx';
import { dueAt } from '../repair-order/due-time.ts';
import type { DisplayedJob, RepairOrder } from '../repair-order/order.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import { statusAppearance } from '../repair-order/statuses.ts';
import { dueness } from '../rules/dueness.ts';
import { useClock } from '../shop/clock.ts';
import type { Assignment } from './assignment-tracker.ts';
import type { Assignments } from './assignments.ts';
import { useSeen, useShownItems } from './seen-assignments.ts';

interface BannerProps {
  assignments: Assignments;
  /** The order as the list has it now. */
  orderOf(roNumber: number): RepairOrder | undefined;
  /** Asks why. */
  handBack(assignment: Assignment): void;
}

export const AssignmentBanner = memo(function AssignmentBanner(props: BannerProps) {
  const { assignments, orderOf, handBack } = props;
  const { accept, markSeen } = assignments;
  const { t } = useTranslation();
  const { pending } = useSelector(assignments.state);
  const list = useRef<HTMLUListElement>(null);
  const { shown, observe } = useShownItems();
  useSeen(
    useMemo(() => pending.filter(({ seq }) => shown.has(seq)), [pending, shown]),
    markSeen,
  );
  if (pending.length === 0) return null;
  const isOne = pending.length === 1;
  const unseen = pending.filter(({ seq }) => !shown.has(seq)).length;
  return (
    <section
      aria-label={t('portal.banner.label')}
      data-banner
      className="toast z-20 flex max-h-[62dvh] w-full shrink-0 flex-col overflow-hidden border-t-2 border-accent bg-raised shadow-pop lg:absolute lg:right-4 lg:bottom-3 lg:max-h-[min(62dvh,calc(100%-1.5rem))] lg:w-105 lg:rounded-xl lg:border-2"
    >
      <div className="flex items-center gap-2.5 bg-accent px-4 py-2 text-on-accent">
        <Bell aria-hidden className="size-5 shrink-0" />
        <p role="alert" className="flex-1 text-16 font-semibold">
          {isOne ? t('portal.banner.one') : t('portal.banner.many', { number: pending.length })}
        </p>
      </div>
      <ul ref={list} className="min-h-0 overflow-y-auto">
        {pending.map((assignment) => (
          <li
            key={assignment.seq}
            ref={observe}
            data-key={assignment.seq}
            className={`flex items-center border-b border-line px-4 last:border-b-0 ${isOne ? 'flex-wrap gap-x-4 gap-y-2.5 py-3' : 'gap-x-2 py-2'}`}
          >
            <AssignmentFacts
              assignment={assignment}
              order={orderOf(assignment.roNumber) ?? assignment.order}
              isOne={isOne}
            />
            <AnswerButtons
              assignment={assignment}
              number={
                (orderOf(assignment.roNumber) ?? assignment.order)?.roNumber ?? String(assignment.roNumber)
              }
              isOne={isOne}
              accept={accept}
              handBack={handBack}
            />
          </li>
        ))}
      </ul>
      {unseen > 0 && (
        <button
          type="button"
          onClick={() =>
            list.current?.scrollBy({ top: list.current.clientHeight * PAGE_SHARE, behavior: 'smooth' })
          }
          className="flex h-11 shrink-0 items-center justify-center gap-2 border-t border-line text-13 font-semibold text-accent hover:bg-accent-tint"
        >
          <ChevronDown aria-hidden className="size-4" />
          {t('portal.banner.more', { count: unseen })}
        </button>
      )}
      {!isOne && (
        <div className="shrink-0 border-t border-line p-3">
          <button type="button" onClick={() => accept(pending)} className={`${big} ${primary} w-full`}>
            <Check aria-hidden className="size-5" />
            {t('portal.banner.acceptAll', { number: pending.length })}
          </button>
        </div>
      )}
    </section>
  );
});

interface AssignmentFactsProps {
  assignment: Assignment;
  order: RepairOrder | null;
  /** With several, each has as few lines as it can. */
  isOne: boolean;
}

const AssignmentFacts = memo(function AssignmentFacts({ assignment, order, isOne }: AssignmentFactsProps) {
  const { t } = useTranslation();
  const appearance = order === null ? null : statusAppearance[order.status];
  return (
    <div className={`min-w-0 flex-1 ${isOne ? 'basis-56' : ''}`}>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className={`font-mono font-medium ${isOne ? 'text-20' : 'text-16'}`}>
          {order?.roNumber ?? assignment.roNumber}
        </span>
        {order !== null && appearance !== null && (
          <>
            <span
              className={`inline-flex h-7 items-center gap-1.5 rounded-md px-2 text-13 font-medium ${appearance.ink} ${appearance.tint}`}
            >
              <appearance.glyph aria-hidden className="size-4" />
              {t(`status.${order.status}`)}
            </span>
            <PriorityIcon priority={order.priority} isRepeated={repeatsStatus(order)} />
          </>
        )}
      </p>
      {order !== null && (
        <p className={`mt-0.5 text-14 font-medium ${isOne ? 'break-words' : 'truncate'}`}>{order.vehicle}</p>
      )}
      {order !== null && <AssignedJobs jobs={order.jobs} isOne={isOne} />}
      <div className={`flex min-w-0 gap-x-2 text-13 ${isOne ? 'flex-wrap' : ''}`}>
        {order !== null && <Due order={order} />}
        {/* Who gave it goes first where there is no room, then the end of the customer's name. */}
        <p
          className={`flex min-w-0 flex-wrap gap-x-1 text-quiet ${isOne ? '' : 'h-4.5 flex-1 overflow-hidden'}`}
        >
          {order !== null && (
            <span className={isOne ? '' : 'max-w-full truncate'} title={order.customer}>
              {order.customer}
            </span>
          )}{' '}
          {assignment.by !== '' && (
            <span className={isOne ? '' : 'max-w-full truncate'}>
              {order !== null && order.customer !== '' && '· '}
              {t('portal.banner.by', { name: assignment.by })}
            </span>
          )}
        </p>
      </div>
    </div>
  );
});

/** How late the car is, or when it is due. */
function Due({ order }: { order: RepairOrder }) {
  const { t } = useTranslation();
  const clock = useClock();
  const due = dueAt(order);
  const near = dueness(due, clock.now);
  const name = t(order.promised === null ? 'order.eta' : 'order.promised');
  return (
    <span title={`${name} ${clock.full(due)}`} className="flex shrink-0 items-center font-medium">
      {near.kind === 'later' ? `${name} ${clock.short(due)}` : <DueLabel near={near} />}
    </span>
  );
}

/** What is to be done: the first jobs, and how many there are besides. */
function AssignedJobs({ jobs, isOne }: { jobs: readonly DisplayedJob[]; isOne: boolean }) {
  const { t } = useTranslation();
  const named = jobs.slice(0, isOne ? NAMED_JOBS : 1);
  const others = jobs.length - named.length;
  return (
    <ul className="my-0.5 text-13">
      {named.map((job, place) => (
        // Two jobs may carry one number; their place tells them apart.
        <li key={[place, job.jobNumber].join()} className="flex items-end gap-x-1.5">
          <span className="line-clamp-2 min-w-0 break-words">
            <span className="font-mono font-medium">{job.opcode || t('order.noOpcode')}</span>{' '}
            {job.concern || job.description}
          </span>{' '}
          {!isOne && others > 0 && (
            <span className="shrink-0 text-quiet">{t('portal.banner.otherJobs', { count: others })}</span>
          )}
        </li>
      ))}
      {isOne && others > 0 && (
        <li className="text-quiet">{t('portal.banner.otherJobs', { count: others })}</li>
      )}
    </ul>
  );
}

/** Jobs of a single assignment that are named. */
const NAMED_JOBS = 3;

/** As much of the list is scrolled by at once: what was cut off is seen whole. */
const PAGE_SHARE = 0.8;

interface AnswersProps extends Pick<BannerProps, 'handBack'>, Pick<Assignments, 'accept'> {
  assignment: Assignment;
  number: string;
  /** With several, one button below accepts them all, and these are secondary. */
  isOne: boolean;
}

const AnswerButtons = memo(function AnswerButtons(props: AnswersProps) {
  const { assignment, number, isOne } = props;
  const { t } = useTranslation();
  const accept = () => props.accept([assignment]);
  const handBack = () => props.handBack(assignment);
  if (!isOne) {
    return (
      <div className="flex shrink-0 flex-col gap-1.5">
        <button
          type="button"
          aria-label={t('portal.banner.acceptOrder', { number })}
          onClick={accept}
          className={`${small} ${plain} text-accent`}
        >
          <Check aria-hidden className="size-4" />
          {t('portal.banner.accept')}
        </button>
        <button
          type="button"
          aria-label={t('portal.banner.handBackOrder', { number })}
          onClick={handBack}
          className={`${small} ${plain}`}
        >
          <Undo2 aria-hidden className="size-4" />
          {t('portal.banner.handBack')}
        </button>
      </div>
    );
  }
  return (
    <div className="flex gap-2.5 max-md:w-full lg:w-full low:w-auto">
      <button type="button" onClick={accept} className={`${big} max-md:flex-1 lg:flex-1 ${primary}`}>
        <Check aria-hidden className="size-5" />
        {t('portal.banner.accept')}
      </button>
      <button type="button" onClick={handBack} className={`${big} ${plain} max-md:flex-1 lg:flex-1`}>
        <Undo2 aria-hidden className="size-5" />
        {t('portal.banner.handBack')}
      </button>
    </div>
  );
});

const big =
  'inline-flex h-13 items-center justify-center gap-2 rounded-lg border px-5 text-14 font-semibold max-md:px-3';
const small = 'inline-flex h-11 items-center gap-1.5 rounded-lg border px-2.5 text-13 font-semibold';
const primary = 'border-transparent bg-accent text-on-accent hover:bg-accent-strong';
const plain = 'border-line-strong bg-raised hover:bg-sunken';
