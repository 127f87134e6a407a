// Whether the user interacts with a row: the pointer over it, the focus or a finger on it, or a menu or dialog opened
// from it. Elements with `data-holds` count as rows; with the value 'touch', a tapped element that keeps the focus
// does not count.
import { useEffect, useRef, useState } from 'react';

/** A pointer that left by accident is back within this time. */
const GRACE_MS = 600;
/** A pointer that rests this long is not about to click. */
const REST_MS = 30_000;
/** How often to check whether the interaction has ended; not every ending has an event. */
const CHECK_INTERVAL_MS = 200;

const ROWS = '[data-holds]';

export interface RowInteraction {
  /** A menu or dialog that was opened from a row is an interaction while it is open. */
  pinned: boolean;
  inside: boolean;
  leftAt: number;
  /** The time of the last movement or key press, anywhere. */
  stirredAt: number;
}

export function isInteracting({ pinned, inside, leftAt, stirredAt }: RowInteraction, now: number): boolean {
  if (pinned) return true;
  if (now - stirredAt >= REST_MS) return false;
  return inside || now - leftAt < GRACE_MS;
}

/** `pinned`: a dialog about a row is open. */
export function useRowInteraction(pinned: boolean): boolean {
  const [holding, setHolding] = useState(false);
  const isPinned = useRef(pinned);
  const recheck = useRef<(() => void) | null>(null);

  useEffect(() => {
    const watch = createWatch(() => isPinned.current, setHolding);
    recheck.current = watch.check;
    const stopListening = listen(watch);
    return () => {
      stopListening();
      watch.stop();
    };
  }, []);

  useEffect(() => {
    isPinned.current = pinned;
    recheck.current?.();
  }, [pinned]);
  return holding;
}

interface Watch {
  /** Which of them is on a row. */
  on: { pointer: boolean; finger: boolean };
  check(): void;
  /** Somebody moved or pressed something. */
  stirred(): void;
  stop(): void;
}

/** Reports what holds now, and once an interaction has begun, until it has ended. */
function createWatch(isPinned: () => boolean, report: (isHeld: boolean) => void): Watch {
  const hand: RowInteraction = {
    pinned: false,
    inside: false,
    leftAt: Number.NEGATIVE_INFINITY,
    stirredAt: Date.now(),
  };
  const on = { pointer: false, finger: false };
  let timer: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const check = () => {
    const now = Date.now();
    hand.pinned = isPinned() || isMenuOpen();
    const inside = hand.pinned || on.pointer || on.finger || isFocusIn();
    if (hand.inside && !inside) hand.leftAt = now;
    hand.inside = inside;
    const isHeld = isInteracting(hand, now);
    report(isHeld);
    if (isHeld) timer ??= setInterval(check, CHECK_INTERVAL_MS);
    else stop();
  };
  const stirred = () => {
    hand.stirredAt = Date.now();
    check();
  };
  return { on, check, stirred, stop };
}

/** Returns a function that stops listening. */
function listen({ on, check, stirred }: Watch): () => void {
  const pointed = (event: PointerEvent) => {
    // A finger's pointer is cancelled as soon as it scrolls; touch events tell how long it is down.
    if (event.pointerType !== 'touch') on.pointer = isInRows(event.target);
    stirred();
  };
  const left = (event: PointerEvent) => {
    if (event.relatedTarget !== null) return;
    on.pointer = false;
    check();
  };
  const touched = (event: TouchEvent) => {
    on.finger = [...event.touches].some(({ target }) => isInRows(target));
    stirred();
  };
  const listening = new AbortController();
  const passive = { passive: true, capture: true, signal: listening.signal };
  for (const type of ['pointermove', 'pointerdown'] as const) {
    document.addEventListener(type, pointed, passive);
  }
  for (const type of ['touchstart', 'touchend', 'touchcancel'] as const) {
    document.addEventListener(type, touched, passive);
  }
  for (const type of ['keydown', 'wheel'] as const) document.addEventListener(type, stirred, passive);
  for (const type of ['focusin', 'focusout'] as const) document.addEventListener(type, check, passive);
  document.addEventListener('pointerout', left, passive);
  return () => listening.abort();
}

function isInRows(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(ROWS) !== null;
}

function isFocusIn(): boolean {
  const focused = document.activeElement;
  const rows = focused?.closest<HTMLElement>(ROWS);
  if (focused == null || rows == null) return false;
  return rows.dataset.holds !== 'touch' || focused.matches(':focus-visible');
}

function isMenuOpen(): boolean {
  return document.querySelector(`${ROWS} [aria-expanded="true"]`) !== null;
}
