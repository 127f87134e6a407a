// The query of the boards, which reloads when the server announces a change, and the mutations of boards.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { fetchBoards } from '../api/boards.ts';
import { onSocketMessage } from '../api/socket.ts';
import { errorMessage } from '../i18n/error-message.ts';
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

interface MutationRequest<T> {
  work(): Promise<T>;
  /** The toast on success; none where the screen itself shows the result. */
  done?: string;
  failed: string;
}

interface BoardMutation {
  /**
   * Returns the result, or null on failure. One at a time: a second press while the first is pending does nothing.
   */
  run<T>(request: MutationRequest<T>): Promise<{ answer: T } | null>;
  busy: boolean;
}

export function useBoardMutation(): BoardMutation {
  const client = useQueryClient();
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const run = async <T>({ work, done, failed }: MutationRequest<T>) => {
    if (busy) return null;
    setBusy(true);
    try {
      const answer = await work();
      if (done !== undefined) showToast({ text: done });
      return { answer };
    } catch (failure) {
      showToast({ tone: 'destructive', text: failed, detail: errorMessage(failure, t) });
      return null;
    } finally {
      void client.invalidateQueries({ queryKey: boards.queryKey });
      setBusy(false);
    }
  };
  return { run, busy };
}
