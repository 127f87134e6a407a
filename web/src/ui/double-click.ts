// The second click of a double click, which is not meant for a button that the first one has put under the pointer.
import type { KeyboardEvent, MouseEvent } from 'react';

/**
 * For the capture of clicks: the second one of a double click does not press a button again, nor one that came under
 * the pointer by the first.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2 || buttonOf(event.target) === null) return;
  dropClick(event);
}

/**
 * For an element around buttons that change places as they are pressed: a click that follows another at the same place
 * in quick succession only presses the button that the first one pressed, and Enter that is held presses nothing again.
 */
export const pressGuard = {
  onClickCapture: (event: MouseEvent) => {
    if (isOnAnother) dropClick(event);
  },
  onKeyDownCapture: (event: KeyboardEvent) => {
    if (event.key === 'Enter' && event.repeat && buttonOf(event.target) !== null) event.preventDefault();
  },
};

/** A later tap is one of its own (ms). */
const SUCCESSION_MS = 400;
/** So far apart are two taps of one thumb that stays where it is; buttons below each other are further apart (px). */
const SAME_PLACE_PX = 32;

interface Press {
  button: Element | null;
  /** A button may do something else after it was pressed, and then says so. */
  name: string;
}

/** Clicks at one place in quick succession. */
interface Series {
  /** What the first of them pressed. */
  first: Press;
  /** Of the last one. */
  x: number;
  y: number;
  at: number;
}

let series: Series | null = null;
/** The click that is being handled presses another button than its series began with. */
let isOnAnother = false;
/** Of the last press. */
let pointerType = '';

// The window's are called before every other listener.
window.addEventListener('pointerdown', (event) => (pointerType = event.pointerType), true);
window.addEventListener('click', followClick, true);

function followClick(event: globalThis.MouseEvent): void {
  isOnAnother = false;
  // A key pressed it.
  if (event.detail === 0) return;
  const press = pressOf(event.target);
  const goesOn = event.detail > 1 || isNextTap(event);
  const first = goesOn ? (series?.first ?? NOTHING) : press;
  series = { first, x: event.clientX, y: event.clientY, at: performance.now() };
  isOnAnother = press.button !== null && !(press.button === first.button && press.name === first.name);
}

/** Mobile browsers count each tap as a single click. */
function isNextTap({ clientX, clientY }: globalThis.MouseEvent): boolean {
  if (series === null || pointerType !== 'touch') return false;
  const distance = Math.hypot(clientX - series.x, clientY - series.y);
  return performance.now() - series.at < SUCCESSION_MS && distance <= SAME_PLACE_PX;
}

const NOTHING: Press = { button: null, name: '' };

function pressOf(target: EventTarget | null): Press {
  const button = buttonOf(target);
  return button === null
    ? NOTHING
    : { button, name: button.getAttribute('aria-label') ?? button.textContent };
}

function buttonOf(target: EventTarget | null): Element | null {
  return target instanceof Element ? target.closest('button') : null;
}

function dropClick(event: MouseEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
