// Which of the desk's dialogs is open, and for which orders; one at a time. The details dialog is in the address
// instead, so that its link can be copied.
import { createAtom, useSelector } from '@tanstack/react-store';
import { useEffect } from 'react';
import { onSessionChange, sessionState } from '../api/session.ts';
import type { Choice } from './choice.ts';
import type { OpenOrder } from './order-cache.ts';

export type OpenDialog =
  | { kind: 'priority' | 'reassign' | 'add' | 'remove'; order: number }
  /** What an order waits for: a new hold, or the one of that number. */
  | { kind: 'hold'; order: number; hold: number | null }
  /** Holds keep the order in its stage: whether they end, so that it goes to this one. */
  | { kind: 'end-holds'; order: number; stage: string; name: string }
  /** Somebody changed the field while the user chose. `shown`: the order that the choice was made on. */
  | { kind: 'conflict'; shown: OpenOrder; choice: Choice }
  /** One order, or several for the same technician. */
  | {
      kind: 'dispatch';
      orders: readonly number[];
      /** Those of them that the list does not show. */
      hidden?: readonly number[];
    };

const opened = createAtom<OpenDialog | null>(null);

/** Questions about earlier choices that came while another dialog was open: nothing that is entered there is lost. */
let waiting: readonly OpenDialog[] = [];

/** What is on screen renders dialogs of these kinds. */
const hosts = new Set<readonly OpenDialog['kind'][]>();

/** The component that calls it renders the open dialog, if it is one of these kinds. `kinds`: the same at each render. */
export function useDialogHost(kinds: readonly OpenDialog['kind'][]): void {
  useEffect(() => {
    hosts.add(kinds);
    return () => void hosts.delete(kinds);
  }, [kinds]);
}

/** Whether a dialog of that kind would be seen. */
export function isSeen(kind: OpenDialog['kind']): boolean {
  return [...hosts].some((kinds) => kinds.includes(kind));
}

/** Questions that an answer of the server asks: they come at any moment, and no key or click has opened them. */
const questions = new WeakSet<OpenDialog>();

export function openDialog(dialog: OpenDialog): void {
  opened.set(dialog);
}

/** What an answer asks: at once, or when the dialog that is open is closed. `sender`: takes the place of this one. */
export function openWhenNoneIs(question: OpenDialog, sender: OpenDialog | null = null): void {
  questions.add(question);
  const current = opened.get();
  if (current === null || current === sender) opened.set(question);
  else waiting = [...waiting, question];
}

export function closeDialog(): void {
  const [next = null, ...others] = waiting;
  waiting = others;
  opened.set(next);
}

/** An answer may come when its dialog is closed, and another one is open. */
export function closeIfOpen(dialog: OpenDialog): void {
  if (opened.get() === dialog) closeDialog();
}

export function currentDialog(): OpenDialog | null {
  return opened.get();
}

export function useOpenDialog(): OpenDialog | null {
  return useSelector(opened);
}

/** Whether the open dialog came with an answer, and what is pressed next may be meant for something else. */
export function useIsQuestion(): boolean {
  return useSelector(opened, (dialog) => dialog !== null && questions.has(dialog));
}

// The next user does not inherit an open dialog.
onSessionChange(() => {
  if (sessionState().status !== 'signed-out') return;
  waiting = [];
  closeDialog();
});
