// Asked for from elsewhere: the stories of an order, or that of one of its jobs. The details are being opened.
import { createAtom, useSelector } from '@tanstack/react-store';

interface StoryRequest {
  roNumber: number;
  /** Null: the first. */
  jobNumber: number | null;
}

const requested = createAtom<StoryRequest | null>(null);

export function requestStory(roNumber: number, jobNumber: number | null = null): void {
  requested.set({ roNumber, jobNumber });
}

/** It is on screen now. */
export function storyShown(): void {
  requested.set(null);
}

export function useStoryRequest(): StoryRequest | null {
  return useSelector(requested);
}
