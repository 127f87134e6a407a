import { renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { currentDialog, isSeen, openDialog, useDialogHost } from './open-dialog.ts';

const session = vi.hoisted(() => ({ status: 'signed-in', notify: (): void => {} }));
vi.mock('../api/session.ts', () => ({
  sessionState: () => session,
  onSessionChange: (listener: () => void) => {
    session.notify = listener;
  },
}));

test('a dialog stays open when the session is renewed, and closes when the user changes', () => {
  openDialog({ kind: 'priority', order: 7 });
  session.notify();
  expect(currentDialog()).toEqual({ kind: 'priority', order: 7 });
  session.status = 'signed-out';
  session.notify();
  expect(currentDialog()).toBeNull();
});

test('a dialog would be seen while something on screen renders those of its kind', () => {
  const [ofDesk, ofWorkload] = [['conflict', 'hold'], ['conflict']] as const;
  expect(isSeen('conflict')).toBe(false);
  const desk = renderHook(() => useDialogHost(ofDesk));
  const workload = renderHook(() => useDialogHost(ofWorkload));
  expect([isSeen('conflict'), isSeen('hold'), isSeen('remove')]).toEqual([true, true, false]);
  desk.unmount();
  expect([isSeen('conflict'), isSeen('hold')]).toEqual([true, false]);
  workload.unmount();
  expect(isSeen('conflict')).toBe(false);
});
