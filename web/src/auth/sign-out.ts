// Sign-out by the user: guards ask first when unsent changes would be lost.
import { onSessionChange, sessionState, signOut } from '../api/session.ts';

interface SignOutGuard {
  /** Whether to continue. */
  mayLeave(): Promise<boolean>;
  /** The session is over. */
  left(): Promise<void>;
}

const guards = new Set<SignOutGuard>();

/** Returns a function that removes the guard. */
export function addSignOutGuard(guard: SignOutGuard): () => void {
  guards.add(guard);
  return () => guards.delete(guard);
}

/** `end`: how the session ends. */
export async function signOutAfterGuards(end: () => Promise<void> = signOut): Promise<void> {
  // A copy: the guards' screens unmount with the session.
  const currentGuards = [...guards];
  for (const guard of currentGuards) {
    if (!(await guard.mayLeave())) return;
  }
  // As soon as the session is over here, not when the server has heard of it: without a connection that takes a while,
  // and the page may be closed by then.
  let forgetting: Promise<void>[] = [];
  const stop = onSessionChange(() => {
    if (sessionState().status === 'signed-out') forgetting = currentGuards.map((guard) => guard.left());
  });
  try {
    await end();
  } finally {
    stop();
  }
  await Promise.all(forgetting);
}
