import { answered, sendAuthorised } from './http.ts';
import { withRetry } from './retry.ts';

export async function call<T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> =
    method === 'GET' ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': newKey() };
  const init: RequestInit = { method, headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  const request = new Request(new URL(path, location.origin), init);
  const sent = async () => {
    const response = await withRetry(() => sendAuthorised(request));
    const said: T = await response.json();
    return response.ok ? { data: said, response } : { error: said, response };
  };
  return answered<T>(sent());
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
