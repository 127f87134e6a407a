import { expect, test, vi } from 'vitest';
import { currentDialog, openDialog } from './open-dialog.ts';

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
