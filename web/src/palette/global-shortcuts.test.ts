import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenForShortcuts } from './global-shortcuts.ts';

const keys = { palette: vi.fn(), sheet: vi.fn(), undo: vi.fn() };
let stop: () => void;

beforeEach(() => {
  for (const key of Object.values(keys)) key.mockReset();
  stop = listenForShortcuts(keys);
});
afterEach(() => {
  stop();
  document.body.replaceChildren();
});

function put(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild ?? document.body;
}

const called = () => Object.entries(keys).flatMap(([name, key]) => (key.mock.calls.length > 0 ? [name] : []));

test.each([
  [{ key: 'k', ctrlKey: true }, ['palette']],
  [{ key: 'k', metaKey: true }, ['palette']],
  [{ key: 'K', ctrlKey: true }, ['palette']],
  [{ key: 'k', ctrlKey: true, shiftKey: true }, []],
  [{ key: 'k' }, []],
  [{ key: '?', shiftKey: true }, ['sheet']],
  [{ key: 'z' }, ['undo']],
  [{ key: 'z', ctrlKey: true }, ['undo']],
  [{ key: 'z', metaKey: true }, ['undo']],
  [{ key: 'Z', ctrlKey: true, shiftKey: true }, []],
  [{ key: 'z', altKey: true }, []],
  [{ key: 'z', repeat: true }, []],
  [{ key: '/' }, []],
])('%j triggers %j', (pressed, expected) => {
  const wasLeft = fireEvent.keyDown(document.body, pressed);
  expect(called()).toEqual(expected);
  expect(wasLeft).toBe(expected.length === 0);
});

test.each(['<input>', '<textarea></textarea>', '<select></select>'])(
  'while typing in %s only the palette shortcut works',
  (html) => {
    const field = put(html);
    fireEvent.keyDown(field, { key: '?' });
    fireEvent.keyDown(field, { key: 'z' });
    fireEvent.keyDown(field, { key: 'z', ctrlKey: true });
    expect(called()).toEqual([]);
    fireEvent.keyDown(field, { key: 'k', ctrlKey: true });
    expect(called()).toEqual(['palette']);
  },
);

test('a checkbox does not count as a text field', () => {
  fireEvent.keyDown(put('<input type="checkbox">'), { key: 'z' });
  expect(called()).toEqual(['undo']);
});

test.each(['dialog', 'alertdialog', 'menu'])('an open %s handles letters itself', (role) => {
  put(`<div role="${role}"></div>`);
  fireEvent.keyDown(document.body, { key: '?' });
  fireEvent.keyDown(document.body, { key: 'z' });
  expect(called()).toEqual([]);
});

test('the palette opens over a dialog that only shows data, not over one with a form', () => {
  put('<div role="dialog"><form></form></div>');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(called()).toEqual([]);
  put('<div role="dialog"><p></p></div>');
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(called()).toEqual(['palette']);
});

test('a handled key is ignored, and no shortcut works after the listener was removed', () => {
  const field = put('<button></button>');
  field.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
  fireEvent.keyDown(field, { key: 'z' });
  stop();
  fireEvent.keyDown(field, { key: 'z' });
  expect(called()).toEqual([]);
});
