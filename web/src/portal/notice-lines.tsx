// One line each above the list: waiting changes, refused changes, removed assignments, and the request to allow
// sound.
import { useQueryClient } from '@tanstack/react-query';
import { useSelector } from '@tanstack/react-store';
import { CircleX, CloudUpload, Info, TriangleAlert, Volume2, X } from 'lucide-react';
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { StoppedByClosing } from '../api/clock.ts';
import { onServerStatus, serverStatus } from '../api/server-status.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { dismiss, type Mutation, type RefusedMutation, useOutbox } from '../offline/outbox.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { displayedStatuses } from '../repair-order/statuses.ts';
import { useClock } from '../shop/clock.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { LastKnownNotice } from '../ui/panel.tsx';
import { chooseSound, unlockSound, useSound } from './assignment-sound.ts';
import type { Assignments } from './assignments.ts';
import type { LeftOrder } from './left-order.ts';
import { removeRefusedChange, useRefusedChanges } from './refused-changes.ts';
import { holdTaps } from './stage-taps.ts';
import { pickStatus } from './status-changes.ts';
import type { Tap } from './technician-clock.ts';

type OrderOf = (roNumber: number) => RepairOrder | undefined;

/** Waiting receipts are not shown: the technician need not know, and they are sent again by themselves. */
const isShown = ({ about }: Mutation) => about.kind !== 'receipt';

export function OutboxStrip({ orderOf }: { orderOf: OrderOf }) {
  const { t } = useTranslation();
  const outbox = useOutbox();
  const refusedHere = useRefusedChanges();
  const isSaving = useSyncExternalStore(onServerStatus, () => serverStatus().notSavingSince === null);
  const waiting = outbox.waiting.filter(isShown).length;
  const later = outbox.refused.filter(
    ({ mutation }) => isShown(mutation) && refusedHere.every((here) => here.mutation.key !== mutation.key),
  );
  return (
    <section aria-label={t('portal.outbox.label')} className="flex shrink-0 flex-col gap-2 empty:hidden">
      {waiting > 0 && (
        <NoticeLine glyph={CloudUpload} tone="stale" role="status">
          {t(isSaving ? 'portal.outbox.waiting' : 'portal.outbox.unsaved', { count: waiting })}
        </NoticeLine>
      )}
      {[...refusedHere, ...later].map((refusal) => (
        <Refused key={refusal.mutation.key} refusal={refusal} orderOf={orderOf} />
      ))}
    </section>
  );
}

function Refused({ refusal, orderOf }: { refusal: RefusedMutation; orderOf: OrderOf }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { mutation, sentence } = refusal;
  const { kind, roNumber, detail } = mutation.about;
  const what = useMutationText(mutation, orderOf);
  const forget = () => {
    removeRefusedChange(mutation.key);
    dismiss(mutation.key);
  };
  const order = roNumber === undefined ? undefined : orderOf(roNumber);
  const status = kind === 'status' ? displayedStatuses.find((one) => one === detail) : undefined;
  return (
    <NoticeLine glyph={CircleX} tone="danger" role="alert">
      <span className="min-w-0 flex-1 break-words">
        {t('portal.outbox.refused', { what, reason: sentence })}
      </span>
      {status !== undefined && order !== undefined && (
        <Button
          onClick={() => {
            forget();
            void pickStatus(client, order, status);
          }}
          className="h-9"
        >
          {t('portal.outbox.again')}
        </Button>
      )}
      <IconButton label={t('portal.outbox.dismissOf', { what })} onClick={forget}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </NoticeLine>
  );
}

function useMutationText({ about, body }: Mutation, orderOf: OrderOf): string {
  const { t } = useTranslation();
  const { kind, roNumber, detail = '' } = about;
  const number = roNumber === undefined ? '' : (orderOf(roNumber)?.roNumber ?? String(roNumber));
  const job = about.jobNumber ?? '';
  if (kind === 'status') {
    const status = displayedStatuses.find((one) => one === detail);
    return t('portal.outbox.what.status', { number, status: status ? t(`status.${status}`) : detail });
  }
  if (kind === 'clock') {
    const action = t(
      `clock.action.${actions.find((one) => 'action' in body && body.action === one) ?? 'stop'}`,
    );
    return job === ''
      ? t('portal.outbox.what.clock', { action })
      : t('portal.outbox.what.clockJob', { action, number, job });
  }
  if (kind === 'stage') return t('portal.stage.tapOf.check', { number });
  if (kind === 'hold') {
    return t(`portal.stage.tapOf.${holdTaps.find((one) => one === detail) ?? 'parts'}`, { number });
  }
  return t(`portal.outbox.what.${kind}`, { number, job });
}

const actions = ['clock-in', 'start', 'stop', 'finish', 'reopen', 'clock-out', 'undo'] as const;

interface RemovedAssignmentLinesProps {
  assignments: Assignments;
  left: LeftOrder | null;
}

