// Deletes a user's data on this device when the session ends. Unsent changes stay until the user comes back, unless
// they confirmed the loss.
import { clearLocalDataMark } from './local-data.ts';
import { endPush } from './push-subscription.ts';
import { deleteSavedScreens } from './saved-screens.ts';

/** Neither waits for the other: a database that another tab blocks leaves no push behind. Rejects where one failed. */
export async function deleteLocalData(): Promise<void> {
  const deletions = await Promise.allSettled([deleteSavedScreens(), endPush()]);
  for (const deletion of deletions) {
    if (deletion.status === 'rejected') throw deletion.reason;
  }
  clearLocalDataMark();
}
