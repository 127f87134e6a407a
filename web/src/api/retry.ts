// Patience with a server that is busy or briefly away. Knows nothing of tokens or answers' contents.

const ATTEMPTS = 3;
const BASE_DELAY_MS = 1_000;
const DELAY_FACTOR = 1.5;
const DELAY_CAP_MS = 10_000;

export type Sleep = (ms: number) => Promise<void>;

const sleepFor: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** How long to wait after the attempt with this number, counted from 0. */
export function retryDelay(attempt: number): number {
  return Math.min(BASE_DELAY_MS * DELAY_FACTOR ** attempt, DELAY_CAP_MS);
}

/** Sends up to three times: again on 429, on 5xx and when the network failed, never on another refusal. */
export async function withRetry(send: () => Promise<Response>, sleep: Sleep = sleepFor): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const last = attempt === ATTEMPTS - 1;
    try {
      const response = await send();
      if (last || !isPassing(response.status)) return response;
    } catch (failure) {
      // An abort is somebody's decision, not the network's.
      if (last || (failure instanceof DOMException && failure.name === 'AbortError')) throw failure;
    }
    await sleep(retryDelay(attempt));
  }
}

function isPassing(status: number): boolean {
  return status === 429 || status >= 500;
}
