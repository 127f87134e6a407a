// Asks a technician whose clock was forgotten when they stopped. The clock ends now, and what they say is proposed.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { proposeCorrection, type RunningClock } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { fromWallTime, wallTime } from '../shop/wall-time.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { Sheet } from '../ui/sheet.tsx';

interface ForgottenClockProps {
  technician: number;
  running: RunningClock;
  clockOut(): void;
}

/** What is suggested (ms): a day's work, or less where that is not over yet. */
const WORKDAY_MS = 8 * 3_600_000;

export function ForgottenClock({ technician, running, clockOut }: ForgottenClockProps) {
  const { t } = useTranslation();
  const clock = useClock();
  const startedAt = Date.parse(running.since);
  const [isOpen, setOpen] = useState(true);
  const [end, setEnd] = useState(() => wallTime(Math.min(startedAt + WORKDAY_MS, serverNow())));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      proposeCorrection(technician, running.entryId, {
        startedAt: running.since,
        endedAt: new Date(fromWallTime(end)).toISOString(),
        roNumber: running.roNumber,
        jobNumber: running.jobNumber,
        reason: t('clock.forgottenReason'),
      }),
    onSuccess: () => {
      setOpen(false);
      clockOut();
    },
  });
  const close = () => setOpen(false);
  if (!isOpen) return null;
  return (
    <Sheet
      open
      close={close}
      title={t('clock.forgottenTitle')}
      closeLabel={t('details.close')}
      footer={
        <>
          <Button onClick={close} className="h-12 max-md:flex-1">
            {t('clock.forgottenNot')}
          </Button>
          <Button
            variant="primary"
            disabled={end === '' || isPending}
            onClick={() => mutate()}
            className="h-12 max-md:flex-1"
          >
            {t('clock.forgottenVerb')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-14">
        <p>
          {running.roNumber === null || running.jobNumber === null
            ? t('clock.forgottenSince', { time: clock.full(startedAt) })
            : t('clock.forgottenSinceJob', {
                time: clock.full(startedAt),
                number: running.displayNumber ?? running.roNumber,
                job: running.jobNumber,
              })}
        </p>
        <Field label={t('clock.forgottenEnd')}>
          <Input type="datetime-local" value={end} onChange={(event) => setEnd(event.target.value)} />
        </Field>
        <p className="text-13 text-quiet">{t('clock.forgottenHint')}</p>
        {error !== null && (
          <p role="alert" className="text-13 text-danger">
            {errorMessage(error, t)}
          </p>
        )}
      </div>
    </Sheet>
  );
}
