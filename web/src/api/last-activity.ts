// The last user activity in any tab. Two hours without activity end the session.

const STORAGE_KEY = 'dispatch.last-activity';
export const INACTIVITY_MS = 7_200_000;

export function noteActivity(at = Date.now()): void {
  localStorage.setItem(STORAGE_KEY, String(at));
}

/** The time left until the session ends for inactivity (ms); 0 or less: it is over. */
export function activityTimeLeft(): number {
  const now = Date.now();
  return Number(localStorage.getItem(STORAGE_KEY) ?? now) + INACTIVITY_MS - now;
}
