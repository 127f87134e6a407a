// A form's submission, one at a time: whether it is pending, and why the last attempt failed.
import { useMutation } from '@tanstack/react-query';

export interface FormSubmission {
  busy: boolean;
  /** Null while it is pending: an alert is announced when its text changes, and the same failure twice is no change. */
  failure: string | null;
  /** Returns whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>;
}

/** `say` returns the message of a failure. */
export function useFormSubmission(say: (failure: unknown) => string): FormSubmission {
  const { isPending, error, mutateAsync } = useMutation({
    mutationFn: (work: () => Promise<void>) => work(),
  });
  return {
    busy: isPending,
    failure: error === null ? null : say(error),
    run: (work) =>
      mutateAsync(work).then(
        () => true,
        () => false,
      ),
  };
}
