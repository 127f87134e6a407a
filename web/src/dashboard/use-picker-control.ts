import { type RefObject, useCallback, useRef } from 'react';
import type { PickedField } from '../repair-order/choice.ts';
import { closePicker, currentPicker, openPicker, useIsPickerAt } from '../repair-order/open-picker.ts';

export interface PickerControl {
  control: RefObject<HTMLButtonElement | null>;
  open: boolean;
  toggle(): void;
}

/** What a control needs to open the picker of its field. */
export function usePickerControl(field: PickedField, order: number): PickerControl {
  const control = useRef<HTMLButtonElement>(null);
  const open = useIsPickerAt(control);
  const toggle = useCallback(() => {
    const anchor = control.current;
    if (anchor === null) return;
    if (currentPicker()?.anchor === anchor) closePicker();
    else openPicker({ field, order, anchor });
  }, [field, order]);
  return { control, open, toggle };
}