export function RemovedAssignmentLines({ assignments, left }: RemovedAssignmentLinesProps) {
  const { t } = useTranslation();
  const { removed: all } = useSelector(assignments.state);
  // The line about the clock on it says that it was taken.
  const removed = all.filter(({ number }) => !left?.isCertain || number !== left.number);
  return (
    <div aria-live="polite" className="flex shrink-0 flex-col gap-2 empty:hidden">
      {removed.map(({ seq, number, by }) => (
        <NoticeLine key={seq} glyph={Info} tone="quiet">
          <span className="min-w-0 flex-1">
            {by === '' ? t('portal.takenBySomebody', { number }) : t('portal.taken', { name: by, number })}
          </span>
          <IconButton label={t('portal.dismiss')} onClick={() => assignments.dismissRemoved(seq)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </NoticeLine>
      ))}
    </div>
  );
}

/**
 * Shown until it is answered, which the device remembers: a browser plays sound only after a tap on the page. At later
 * starts any tap will do.
 */
export function SoundPermissionLine() {
  const { t } = useTranslation();
  const { isAsked } = useSound();
  if (!isAsked) return null;
  return (
    <NoticeLine glyph={Volume2} tone="quiet">
      <span className="min-w-0 flex-1 basis-48">
        {t('portal.sound.ask')} <span className="text-quiet">{t('portal.sound.askHint')}</span>
      </span>
      <span className="flex gap-2">
        <Button
          variant="primary"
          onClick={() => {
            unlockSound();
            chooseSound(true);
          }}
        >
          {t('portal.sound.allow')}
        </Button>
        <Button onClick={() => chooseSound(false)}>{t('portal.sound.later')}</Button>
      </span>
    </NoticeLine>
  );
}

interface FlaggedLineProps {
  count: number;
  /** Opens the entries; null: they are not for the reader. */
  review: (() => void) | null;
  /** They are the reader's own, and somebody else corrects them. */
  isOwn: boolean;
}

/** Clocks that were probably forgotten. */
export function FlaggedLine({ count, review, isOwn }: FlaggedLineProps) {
  const { t } = useTranslation();
  if (count === 0) return null;
  return (
    <NoticeLine glyph={TriangleAlert} tone="stale">
      <span className="min-w-0 flex-1">
        {t('clock.flagged', { count })} {(isOwn || review === null) && t('clock.flaggedAsk')}
      </span>
      {review !== null && (
        <Button onClick={review} className="h-9">
          {t(isOwn ? 'clock.entries.proposeTitle' : 'clock.flaggedReview')}
        </Button>
      )}
    </NoticeLine>
  );
}

interface StoppedLineProps {
  stopped: StoppedByClosing | null;
  tap: Tap;
}

/** The order was closed under the technician's running clock. */
export function StoppedLine({ stopped, tap }: StoppedLineProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const [readEntry, setReadEntry] = useState<number | null>(null);
  if (stopped === null || stopped.entryId === readEntry) return null;
  const { entryId, roNumber, displayNumber, jobNumber, stoppedAt } = stopped;
  const read = () => setReadEntry(entryId);
  return (
    <NoticeLine glyph={Info} tone="stale" role="status">
      <span className="min-w-0 flex-1 basis-48">
        {t('clock.stopped', {
          number: displayNumber ?? roNumber,
          job: jobNumber,
          time: clock.time(Date.parse(stoppedAt)),
        })}
      </span>
      <Button
        onClick={() => {
          tap('finish', { roNumber, jobNumber });
          read();
        }}
        className="h-9 pointer-coarse:h-11"
      >
        {t('clock.stoppedFinish', { job: jobNumber })}
      </Button>
      <IconButton label={t('portal.dismiss')} onClick={read}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </NoticeLine>
  );
}

interface LeftOrderLineProps {
  left: LeftOrder | null;
  tap: Tap;
}

/** The order is not the technician's any more, and their clock runs on. */
export function LeftOrderLine({ left, tap }: LeftOrderLineProps) {
  const { t } = useTranslation();
  if (left === null || !left.isCertain) return null;
  const { number, holders } = left;
  return (
    <NoticeLine glyph={TriangleAlert} tone="stale" role="status">
      <span className="min-w-0 flex-1 basis-48">
        {holders !== null && holders.length > 0
          ? t('portal.left.given', { number, name: holders.join(', ') })
          : t(holders === null ? 'portal.left.gone' : 'portal.left.taken', { number })}{' '}
        {t('portal.left.runs')}
      </span>
      <Button onClick={() => tap('stop')} className="h-9 pointer-coarse:h-11">
        {t('portal.left.stop')}
      </Button>
    </NoticeLine>
  );
}

/** The banner above the screen says why, and what becomes of a tap. */
export function LastKnownLine({ time }: { time: string }) {
  const { t } = useTranslation();
  return <LastKnownNotice text={t('portal.lastKnown', { time })} />;
}

const tones = {
  stale: 'bg-stale-tint text-stale',
  danger: 'bg-danger-tint text-danger',
  quiet: 'border border-line bg-raised text-ink',
};

interface LineProps {
  glyph: typeof Info;
  tone: keyof typeof tones;
  role?: 'status' | 'alert';
  children: ReactNode;
}

export function NoticeLine({ glyph: Glyph, tone, role, children }: LineProps) {
  return (
    <div
      role={role}
      className={`flex min-h-11 shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg px-3 py-1 text-13 ${tones[tone]}`}
    >
      <Glyph aria-hidden className="size-4 shrink-0" />
      {children}
    </div>
  );
}
