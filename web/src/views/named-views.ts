// The named views of the desk: one's own, and those that others share.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { fetchViews, type NamedView } from '../api/views.ts';
import { failureDetail } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { showToast } from '../ui/toaster.ts';

export const namedViews = queryOptions({
  queryKey: ['named-views'],
  queryFn: ({ signal }) => fetchViews(signal),
});

export const viewAddress = ({ query }: Pick<NamedView, 'query'>) => `/dashboard?${query}`;

interface MutationRequest {
  work(): Promise<void>;
  /** The toast on success. */
  done: string;
}

/** Returns whether it succeeded. A second press while the first is pending does nothing. */
export function useViewMutation(): (request: MutationRequest) => Promise<boolean> {
  const client = useQueryClient();
  const { t } = useTranslation();
  const { isPending, mutateAsync } = useMutation({
    mutationFn: ({ work }: MutationRequest) => work(),
    onSuccess: (_, { done }) => showToast({ text: done }),
    onError: (failure) =>
      showToast({ tone: 'destructive', text: t('views.failed'), ...failureDetail(failure, t) }),
    onSettled: () => client.invalidateQueries({ queryKey: namedViews.queryKey }),
  });
  return async (request) => {
    if (isPending) return false;
    return mutateAsync(request).then(
      () => true,
      () => false,
    );
  };
}
