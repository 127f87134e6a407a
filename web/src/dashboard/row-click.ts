import type { MouseEvent } from 'react';
import { ignoreSecondClick } from '../ui/double-click.ts';

/** What a click on does something else. */
const CONTROLS = 'a, button, input, label, select, textarea, [role="menu"], [role="dialog"]';

/** For what is around rows or cards: a click on one, where nothing else is, opens its details. */
export function rowClicks(open: (key: number) => void) {
  return {
    onClickCapture: ignoreSecondClick,
    onClick: (event: MouseEvent<HTMLElement>) => {
      const clicked = clickedOrder(event);
      if (clicked !== null) open(clicked);
    },
  };
}

/**
 * The order whose row or card was clicked where nothing else is. Null: a control was clicked, text was selected, or the
 * row is only kept in place.
 */
function clickedOrder(event: MouseEvent<HTMLElement>): number | null {
  const { target, currentTarget } = event;
  // The first click of a double click may have taken away what the second one was meant for: an option of a picker.
  if (event.detail > 1) return null;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return null;
  // A menu that a row opened is rendered elsewhere.
  if (!(target instanceof Element) || !currentTarget.contains(target)) return null;
  if (target.closest(CONTROLS) !== null || getSelection()?.isCollapsed === false) return null;
  const row = target.closest<HTMLElement>('[data-key]');
  return row === null || row.getAttribute('aria-disabled') === 'true' ? null : Number(row.dataset.key);
}
