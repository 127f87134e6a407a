// Signing out by one's own hand: whoever keeps something that is lost with it asks first.
import { signOut } from '../api/session.ts';

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
  await end();
  for (const keeper of asked) await keeper.left();
}
