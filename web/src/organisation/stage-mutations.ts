// The changes of the shop's stages: each loads the list again, and the orders where the shop began or ended to use it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorMessage } from '../i18n/error-message.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { reloadStages } from '../repair-order/stages.ts';
import { showToast } from '../ui/toaster.ts';

interface MutationRequest {
  work(): Promise<unknown>;
  /** The toast on success; none where the list itself shows it. */
  done?: string;
  failed: string;
}

interface StageMutation {
  /** Returns whether it succeeded. One at a time: a second press while the first is pending does nothing. */
  run(request: MutationRequest): Promise<boolean>;
  busy: boolean;
}

export function useStageMutation(): StageMutation {
  const client = useQueryClient();
  const { t } = useTranslation();
  const { isPending, mutateAsync } = useMutation({
    mutationFn: async ({ work }: MutationRequest) => {
      await work();
      await reloadStages(client);
    },
    onSuccess: (_, { done }) => {
      if (done !== undefined) showToast({ text: done });
    },
    onError: (failure, { failed }) => {
      showToast({ tone: 'destructive', text: failed, detail: errorMessage(failure, t) });
      void reloadStages(client);
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
