import { render } from 'preact';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FittingText } from './fitting-text.tsx';

/** The room in characters. */
let room = 0;

beforeEach(() => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(0, 0, this.tagName === 'H2' ? room : (this.textContent ?? '').length, 1);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const board = document.createElement('div');
function shown(characters: number, ...texts: string[]): string | null {
  room = characters;
  render(<FittingText as="h2" texts={texts} />, board);
  return board.textContent;
}

test('the longest text that fits is shown, and the last where none does', () => {
  const texts = ['Maximilian von Habsburg', 'Maximilian v. H.'];
  expect(shown(30, ...texts)).toBe('Maximilian von Habsburg');
  expect(shown(16, ...texts)).toBe('Maximilian v. H.');
  expect(shown(5, ...texts)).toBe('Maximilian v. H.');
  // With more room the whole is back.
  expect(shown(23, ...texts)).toBe('Maximilian von Habsburg');
  expect(shown(23, 'Bo Li')).toBe('Bo Li');
  expect(shown(23, '')).toBe('');
});

test('a text that was chosen stays as it is until its place or its texts change', () => {
  const texts = ['Maximilian von Habsburg', 'Maximilian v. H.'];
  shown(16, ...texts);
  const changes = vi.fn();
  const observer = new MutationObserver(changes);
  observer.observe(board, { characterData: true, childList: true, subtree: true });
  shown(16, ...texts);
  expect(observer.takeRecords()).toEqual([]);
  observer.disconnect();
});
