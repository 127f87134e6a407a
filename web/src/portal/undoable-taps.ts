// Taps on the clock that can be undone from a toast, and for how long every tap of the portal can be.
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from '../i18n/use-translation.ts';
import type { RepairOrder } from '../repair-order/order.ts';
import { showToast } from '../ui/toaster.ts';
import type { Tap } from './technician-clock.ts';

/** How long a tap of the portal can be undone from its toast (ms); the server undoes one on a clock for a minute. */
export const UNDO_MS = 10_000;

export function useUndoableTap(
  send: Tap,
  undo: () => void,
  orderOf: (roNumber: number) => RepairOrder | undefined,
): Tap {
  const { t } = useTranslation();
  // Another function would have the list draw every cell anew, and close what is open in one.
  const latest = useRef(orderOf);
  useEffect(() => {
    latest.current = orderOf;
  });
  return useCallback<Tap>(
    (action, job) => {
      send(action, job);
      const number =
        job === undefined ? '' : (latest.current(job.roNumber)?.roNumber ?? String(job.roNumber));
      showToast({
        ...(action === 'finish' && { detail: t('clock.storyNudge') }),
        text: t(`clock.tapped.${action}`, { number, job: job?.jobNumber ?? '' }),
        action: { label: t('undo.undo'), otherWay: t('clock.undoElsewhere'), run: undo },
        durationMs: UNDO_MS,
      });
    },
    [send, undo, t],
  );
}
