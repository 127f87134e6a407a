// The orders ticked on the tab Unassigned, to be dispatched together.
import { useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';

type Keys = ReadonlySet<number>;

const none: Keys = new Set();
let selected: Keys = none;
/** Where a range begins: the order ticked last. */
let anchor: number | null = null;
const listeners = createListeners();

export function selection(): Keys {
  return selected;
}

export function useSelection(): Keys {
  return useSyncExternalStore(listeners.subscribe, selection);
}

export function clearSelection(): void {
  anchor = null;
  set(none);
}

export function toggleSelected(key: number): void {
  const after = new Set(selected);
  if (!after.delete(key)) after.add(key);
  anchor = key;
  set(after);
}

/** Toggles all from the order ticked last to this one, in screen order; all get the new state of this one. */
export function toggleRange(key: number, onScreen: readonly number[]): void {
  const from = anchor === null ? -1 : onScreen.indexOf(anchor);
  const to = onScreen.indexOf(key);
  if (from < 0 || to < 0) {
    toggleSelected(key);
    return;
  }
  const on = !selected.has(key);
  const after = new Set(selected);
  for (const one of onScreen.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (on) after.add(one);
    else after.delete(one);
  }
  anchor = key;
  set(after);
}

/** Selects all of these, or none when all are selected already. */
export function toggleAll(keys: readonly number[]): void {
  const after = new Set(selected);
  const every = keys.every((key) => after.has(key));
  for (const key of keys) {
    if (every) after.delete(key);
    else after.add(key);
  }
  set(after);
}

export function deselect(keys: readonly number[]): void {
  keepSelected((key) => !keys.includes(key));
}

/** Drops orders that cannot be dispatched any more. */
export function keepSelected(isStillThere: (key: number) => boolean): void {
  const after = new Set([...selected].filter(isStillThere));
  if (after.size < selected.size) set(after);
}

function set(next: Keys): void {
  if (next === selected) return;
  selected = next;
  listeners.notify();
}
