// The mutations of this screen besides moves: each reloads the data, and shows a message when it fails.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../i18n/error-message.ts';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { showToast } from '../ui/toaster.ts';
import { reloadOrganisation } from './organisation.ts';

interface MutationRequest {
  work(): Promise<unknown>;
  /** The toast on success; none where the list itself shows it. */
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

/** `reload`: what a mutation changes, loaded again after it, also when it failed. */
export function useOrganisationMutation(
  reload: (client: QueryClient) => Promise<unknown> = reloadOrganisation,
): OrganisationMutation {
  const client = useQueryClient();
  const { t } = useTranslation();
  const { isPending, mutateAsync } = useMutation({
    mutationFn: async ({ work }: MutationRequest) => {
      await work();
      await reload(client);
    },
    onSuccess: (_, { done }) => {
      if (done !== undefined) showToast({ text: done });
    },
    onError: (failure, { failed, explained }) => {
      const detail = explained?.(failure) ?? errorMessage(failure, t);
      showToast({ tone: 'destructive', text: failed, detail, request: failedRequest(failure, t) });
      void reload(client);
    },
  });
  const run = async (request: MutationRequest) => {
    if (isPending) return false;
    return mutateAsync(request).then(
      () => true,
      () => false,
    );
  };
  return { run, busy: isPending };
}
