// Announces a new assignment by sound and, behind other windows, by a notification of the browser.
import { useCallback, useEffect, useRef } from 'react';
import type { TechnicianClock } from '../api/clock.ts';
import { useTranslation } from '../i18n/use-translation.ts';
import { chime, unlockSound } from './assignment-sound.ts';
import type { Assignment } from './assignment-tracker.ts';
import { notifyIfHidden } from './browser-notification.ts';
import { portalPath } from './portal-access.ts';

/** A technician who is off the clock hears nothing. */
export function useArrivalAlert(
  technician: number,
  clock: TechnicianClock | null,
): (assignment: Assignment) => void {
  const { t } = useTranslation();
  const isOn = useRef(false);
  useEffect(() => {
    isOn.current = clock?.running != null;
  }, [clock]);
  return useCallback(
    (assignment: Assignment) => {
      if (!isOn.current) return;
      chime();
      const number = assignment.order?.roNumber ?? String(assignment.roNumber);
      void notifyIfHidden({
        title: t('portal.banner.notificationTitle', { number }),
        body: assignment.order?.vehicle ?? '',
        tag: `assignment-${assignment.roNumber}`,
        path: portalPath(technician),
      });
    },
    [t, technician],
  );
}

/** Any tap on the page lets the browser play the sound. */
export function useUnlockedSound(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const taps = ['click', 'keydown'] as const;
    for (const tap of taps) document.addEventListener(tap, unlockSound, true);
    return () => {
      for (const tap of taps) document.removeEventListener(tap, unlockSound, true);
    };
  }, [wanted]);
}
