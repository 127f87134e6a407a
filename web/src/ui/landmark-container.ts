import { useEffect, useState } from 'react';

type Landmark = 'header' | 'main';

/** Where a menu is drawn: in the part of the page that its control is in, so that a screen reader knows whose it is. */
export function landmark(name: Landmark): HTMLElement | null {
  return document.querySelector<HTMLElement>(name);
}

/** The same for what draws its menu without being drawn again: null until the page is there. */
export function useLandmark(name: Landmark): HTMLElement | null {
  const [found, find] = useState<HTMLElement | null>(null);
  useEffect(() => find(landmark(name)), [name]);
  return found;
}
