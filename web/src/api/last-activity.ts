// When somebody last touched the page, in any tab. Two hours without end the sign-in.

const KEPT_AT = 'dispatch.last-activity';
export const INACTIVITY_MS = 7_200_000;

export function noteActivity(at = Date.now()): void {
  localStorage.setItem(KEPT_AT, String(at));
}

/** Until the two hours are over (ms); 0 or less: they are. */
export function activityTimeLeft(): number {
  const now = Date.now();
  return Number(localStorage.getItem(KEPT_AT) ?? now) + INACTIVITY_MS - now;
}
