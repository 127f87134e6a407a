// A form's submission, one at a time: whether it is pending, and why the last attempt failed.
import { useMutation } from '@tanstack/react-query';
import { failedRequest } from '../i18n/failure-reason.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import type { FailedRequest } from '../ui/request-reference.tsx';

export interface FormSubmission {
  busy: boolean;
  /** Null while it is pending: an alert is announced when its text changes, and the same failure twice is no change. */
  failure: string | null;
  /** At which the server failed. */
  request: FailedRequest | null;
  /** Returns whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>;
}

/** `say` returns the message of a failure. */
export function useFormSubmission(say: (failure: unknown) => string): FormSubmission {
  const { t } = useTranslation();
  const { isPending, error, mutateAsync } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
  });
  return {
    busy: isPending,
    failure: error === null ? null : say(error),
    request: failedRequest(error, t),
    run: (work) =>
      mutateAsync(work).then(
        () => true,
        () => false,
      ),
  };
}
