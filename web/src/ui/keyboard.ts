// Whether a key is the page's to act upon.

/** The user is typing: letters are text there. */
export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** A dialog or menu is on screen, which handles keys itself. */
export function isOverlayOpen(): boolean {
  return document.querySelector(OVERLAYS) !== null;
}

export function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(OVERLAYS) !== null;
}
