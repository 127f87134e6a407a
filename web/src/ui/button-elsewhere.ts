import { type Ref, useImperativeHandle } from 'react';
import type { Opened } from './opener.ts';

/** For Radix the trigger of what is opened: the button, which is rendered where the code of Radix is not loaded. */
export function ButtonElsewhere({ opened, ref }: { opened: Opened; ref?: Ref<HTMLButtonElement | null> }) {
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => opened.button.current, [
    opened.button,
  ]);
  return null;
}

/** Where it is drawn: the landmark or dialog that the button is in. */
export function containerOfButton({ button }: Opened): HTMLElement {
  return button.current?.closest<HTMLElement>('[role="dialog"], header, main') ?? document.body;
}
