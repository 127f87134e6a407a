// The rows of the closed orders that a search found: for the keyboard they follow those of the open ones.
import type { KeyboardEvent } from 'react';

/** Each is marked with it, in their order on screen; so is what shows more of them. */
const STOPS = '[data-closed-stop]';

/** Returns whether there is one. */
export function focusFirstClosedRow(): boolean {
  const first = document.querySelector<HTMLElement>(STOPS);
  first?.focus();
  return first !== null;
}

/**
 * Arrows, J and K, Home and End go through the rows. Up from the first of them is left to the open orders, which go on
 * where one was, or to `leave` where there are none.
 */
export function closedRowKey(event: KeyboardEvent<HTMLElement>, leave: (() => void) | null): void {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(STOPS)];
  const index = event.target instanceof HTMLElement ? stops.indexOf(event.target) : -1;
  const steps: Record<string, number> = {
    ArrowDown: index + 1,
    j: index + 1,
    ArrowUp: index - 1,
    k: index - 1,
    Home: 0,
    End: stops.length - 1,
  };
  const to = steps[event.key];
  if (index < 0 || to === undefined) return;
  if (to < 0) {
    if (leave === null) return;
    leave();
  } else stops[Math.min(to, stops.length - 1)]?.focus();
  event.preventDefault();
}
