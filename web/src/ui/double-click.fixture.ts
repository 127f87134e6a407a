// The two presses of a double click or a double tap, the second on whatever is there by then.
import { fireEvent } from '@testing-library/react';

type Pointer = 'mouse' | 'touch';

/** Whatever follows is no part of what was pressed before. */
export function pressElsewhere(): void {
  press(document.body, 'touch', 1, { x: 900, y: 10 });
}

/** A browser counts the clicks of a mouse; on a phone each tap is the first one, and how fast it comes counts. */
export function press(target: Element, pointer: Pointer, place: 1 | 2, at = { x: 200, y: 700 }): void {
  fireEvent.pointerDown(target, { pointerType: pointer });
  const detail = pointer === 'mouse' ? place : 1;
  fireEvent.click(target, { detail, clientX: at.x + place, clientY: at.y - place });
}

export function doublePress(first: Element, second: () => Element, pointer: Pointer = 'mouse'): void {
  pressElsewhere();
  press(first, pointer, 1);
  press(second(), pointer, 2);
}
