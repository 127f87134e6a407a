/** Whether a finger points here, not a mouse. */
export function isTouched(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}
