// Asked for from elsewhere: the stories of an order, whose details are being opened.
import { createAtom, useSelector } from '@tanstack/react-store';

const requested = createAtom<number | null>(null);

export function requestStory(roNumber: number): void {
  requested.set(roNumber);
}

/** Its stories are on screen now. */
export function storyShown(): void {
  requested.set(null);
}

export function useStoryRequest(): number | null {
  return useSelector(requested);
}
