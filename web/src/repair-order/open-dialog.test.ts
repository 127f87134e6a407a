import { expect, test, vi } from 'vitest';
import { currentDialog, openDialog } from './open-dialog.ts';

const session = vi.hoisted(() => ({ status: 'signed-in', told: (): void => {} }));
vi.mock('../api/session.ts', () => ({
  sessionState: () => session,
  onSessionChange: (listener: () => void) => {
    session.told = listener;
  },
}));

test('a dialog stays open when the session is renewed, and closes when the user changes', () => {
  openDialog({ kind: 'priority', order: 7 });
  session.told();
  expect(currentDialog()).toEqual({ kind: 'priority', order: 7 });
  session.status = 'signed-out';
  session.told();
  expect(currentDialog()).toBeNull();
});
