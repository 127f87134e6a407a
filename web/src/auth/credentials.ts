// Collects a password, and then a code where one is required: to sign in, and to link an account.
import { useState } from 'react';
import { ApiError } from '../api/http.ts';
import { useFormSubmission } from './form-submission.ts';

/** `send` fails like signing in; `say` returns the message of a failure. */
export function useCredentials(
  send: (password: string, code?: string) => Promise<void>,
  say: (failure: unknown) => string,
) {
  const [accepted, setAccepted] = useState<string | null>(null);
  const [shaking, setShaking] = useState(false);
  const { busy, failure, request, run } = useFormSubmission(say);

  const attempt = async (work: () => Promise<void>) => setShaking(!(await run(work)));
  const enter = (password: string, code?: string) =>
    attempt(async () => {
      try {
        await send(password, code);
      } catch (error) {
        const why = error instanceof ApiError ? error.code : '';
        if (why === 'second-factor-required' && code === undefined) {
          setAccepted(password);
          return;
        }
        // It may have been changed since.
        if (why === 'wrong-password') setAccepted(null);
        throw error;
      }
    });
  return {
    busy,
    failure,
    request,
    /** Another submission that shakes the card when it fails. */
    attempt,
    enterPassword: (password: string) => void enter(password),
    /** The password was right, and a code is wanted; else null. */
    codeStep: accepted === null ? null : codeStep(accepted),
    cardProps: { shaking, shaken: () => setShaking(false) },
  };

  function codeStep(password: string) {
    return { enter: (code: string) => void enter(password, code), back: () => setAccepted(null) };
  }
}
