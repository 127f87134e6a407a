// The calls of Web Push: the server's key, and where this browser's messages go.
import { http, sendAuthorised, toApiError, unwrapAnswer } from './http.ts';

/** What `applicationServerKey` is made of: an uncompressed P-256 point in base64url. */
export async function fetchPushKey(): Promise<string> {
  return (await unwrapAnswer(http.GET('/api/push/key'))).result.publicKey;
}

/** Subscribes this browser to push messages for as long as this session lasts. */
export async function putSubscription(subscription: PushSubscriptionJSON): Promise<void> {
  const { endpoint, keys } = subscription;
  await sendSubscription('PUT', { endpoint, keys });
}

export async function deleteSubscription(endpoint: string): Promise<void> {
  await sendSubscription('DELETE', { endpoint });
}

async function sendSubscription(method: 'PUT' | 'DELETE', body: object): Promise<void> {
  const response = await sendAuthorised(
    new Request(new URL('/api/push/subscription', location.origin), {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw toApiError(response, await response.json().catch(() => null));
}
