import { useEffect, useState } from 'react';

export type Landmark = 'header' | 'main';

/**
 * The container of a menu's portal: the landmark of its control, so that a screen reader knows where it belongs.
 */
function landmark(name: Landmark): HTMLElement | null {
  return document.querySelector<HTMLElement>(name);
}

/** For a control that may be in a dialog, beside which nothing can be used: that dialog, or else the page's main part. */
export function containerOf(control: Element | null): HTMLElement {
  return control?.closest<HTMLElement>('[role="dialog"]') ?? landmark('main') ?? document.body;
}

/** As `landmark`, for a component that renders its menu only once: null until the page is mounted. */
export function useLandmark(name: Landmark): HTMLElement | null {
  const [found, find] = useState<HTMLElement | null>(null);
  useEffect(() => find(landmark(name)), [name]);
  return found;
}
