// What this device keeps of a user goes with the sign-in. What waits to be sent stays until they come back, unless
// they left it behind knowingly.
import { nothingIsKept } from './local-data.ts';
import { endPush } from './push-subscription.ts';
import { forgetSaved } from './saved-screens.ts';

export async function forgetUser(): Promise<void> {
  await forgetSaved();
  await endPush();
  nothingIsKept();
}
