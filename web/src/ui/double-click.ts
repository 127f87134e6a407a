import type { MouseEvent } from 'react';

/**
 * For the capture of clicks: the second one of a double click does not press a button again, nor one that came under
 * the pointer by the first.
 */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2 || !(event.target instanceof Element)) return;
  if (event.target.closest('button') === null) return;
  event.preventDefault();
  event.stopPropagation();
}
