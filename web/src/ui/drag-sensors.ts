// How a drag begins: by mouse after a few pixels, by finger after a moment's hold.
import { MouseSensor, TouchSensor, useSensor } from '@dnd-kit/core';

/** A shorter movement is a click. */
const DRAG_PX = 8;
/** A finger that moves sooner scrolls. */
const HOLD_MS = 250;

export function usePointerSensors() {
  return [
    useSensor(MouseSensor, { activationConstraint: { distance: DRAG_PX } }),
    useSensor(TouchSensor, { activationConstraint: { delay: HOLD_MS, tolerance: DRAG_PX } }),
  ] as const;
}
