// Signs out after two hours without activity in any tab of the page.
import { useEffect } from 'react';
import { activityTimeLeft, noteActivity } from '../api/last-activity.ts';
import { signOut } from '../api/session.ts';

const ACTIVITY_EVENTS = ['mousedown', 'keydown', 'scroll', 'mousemove'] as const;
/** A moving mouse fires a hundred events a second; the other tabs need to know only once in a while. */
const NOTE_INTERVAL_MS = 1_000;
/** Timers stand still while a computer sleeps, the clock does not. */
const CHECK_INTERVAL_MS = 60_000;

export function useInactivitySignOut(): void {
  useEffect(() => watchActivity(() => void signOut('inactivity')), []);
}

/** Calls `idle` once after two hours without activity in any tab. Returns a function that stops watching. */
export function watchActivity(idle: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let noted = 0;
  let over = false;

  const isOver = () => {
    if (!over && activityTimeLeft() <= 0) {
      over = true;
      clearTimeout(timer);
      idle();
    }
    return over;
  };
  const note = () => {
    const now = Date.now();
    // The event that wakes a computer may arrive before its timers fire, and must not restart the two hours.
    if (now - noted < NOTE_INTERVAL_MS || isOver()) return;
    noted = now;
    noteActivity(now);
  };
  const check = () => {
    if (!isOver()) timer = setTimeout(check, Math.min(activityTimeLeft(), CHECK_INTERVAL_MS));
  };

  // Loading the page is activity too, unless the two hours were over before.
  note();
  check();
  for (const event of ACTIVITY_EVENTS) window.addEventListener(event, note, { passive: true, capture: true });
  document.addEventListener('visibilitychange', isOver);
  return () => {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', isOver);
    for (const event of ACTIVITY_EVENTS) window.removeEventListener(event, note, { capture: true });
  };
}
