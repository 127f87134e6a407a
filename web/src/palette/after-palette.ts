// What opens something of its own waits until the palette is gone.
import { holdKeys, releaseKeys } from '../ui/key-hold.ts';

/** The palette is gone by then, and the focus is where it was. */
const CLOSING_MS = 250;

/** The palette would be in the picture, and the focus on its way back closes what a tool opens. No key acts meanwhile. */
export function afterPalette(run: () => void): void {
  const timer = setTimeout(() => {
    releaseKeys();
    run();
  }, CLOSING_MS);
  holdKeys({ cancel: () => clearTimeout(timer) });
}
