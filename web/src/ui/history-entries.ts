// What is open over the page has an entry in the browser's history: Back closes it, and closing it otherwise takes the
// entry away again, so that none pile up. The router numbers the entries; what is pushed here continues its numbers.
// The browser goes back in its own time: whatever changes the address until then waits for it.
import { useEffect } from 'react';
import { useNewest } from './latest.ts';

/** ms; a way back that the browser gave up must not hold up anything. */
const TRAVEL_TIMEOUT_MS = 1_000;

interface Overlay {
  /** Null: it has no entry yet. */
  index: number | null;
  /** Null: it is closed, and its entry can go. */
  close: (() => void) | null;
}

/** In the order they were opened. */
const overlays = new Set<Overlay>();
let travelling: ReturnType<typeof setTimeout> | null = null;
let waiting: (() => void)[] = [];
/** What changes the address of the screen below the overlays. */
let waitingForScreen: (() => void)[] = [];
let isSettling = false;

interface EntryState {
  /** The router's number of the entry. */
  idx?: number;
  /** What a screen put into the entry. */
  usr?: unknown;
  /** Of something open over the page, and of no screen that took its place since. */
  isOverlay?: true;
}

function entryState(): EntryState | null {
  return history.state;
}

export function historyIndex(): number {
  return entryState()?.idx ?? 0;
}

/** What a screen put into the current entry, which is not necessarily what the router rendered last. */
export function screenState(): unknown {
  return entryState()?.usr ?? null;
}

export function goBack(steps = 1): void {
  travelling = setTimeout(arrive, TRAVEL_TIMEOUT_MS);
  history.go(-steps);
}

/** Runs at once, unless the browser is on its way back. */
export function afterTravel(run: () => void): void {
  if (travelling === null) run();
  else waiting.push(run);
}

/** Runs once what is being closed in this event is closed, and the browser has left its entry. */
export function afterClosing(run: () => void): void {
  // What an event changes is rendered before the next task.
  setTimeout(() => afterTravel(run));
}

/** Runs once nothing is open over the screen: an entry that goes takes along what the address became on it. */
export function afterOverlays(run: () => void): void {
  if (isScreenOnTop()) run();
  else waitingForScreen.push(run);
}

function isScreenOnTop(): boolean {
  return travelling === null && overlays.size === 0;
}

function changeScreen(): void {
  if (!isScreenOnTop()) return;
  const ready = waitingForScreen;
  waitingForScreen = [];
  for (const run of ready) afterOverlays(run);
}

/** Resolves when no way back is under way. */
export async function historyAtRest(): Promise<void> {
  // Entries are put in order in a microtask.
  await Promise.resolve();
  await new Promise<void>((resolve) => afterTravel(resolve));
}

/** While `open`, Back closes it. */
export function useHistoryEntry(open: boolean, close: () => void): void {
  const latest = useNewest(close);
  useEffect(() => {
    if (!open) return;
    const overlay: Overlay = { index: null, close: () => latest.current() };
    overlays.add(overlay);
    settleSoon();
    return () => {
      overlay.close = null;
      if (overlays.has(overlay)) settleSoon();
    };
  }, [open, latest]);
}

/** All that closes and opens in one render is seen at once: what opens takes the entry of what closes. */
function settleSoon(): void {
  if (isSettling) return;
  isSettling = true;
  queueMicrotask(() => {
    isSettling = false;
    if (travelling === null) settle();
  });
}

function settle(): void {
  const top = historyIndex();
  const closed = [...overlays].filter(({ close }) => close === null);
  const freed = new Set(closed.map(({ index }) => index));
  for (const overlay of closed) overlays.delete(overlay);
  // An entry with another screen's on top of it stays, and one that a screen took over, as a sign-out's.
  let free = 0;
  while (entryState()?.isOverlay && freed.has(top - free)) free++;
  for (const overlay of overlays) {
    if (overlay.index !== null) continue;
    if (free > 0) free--;
    else pushEntry();
    overlay.index = historyIndex() - free;
  }
  if (free > 0) goBack(free);
  changeScreen();
}

function pushEntry(): void {
  history.pushState({ ...entryState(), usr: null, idx: historyIndex() + 1, isOverlay: true }, '');
}

function arrive(): void {
  if (travelling === null) return;
  clearTimeout(travelling);
  travelling = null;
  settle();
  const ready = waiting;
  waiting = [];
  for (const run of ready) afterTravel(run);
}

window.addEventListener('popstate', () => {
  const index = historyIndex();
  for (const overlay of overlays) {
    if (overlay.index === null || overlay.index <= index) continue;
    overlays.delete(overlay);
    overlay.close?.();
  }
  if (travelling === null) changeScreen();
  else arrive();
});
