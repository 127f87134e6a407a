// The query of the boards, which reloads when the server announces a change, and the mutations of boards.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fetchBoards } from '../api/boards.ts';
import { onSocketMessage } from '../api/socket.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { showToast } from '../ui/toaster.ts';

/** What a board shows and when it was last seen is not announced, so it is polled. */
const REFETCH_INTERVAL_MS = 30_000;

export const boards = queryOptions({
  queryKey: ['boards'],
  queryFn: ({ signal }) => fetchBoards(signal),
  refetchInterval: REFETCH_INTERVAL_MS,
});

export function useLiveBoards(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      onSocketMessage('BOARDS_CHANGED', () => void client.invalidateQueries({ queryKey: boards.queryKey })),
    [client],
  );
}

interface MutationRequest {
  work(): Promise<unknown>;
  /** The toast on success; none where the screen itself shows the result. */
  done?: string;
  failed: string;
}

interface BoardMutation {
  /** Returns whether it succeeded. One at a time: a second press while the first is pending does nothing. */
  run(request: MutationRequest): Promise<boolean>;
  busy: boolean;
}

export function useBoardMutation(): BoardMutation {
  const client = useQueryClient();
  const { t } = useTranslation();
  const { isPending, mutateAsync } = useMutation({
    mutationFn: ({ work }: MutationRequest) => work(),
    onSuccess: (_, { done }) => {
      if (done !== undefined) showToast({ text: done });
    },
    onError: (failure, { failed }) =>
      showToast({ tone: 'destructive', text: failed, ...failureDetail(failure, t) }),
    onSettled: () => void client.invalidateQueries({ queryKey: boards.queryKey }),
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
