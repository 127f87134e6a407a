// The keys that work on every signed-in screen. The small part of the palette that is there from the first load on.
import { isOverlayOpen, isTyping } from '../ui/keyboard.ts';

interface GlobalKeys {
  /** Ctrl-K, or Cmd-K. */
  palette(): void;
  /** `?` */
  sheet(): void;
  /** `z`, and Ctrl-Z or Cmd-Z. */
  undo(): void;
}

/** Returns what ends it. */
export function listenForShortcuts(keys: GlobalKeys): () => void {
  const pressed = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    const key = event.key.toLowerCase();
    const modified = event.ctrlKey || event.metaKey;
    if (modified && key === 'k' && !event.shiftKey) {
      // The browser would go to its search field instead.
      event.preventDefault();
      if (!event.repeat && !isDecisionDialogOpen()) keys.palette();
      return;
    }
    if (event.repeat || isTyping(event.target) || isOverlayOpen()) return;
    if (key === '?' && !modified) keys.sheet();
    else if (key === 'z' && !event.shiftKey) keys.undo();
    else return;
    event.preventDefault();
  };
  window.addEventListener('keydown', pressed);
  return () => window.removeEventListener('keydown', pressed);
}

/** A dialog with a form must be answered first. */
function isDecisionDialogOpen(): boolean {
  return document.querySelector('[role="dialog"] form, [role="alertdialog"]') !== null;
}
