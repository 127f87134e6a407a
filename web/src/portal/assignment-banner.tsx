// The banner of new assignments: above the clock, in thumb's reach, until they are answered.
import { Bell, Check, Undo2 } from 'lucide-react';
import { useEffect } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { PriorityIcon, repeatsStatus } from '../repair-order/priority-icon.tsx';
import { statusAppearance } from '../repair-order/statuses.ts';
import type { Assignment } from './assignment-tracker.ts';

interface BannerProps {
  pending: readonly Assignment[];
  /** The order as the list has it now. */
  orderOf(roNumber: number): RepairOrder | undefined;
  accept(assignments: readonly Assignment[]): void;
  handBack(assignment: Assignment): void;
  markSeen(assignments: readonly Assignment[]): void;
}

export function AssignmentBanner({ pending, orderOf, accept, handBack, markSeen }: BannerProps) {
  const { t } = useTranslation();
  useSeen(pending, markSeen);
  if (pending.length === 0) return null;
  const isOne = pending.length === 1;
  return (
    <section
      aria-label={t('portal.banner.label')}
      data-banner
      className="toast z-20 flex max-h-[62dvh] w-full shrink-0 flex-col overflow-hidden border-t-2 border-accent bg-raised shadow-pop lg:mx-auto lg:mb-3 lg:max-w-3xl lg:rounded-xl lg:border-2"
    >
      <div className="flex items-center gap-2.5 bg-accent px-4 py-2 text-on-accent">
        <Bell aria-hidden className="size-5 shrink-0" />
        <p role="alert" className="flex-1 text-16 font-semibold">
          {isOne ? t('portal.banner.one') : t('portal.banner.many', { number: pending.length })}
        </p>
      </div>
      <ul className="min-h-0 overflow-y-auto">
        {pending.map((assignment) => (
          <li
            key={assignment.roNumber}
            className="flex flex-wrap items-center gap-x-4 gap-y-2.5 border-b border-line px-4 py-3 last:border-b-0"
          >
            <AssignmentFacts
              assignment={assignment}
              order={orderOf(assignment.roNumber) ?? assignment.order}
            />
            <AnswerButtons
              number={
                (orderOf(assignment.roNumber) ?? assignment.order)?.roNumber ?? String(assignment.roNumber)
              }
              isOne={isOne}
              accept={() => accept([assignment])}
              handBack={() => handBack(assignment)}
            />
          </li>
        ))}
      </ul>
      {!isOne && (
        <div className="border-t border-line p-3">
          <button type="button" onClick={() => accept(pending)} className={`${big} ${primary} w-full`}>
            <Check aria-hidden className="size-5" />
            {t('portal.banner.acceptAll', { number: pending.length })}
          </button>
        </div>
      )}
    </section>
  );
}

function AssignmentFacts({ assignment, order }: { assignment: Assignment; order: RepairOrder | null }) {
  const { t } = useTranslation();
  const appearance = order === null ? null : statusAppearance[order.status];
  return (
    <div className="min-w-0 flex-1 basis-56">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-mono text-20 font-medium">{order?.roNumber ?? assignment.roNumber}</span>
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
      {order !== null && <p className="mt-0.5 text-14 font-medium break-words">{order.vehicle}</p>}
      <p className="text-13 text-quiet">
        {[order?.customer, assignment.by && t('portal.banner.by', { name: assignment.by })]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

interface AnswersProps {
  number: string;
  /** With several, one button below accepts them all, and these are secondary. */
  isOne: boolean;
  accept(): void;
  handBack(): void;
}

function AnswerButtons({ number, isOne, accept, handBack }: AnswersProps) {
  const { t } = useTranslation();
  return (
    <div className="flex gap-2.5 max-md:w-full low:w-auto">
      <button
        type="button"
        aria-label={isOne ? undefined : t('portal.banner.acceptOrder', { number })}
        onClick={accept}
        className={`${big} max-md:flex-1 ${isOne ? primary : plain}`}
      >
        <Check aria-hidden className="size-5" />
        {t('portal.banner.accept')}
      </button>
      <button
        type="button"
        aria-label={isOne ? undefined : t('portal.banner.handBackOrder', { number })}
        onClick={handBack}
        className={`${big} ${plain} max-md:flex-1`}
      >
        <Undo2 aria-hidden className="size-5" />
        {t('portal.banner.handBack')}
      </button>
    </div>
  );
}

const big =
  'inline-flex h-13 items-center justify-center gap-2 rounded-lg border px-5 text-14 font-semibold max-md:px-3';
const primary = 'border-transparent bg-accent text-on-accent hover:bg-accent-strong';
const plain = 'border-line-strong bg-raised hover:bg-sunken';

/** An assignment counts as seen once it is painted on a visible page. */
function useSeen(pending: readonly Assignment[], markSeen: BannerProps['markSeen']): void {
  useEffect(() => {
    if (pending.length === 0) return;
    let frame = 0;
    const reportWhenPainted = () => {
      cancelAnimationFrame(frame);
      if (document.visibilityState !== 'visible') return;
      // The second frame begins when the first has been painted.
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => markSeen(pending));
      });
    };
    reportWhenPainted();
    document.addEventListener('visibilitychange', reportWhenPainted);
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('visibilitychange', reportWhenPainted);
    };
  }, [pending, markSeen]);
}
