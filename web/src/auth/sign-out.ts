// Signing out by one's own hand: whoever keeps something that is lost with it asks first.
import { onSessionChange, sessionState, signOut } from '../api/session.ts';

interface Keeper {
  /** Whether to go on. */
  mayLeave(): Promise<boolean>;
  /** The session is over. */
  left(): Promise<void>;
}

const keepers = new Set<Keeper>();

/** The answer ends it. */
export function askBeforeLeaving(keeper: Keeper): () => void {
  keepers.add(keeper);
  return () => keepers.delete(keeper);
}

/** `end`: how the session ends. */
export async function leave(end: () => Promise<void> = signOut): Promise<void> {
  // Those of now: with the session their screens go.
  const asked = [...keepers];
  for (const keeper of asked) {
    if (!(await keeper.mayLeave())) return;
  }
  // As soon as the session is over here, not when the server has heard of it: without a connection that takes a while,
  // and the page may be closed by then.
  let forgetting: Promise<void>[] = [];
  const stop = onSessionChange(() => {
    if (sessionState().status === 'signed-out') forgetting = asked.map((keeper) => keeper.left());
  });
  try {
    await end();
  } finally {
    stop();
  }
  await Promise.all(forgetting);
}
