// What is done on this screen besides moving: sent, said when it fails, and what is shown is loaded again either way.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { showToast } from '../ui/toaster.ts';
import { reloadOrganisation } from './organisation.ts';

interface MutationRequest {
  work(): Promise<void>;
  /** The toast when it is done. */
  done?: string;
  failed: string;
  /** For a failure that has words of its own; null: the usual ones. */
  explained?: (failure: unknown) => string | null;
}

interface OrganisationMutation {
  /** Whether it is done. One at a time: a second press while the first is under way does nothing. */
  run(request: MutationRequest): Promise<boolean>;
  busy: boolean;
}

export function useOrganisationMutation(): OrganisationMutation {
  const client = useQueryClient();
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async ({ work, done, failed, explained }: MutationRequest) => {
    if (busy) return false;
    setBusy(true);
    try {
      await work();
      await reloadOrganisation(client);
      if (done !== undefined) showToast({ text: done });
      return true;
    } catch (failure) {
      const reason = explained?.(failure) ?? errorMessage(failure, t);
      showToast({ tone: 'destructive', text: failed, detail: reason });
      void reloadOrganisation(client);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { run, busy };
}
