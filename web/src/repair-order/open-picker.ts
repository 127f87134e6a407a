// Which picker is open, for which order, and at which control; one at a time.
import { type RefObject, useSyncExternalStore } from 'react';
import { createListeners } from '../api/listeners.ts';
import { onSessionChange, sessionState } from '../api/session.ts';
import type { PickedField } from './choice.ts';

export interface OpenPicker {
  field: PickedField;
  order: number;
  /** The control it stands at. */
  anchor: HTMLElement;
}

let opened: OpenPicker | null = null;
const listeners = createListeners();

export function openPicker(picker: OpenPicker): void {
  set(picker);
}

export function closePicker(): void {
  if (opened !== null) set(null);
}

export function currentPicker(): OpenPicker | null {
  return opened;
}

export function useOpenPicker(): OpenPicker | null {
  return useSyncExternalStore(listeners.subscribe, currentPicker);
}

/** Whether the open picker stands at this control. */
export function useIsPickerAt(control: RefObject<HTMLElement | null>): boolean {
  return useSyncExternalStore(
    listeners.subscribe,
    () => opened !== null && opened.anchor === control.current,
  );
}

function set(next: OpenPicker | null): void {
  opened = next;
  listeners.notify();
}

// The next user does not inherit an open picker.
onSessionChange(() => {
  if (sessionState().status === 'signed-out') closePicker();
});
