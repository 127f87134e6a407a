// Signs out after two hours in which nobody touched this page, in any of its tabs.
import { useEffect } from 'react';
import { signOut } from '../api/session.ts';

export const INACTIVITY_MS = 7_200_000;

const ACTIVITY = ['mousedown', 'keydown', 'scroll', 'mousemove'] as const;
const KEPT_AT = 'dispatch.last-activity';
/** A moving mouse says so a hundred times a second; once in a while is enough to tell the other tabs. */
const NOTE_EVERY_MS = 1_000;

export function useInactivitySignOut(): void {
  useEffect(() => watchActivity(() => void signOut()), []);
}

/** Calls `idle` once after two hours without activity here or in another tab. The answer stops watching. */
export function watchActivity(idle: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let noted = 0;

  const note = () => {
    const now = Date.now();
    if (now - noted < NOTE_EVERY_MS) return;
    noted = now;
    localStorage.setItem(KEPT_AT, String(now));
  };
  const check = () => {
    const left = lastActivity() + INACTIVITY_MS - Date.now();
    if (left <= 0) idle();
    else timer = setTimeout(check, left);
  };

  note();
  check();
  for (const event of ACTIVITY) window.addEventListener(event, note, { passive: true, capture: true });
  return () => {
    clearTimeout(timer);
    for (const event of ACTIVITY) window.removeEventListener(event, note, { capture: true });
  };
}

function lastActivity(): number {
  return Number(localStorage.getItem(KEPT_AT) ?? Date.now());
}
