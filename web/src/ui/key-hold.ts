// The keyboard while something that a key opened is on its way: its code is loading, or it is about to be rendered.
// Until it is there no key acts on what is behind it, and the text typed meanwhile is kept for its field.

interface Opening {
  /** Escape: what was asked for is not wanted any more. */
  cancel(): void;
  /** False once it is not coming. */
  isAwaited?(): boolean;
  /** It is another screen or view, and is there when its address is. */
  isPlace?: true;
}

interface Hold extends Opening {
  /** Nothing acts. Afterwards text is still kept, until something with a field takes it. */
  held: boolean;
  text: string;
}

let hold: Hold | null = null;

/** Called when a key has opened something; `releaseKeys` is called when that is there. */
export function holdKeys(opening: Opening): void {
  drop();
  hold = { ...opening, held: true, text: '' };
  window.addEventListener('keydown', pressed, true);
  window.addEventListener('pointerdown', pointed, true);
}

/** Called with a letter that was typed before its field is there. Those that follow are kept, too, while `dialog` has the focus. */
export function keepTypedText(letter: string, dialog: HTMLElement): void {
  // It is kept already.
  if (hold !== null) return;
  holdKeys({ cancel: () => undefined });
  hold = { cancel: () => undefined, held: false, text: letter };
  dialog.focus();
}

export function releaseKeys(): void {
  if (hold !== null) hold.held = false;
}

/** Called on arrival at another screen or view. What else is on its way is still to come. */
export function releaseKeysOnArrival(): void {
  if (hold?.isPlace) releaseKeys();
}

export function areKeysHeld(): boolean {
  return hold !== null;
}

/** Whether text waits for its field. */
export function hasTypedText(): boolean {
  return hold !== null && hold.text !== '';
}

/** The text typed so far, for the field that has just been rendered. It is taken once. */
export function takeTypedText(): string {
  const text = hold?.text ?? '';
  drop();
  return text;
}

function drop(): void {
  hold = null;
  window.removeEventListener('keydown', pressed, true);
  window.removeEventListener('pointerdown', pointed, true);
}

/** Before every other listener of the page. */
function pressed(event: KeyboardEvent): void {
  if (hold?.isAwaited?.() === false) drop();
  if (hold === null) return;
  if (hold.held) swallow(event, hold);
  // A dialog whose list is still loading has the focus itself.
  else if (isText(event) && isDialogItself(document.activeElement)) hold.text += event.key;
  else if (!isModifier(event)) drop();
}

function swallow(event: KeyboardEvent, current: Hold): void {
  // The browser's own shortcuts stay, the page's do not act.
  const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
  if (!isShortcut || /^[kz]$/i.test(event.key)) event.preventDefault();
  event.stopImmediatePropagation();
  if (isShortcut) return;
  if (event.key === 'Escape') {
    drop();
    current.cancel();
  } else if (event.key === 'Backspace') current.text = current.text.slice(0, -1);
  // The key that opened it may still be down.
  else if (isText(event) && !event.repeat) current.text += event.key;
}

function pointed(): void {
  drop();
}

function isText({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && !ctrlKey && !metaKey && !altKey;
}

function isModifier({ key }: KeyboardEvent): boolean {
  return ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock'].includes(key);
}

function isDialogItself(element: Element | null): boolean {
  return element?.getAttribute('role') === 'dialog';
}
