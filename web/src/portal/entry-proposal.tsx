// How a technician says that an entry was: they take it back, owners and admins accept or decline it.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ClockProposal, decideProposal, withdrawProposal } from '../api/clock.ts';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { Button } from '../ui/button.tsx';
import { Field, Input } from '../ui/form-field.tsx';
import { RequestReference } from '../ui/request-reference.tsx';
import { JobOf, useEntryTimes } from './entry-texts.tsx';

interface EntryProposalProps {
  technician: number;
  entryId: number;
  proposal: ClockProposal;
  rights: 'correct' | 'propose' | null;
  changed(): void;
}

export function EntryProposal({ technician, entryId, proposal, rights, changed }: EntryProposalProps) {
  const { t } = useTranslation();
  const { times } = useEntryTimes();
  return (
    <div className="mt-2 rounded-md bg-stale-tint p-2.5 text-13">
      <p className="font-medium text-stale">{t('clock.entries.proposed', { name: proposal.by.name })}</p>
      <p className="font-medium">{times(proposal.times)}</p>
      <p className="text-quiet">
        <JobOf entry={proposal.times} />
      </p>
      <p className="break-words">{proposal.reason}</p>
      {rights === 'correct' && <Decision {...{ technician, entryId, changed }} />}
      {rights === 'propose' && <Withdrawal {...{ technician, entryId, changed }} />}
    </div>
  );
}

type ButtonsProps = Pick<EntryProposalProps, 'technician' | 'entryId' | 'changed'>;

function Decision({ technician, entryId, changed }: ButtonsProps) {
  const { t } = useTranslation();
  const [isDeclining, setDeclining] = useState(false);
  const [reason, setReason] = useState('');
  const { mutate, isPending, error } = useMutation({
    mutationFn: (declined: string | null) => decideProposal(technician, entryId, declined),
    // Somebody else may have decided: the list shows what became of it.
    onSettled: changed,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '' && !isPending) mutate(reason.trim());
      }}
      className="mt-2 flex flex-col gap-2"
    >
      {isDeclining && (
        <Field label={t('clock.entries.declineReason')}>
          <Input
            autoFocus
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
      )}
      {error !== null && (
        <div className="text-danger">
          <p role="alert">{errorMessage(error, t)}</p>
          <RequestReference request={failedRequest(error, t)} />
        </div>
      )}
      <div className="flex flex-wrap gap-2.5">
        {!isDeclining && (
          <Button variant="primary" disabled={isPending} onClick={() => mutate(null)} className="max-md:h-11">
            {t('clock.entries.accept')}
          </Button>
        )}
        {isDeclining ? (
          <Button
            type="submit"
            variant="destructive"
            disabled={isPending || reason.trim() === ''}
            className="max-md:h-11"
          >
            {t('clock.entries.decline')}
          </Button>
        ) : (
          <Button disabled={isPending} onClick={() => setDeclining(true)} className="max-md:h-11">
            {t('clock.entries.decline')}
          </Button>
        )}
        {isDeclining && (
          <Button onClick={() => setDeclining(false)} className="max-md:h-11">
            {t('clock.entries.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}

function Withdrawal({ technician, entryId, changed }: ButtonsProps) {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => withdrawProposal(technician, entryId),
    onSettled: changed,
  });
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2.5">
      <span className="text-12 text-quiet">{t('clock.entries.undecided')}</span>
      {error !== null && (
        <div className="text-danger">
          <p role="alert">{errorMessage(error, t)}</p>
          <RequestReference request={failedRequest(error, t)} />
        </div>
      )}
      <Button disabled={isPending} onClick={() => mutate()} className="max-md:h-11">
        {t('clock.entries.withdraw')}
      </Button>
    </div>
  );
}
