// Deletes a user's data on this device when the session ends. Unsent changes stay until the user comes back, unless
// they confirmed the loss.
import { clearLocalDataMark } from './local-data.ts';
import { endPush } from './push-subscription.ts';
import { deleteSavedScreens } from './saved-screens.ts';

export async function deleteLocalData(): Promise<void> {
  await deleteSavedScreens();
  await endPush();
  clearLocalDataMark();
}
