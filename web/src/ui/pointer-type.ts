/** Whether a finger points here, not a mouse. */
export function isTouchPointer(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
