// A form's submission, one at a time: whether it is pending, and why the last attempt failed.
import { useState } from 'react';

export interface FormSubmission {
  busy: boolean;
  failure: string | null;
  /** Returns whether it succeeded. */
  run(work: () => Promise<void>): Promise<boolean>;
}

/** `say` returns the message of a failure. */
export function useFormSubmission(say: (failure: unknown) => string): FormSubmission {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    // An alert is announced when its text changes, and the same failure twice would be no change.
    setFailure(null);
    try {
      await work();
      return true;
    } catch (error) {
      setFailure(say(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run };
}
