import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { holdKeys, releaseKeys, releaseKeysOnArrival, takeTypedText } from './key-hold.ts';

const cancel = vi.fn();
const acted = vi.fn((event: KeyboardEvent) => event.key);
let row: HTMLElement;

beforeEach(() => {
  cancel.mockReset();
  acted.mockClear();
  document.body.innerHTML = '<button>A row</button>';
  row = document.body.firstElementChild as HTMLElement;
  row.addEventListener('keydown', acted);
  row.focus();
});
afterEach(() => {
  takeTypedText();
  document.body.replaceChildren();
});

const type = (...keys: string[]) => keys.map((key) => fireEvent.keyDown(row, { key }));
const keysThatActed = () => acted.mock.calls.map(([{ key }]) => key);

test('no key acts until what was asked for is there, and the text is kept for it', () => {
  holdKeys({ cancel });
  const left = type('u', 'n', 'a', 'x', 'Backspace', 'Enter', ' ', 'Tab', 'ArrowDown', 's');
  expect(keysThatActed()).toEqual([]);
  // The browser does nothing with them either: no button is pressed, and the focus stays.
  expect(left.every((untouched) => !untouched)).toBe(true);
  releaseKeys();
  expect(takeTypedText()).toBe('una s');
  type('u');
  expect(keysThatActed()).toEqual(['u']);
});

test('arriving at a screen frees the keys that waited for it, and none that wait for something else', () => {
  holdKeys({ cancel });
  releaseKeysOnArrival();
  type('u');
  expect(keysThatActed()).toEqual([]);
  holdKeys({ cancel, isPlace: true });
  releaseKeysOnArrival();
  type('j');
  expect(keysThatActed()).toEqual(['j']);
});

test('text is taken once', () => {
  holdKeys({ cancel });
  type('a');
  expect(takeTypedText()).toBe('a');
  expect(takeTypedText()).toBe('');
});

test('Escape means that it is not wanted any more', () => {
  holdKeys({ cancel });
  type('a', 'Escape');
  expect(cancel).toHaveBeenCalledOnce();
  type('u');
  expect(keysThatActed()).toEqual(['u']);
  expect(takeTypedText()).toBe('');
});

test('a dialog whose field is still loading keeps what is typed; elsewhere a key is a key again', () => {
  holdKeys({ cancel });
  type('b');
  document.body.insertAdjacentHTML('beforeend', '<div role="dialog" tabindex="-1"></div>');
  const dialog = document.body.lastElementChild as HTMLElement;
  dialog.focus();
  releaseKeys();
  fireEvent.keyDown(dialog, { key: 'Shift' });
  fireEvent.keyDown(dialog, { key: 'o' });
  expect(takeTypedText()).toBe('bo');

  holdKeys({ cancel });
  type('b');
  releaseKeys();
  row.focus();
  type('s');
  expect(keysThatActed()).toEqual(['s']);
  expect(takeTypedText()).toBe('');
});

test("the browser's shortcuts stay, and the page's wait", () => {
  holdKeys({ cancel });
  const press = (key: string) => fireEvent.keyDown(row, { key, ctrlKey: true });
  expect(press('r')).toBe(true);
  expect(press('k')).toBe(false);
  expect(press('z')).toBe(false);
  expect(keysThatActed()).toEqual([]);
  expect(takeTypedText()).toBe('');
});

test('what is not coming any more holds nothing', () => {
  let isAwaited = true;
  holdKeys({ cancel, isAwaited: () => isAwaited });
  type('u');
  expect(keysThatActed()).toEqual([]);
  isAwaited = false;
  type('u');
  expect(keysThatActed()).toEqual(['u']);
  expect(takeTypedText()).toBe('');
});

test('a pressed pointer ends it', () => {
  holdKeys({ cancel });
  fireEvent.pointerDown(document.body);
  type('u');
  expect(keysThatActed()).toEqual(['u']);
});

test('a key that is still down types nothing', () => {
  holdKeys({ cancel });
  fireEvent.keyDown(row, { key: 'd', repeat: true });
  expect(takeTypedText()).toBe('');
});
