import { useCallback } from 'react';
import { type NavigateOptions, type To, useNavigate } from 'react-router';
import { afterClosing } from '../ui/history-entries.ts';
import { holdKeys } from '../ui/key-hold.ts';

/**
 * Goes to another screen or view, once the palette and its entry in the history are gone. Until it is there, no key acts
 * on the one before.
 */
export function useGo(): (to: To, options?: NavigateOptions) => void {
  const navigate = useNavigate();
  return useCallback(
    (to, options) => {
      // The way back is the browser's: Escape only frees the keys.
      holdKeys({ cancel: () => undefined, isPlace: true });
      afterClosing(() => void navigate(to, options));
    },
    [navigate],
  );
}
