// What a car waits for: which of its jobs, and in the technician's words what is needed.
import { type ReactNode, useId, useState } from 'react';
import type { Hold } from '../api/stages.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/sheet.tsx';
import type { HoldTap, SendStageTap } from './stage-taps.ts';

/** Characters; the server takes no more. */
const MAX_NOTE_LENGTH = 500;

interface HoldDialogProps {
  order: RepairOrder;
  reason: HoldTap;
  /** One that has begun, whose note is written; null: it begins. */
  hold: Hold | null;
  /** The job of the order that the technician's clock runs on. */
  runningJob: number | null;
  tap: SendStageTap;
  close(): void;
}

export function HoldDialog({ order, reason, hold, runningJob, tap, close }: HoldDialogProps) {
  const { t } = useTranslation();
  const [jobNumber, choose] = useState(hold === null ? runningJob : (hold.jobNumber ?? null));
  const [note, setNote] = useState(hold?.note ?? '');
  // To write its note would begin it again.
  const isOver = hold !== null && order.holds.every(({ id }) => id !== hold.id);
  const send = () => {
    const words = note.trim();
    tap(order, {
      kind: 'hold',
      reason,
      ...(jobNumber !== null && { jobNumber }),
      // What is left out stays as it is.
      ...((words !== '' || hold !== null) && { note: words }),
    });
    close();
  };
  return (
    <Sheet
      open
      close={close}
      title={t(`portal.stage.tapOf.${reason}`, { number: order.roNumber })}
      closeLabel={t('portal.stage.cancel')}
      footer={
        <>
          <Button onClick={close} className="h-12 max-md:flex-1">
            {t('portal.stage.cancel')}
          </Button>
          <Button variant="primary" disabled={isOver} onClick={send} className="h-12 max-md:flex-1">
            {hold === null ? t(`portal.stage.taps.${reason}`) : t('portal.stage.saveNote')}
          </Button>
        </>
      }
    >
      {hold === null && <JobChoice order={order} chosen={jobNumber} choose={choose} />}
      <Note reason={reason} note={note} setNote={setNote} />
      {/* Always there, so that its text is announced when it comes. */}
      <p role="status" className="mt-3 rounded-lg bg-stale-tint px-3 py-2 text-13 text-stale empty:hidden">
        {isOver && t('portal.stage.holdOver', { number: order.roNumber })}
      </p>
    </Sheet>
  );
}

function Note({ reason, note, setNote }: { reason: HoldTap; note: string; setNote(note: string): void }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="text-13 font-semibold">
        {t(`portal.stage.noteLabel.${reason}`)}
      </label>
      <textarea
        id={id}
        value={note}
        maxLength={MAX_NOTE_LENGTH}
        onChange={(event) => setNote(event.target.value)}
        rows={3}
        className="mt-1.5 w-full rounded-md border border-line-strong bg-raised px-2.5 py-2 text-14 max-md:text-16"
      />
      <p className="mt-1 text-12 text-quiet">{t('portal.stage.noteHint')}</p>
    </>
  );
}

interface JobChoiceProps {
  order: RepairOrder;
  /** Null: the whole order. */
  chosen: number | null;
  choose(jobNumber: number | null): void;
}

function JobChoice({ order, chosen, choose }: JobChoiceProps) {
  const { t } = useTranslation();
  // Two jobs may carry one number.
  const jobs = [...new Map(order.jobs.map((job) => [job.jobNumber, job])).values()];
  return (
    <fieldset className="mb-4 flex flex-col gap-2">
      <legend className="mb-2 text-13 font-semibold">{t('portal.stage.which')}</legend>
      <Choice isChosen={chosen === null} choose={() => choose(null)}>
        {t('portal.stage.whole')}
      </Choice>
      {jobs.map(({ jobNumber, opcode, concern, description }) => (
        <Choice key={jobNumber} isChosen={chosen === jobNumber} choose={() => choose(jobNumber)}>
          {jobNumber}. <span className="font-mono">{opcode || t('order.noOpcode')}</span>{' '}
          <span className="font-normal text-quiet">{concern || description}</span>
        </Choice>
      ))}
    </fieldset>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  choose(): void;
  children: ReactNode;
}

function Choice({ isChosen, choose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-12 items-center gap-3 rounded-lg border border-line px-3.5 py-2 text-14 font-medium has-checked:border-accent has-checked:bg-accent-tint has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="job"
        checked={isChosen}
        onChange={choose}
        className="size-5 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0 break-words">{children}</span>
    </label>
  );
}
