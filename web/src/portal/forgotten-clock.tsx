// Asks a technician whose clock was forgotten when they stopped. The clock ends now, and what they say is proposed.
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { proposeCorrection, type RunningClock } from '../api/clock.ts';
import { serverNow } from '../api/server-time.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { useClock } from '../shop/clock.ts';
import { instantOf, typedTime } from '../shop/typed-time.ts';
import { WallTimeField } from '../shop/wall-time-field.tsx';
import { Button } from '../ui/button.tsx';
import { focusInvalidField } from '../ui/form-field.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
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
  const [end, setEnd] = useState(() => typedTime(Math.min(startedAt + WORKDAY_MS, serverNow())));
  const form = useId();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (endedAt: number) =>
      proposeCorrection(technician, running.entryId, {
        startedAt: running.since,
        endedAt: new Date(endedAt).toISOString(),
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
            type="submit"
            form={form}
            variant="primary"
            disabled={end.text === '' || isPending}
            className="h-12 max-md:flex-1"
          >
            {t('clock.forgottenVerb')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          const endedAt = instantOf(end);
          if (endedAt === null) focusInvalidField(event.currentTarget);
          else if (!isPending) mutate(endedAt);
        }}
        className="flex flex-col gap-3 text-14"
      >
        <p>
          {running.roNumber === null || running.jobNumber === null
            ? t('clock.forgottenSince', { time: clock.full(startedAt) })
            : t('clock.forgottenSinceJob', {
                time: clock.full(startedAt),
                number: running.displayNumber ?? running.roNumber,
                job: running.jobNumber,
              })}
        </p>
        <WallTimeField label={t('clock.forgottenEnd')} value={end} change={setEnd} />
        <p className="text-13 text-quiet">{t('clock.forgottenHint')}</p>
        {error !== null && (
          <div className="text-13 text-danger">
            <p role="alert">{errorMessage(error, t)}</p>
            <RequestReference request={failedRequest(error, t)} />
          </div>
        )}
      </form>
    </Sheet>
  );
}
