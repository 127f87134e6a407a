// Retries requests while the server is busy or briefly unavailable. Knows nothing of tokens or of the contents of
// answers.

const MAX_ATTEMPTS = 3;
const BASE_DELAY_MS = 1_000;
const DELAY_FACTOR = 1.5;
const MAX_DELAY_MS = 10_000;

export type Sleep = (ms: number) => Promise<void>;

const sleepFor: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** How long to wait after the attempt with this number, counted from 0. */
export function retryDelay(attempt: number): number {
  return Math.min(BASE_DELAY_MS * DELAY_FACTOR ** attempt, MAX_DELAY_MS);
}

/** Sends up to three times: again on 429, on 5xx and when the network failed, never on another refusal. */
export async function withRetry(send: () => Promise<Response>, sleep: Sleep = sleepFor): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const last = attempt === MAX_ATTEMPTS - 1;
    try {
      const response = await send();
      if (last || !isTransient(response.status)) return response;
    } catch (failure) {
      // An abort is the caller's decision, not a network failure.
      if (last || (failure instanceof DOMException && failure.name === 'AbortError')) throw failure;
    }
    await sleep(retryDelay(attempt));
  }
}

function isTransient(status: number): boolean {
  return status === 429 || status >= 500;
}
