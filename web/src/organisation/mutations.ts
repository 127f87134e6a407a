// The mutations of this screen besides moves: each reloads the data, and shows a message when it fails.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { showToast } from '../ui/toaster.ts';
import { reloadOrganisation } from './organisation.ts';

interface MutationRequest {
  work(): Promise<void>;
  /** The toast on success. */
  done?: string;
  failed: string;
  /** The text for a special failure; null: the default text. */
  explained?: (failure: unknown) => string | null;
}

interface OrganisationMutation {
  /** Returns whether it succeeded. One at a time: a second press while the first is pending does nothing. */
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
