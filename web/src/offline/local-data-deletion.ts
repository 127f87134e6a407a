// What this device keeps of a user goes with the sign-in. What waits to be sent stays until they come back, unless
// they left it behind knowingly.
import { clearLocalDataMark } from './local-data.ts';
import { endPush } from './push-subscription.ts';
import { deleteSavedScreens } from './saved-screens.ts';

export async function deleteLocalData(): Promise<void> {
  await deleteSavedScreens();
  await endPush();
  clearLocalDataMark();
}
