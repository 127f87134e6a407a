// Asked for from elsewhere: the stories of an order, whose details are being opened.
import { useSyncExternalStore } from 'react';

let requested: number | null = null;
const listeners = new Set<() => void>();

export function requestStory(roNumber: number): void {
  set(roNumber);
}

/** Its stories are on screen now. */
export function storyShown(): void {
  set(null);
}

export function useStoryRequest(): number | null {
  return useSyncExternalStore(subscribe, () => requested);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: number | null): void {
  requested = next;
  for (const listener of listeners) listener();
}
