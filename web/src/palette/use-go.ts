import { useCallback } from 'react';
import { type NavigateOptions, type To, useNavigate } from 'react-router';
import { holdKeys } from '../ui/key-hold.ts';

/** Goes to another screen or view. Until it is there, no key acts on the one before. */
export function useGo(): (to: To, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  return useCallback(
    (to, options) => {
      // The way back is the browser's: Escape only frees the keys.
      holdKeys({ cancel: () => undefined, isPlace: true });
      void navigate(to, options);
    },
    [navigate],
  );
}
