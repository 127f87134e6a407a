/** Whether the primary pointer is a finger, not a mouse. */
export function isTouchPointer(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
