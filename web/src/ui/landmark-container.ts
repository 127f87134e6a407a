import { useEffect, useState } from 'react';

type Landmark = 'header' | 'main';

/**
 * The container of a menu's portal: the landmark of its control, so that a screen reader knows where it belongs.
 */
export function landmark(name: Landmark): HTMLElement | null {
  return document.querySelector<HTMLElement>(name);
}

/** The same for a component that renders its menu only once: null until the page is mounted. */
export function useLandmark(name: Landmark): HTMLElement | null {
  const [found, find] = useState<HTMLElement | null>(null);
  useEffect(() => find(landmark(name)), [name]);
  return found;
}
