import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyText } from './clipboard.ts';

/** What was selected when the browser was told to copy, and where. */
let copied: { from: Element | null; text: string } | null;
const execCommand = vi.fn<Document['execCommand']>();

function setClipboard(clipboard: Pick<Clipboard, 'writeText'> | undefined): void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
}

beforeEach(() => {
  copied = null;
  setClipboard(undefined);
  execCommand.mockReset().mockImplementation(() => {
    const area = document.querySelector('textarea');
    if (area === null) return false;
    const text = area.value.slice(area.selectionStart, area.selectionEnd);
    copied = { from: area.parentElement, text };
    return true;
  });
  document.execCommand = execCommand;
});
afterEach(() => document.body.replaceChildren());

/** A button that has the focus, in an element of that role. */
function buttonIn(role: string): HTMLButtonElement {
  const container = document.createElement('div');
  container.setAttribute('role', role);
  const button = document.createElement('button');
  container.append(button);
  document.body.append(container);
  button.focus();
  return button;
}

test('over HTTPS the browser’s clipboard takes the text', async () => {
  const writeText = vi.fn(async () => undefined);
  setClipboard({ writeText });
  await copyText('1FTEW1EP5JFA00001');
  expect(writeText).toHaveBeenCalledExactlyOnceWith('1FTEW1EP5JFA00001');
  expect(execCommand).not.toHaveBeenCalled();
});

test.each(['dialog', 'alertdialog'])(
  'over plain HTTP the text is copied inside the %s that has the focus',
  async (role) => {
    const button = buttonIn(role);
    await copyText('1FTEW1EP5JFA00001');
    expect(copied?.from).toBe(button.parentElement);
    expect(copied?.text).toBe('1FTEW1EP5JFA00001');
    expect(document.querySelector('textarea')).toBeNull();
    expect(button).toHaveFocus();
  },
);

test('over plain HTTP the text is copied from the page where no dialog has the focus', async () => {
  buttonIn('dialog');
  const button = buttonIn('group');
  await copyText('1FTEW1EP5JFA00001');
  expect(copied?.from).toBe(document.body);
  expect(copied?.text).toBe('1FTEW1EP5JFA00001');
  expect(button).toHaveFocus();
});

test('a browser that refuses to copy is reported, and nothing stays behind', async () => {
  const button = buttonIn('dialog');
  execCommand.mockReturnValue(false);
  await expect(copyText('1FTEW1EP5JFA00001')).rejects.toThrow('The browser refused to copy.');
  expect(document.querySelector('textarea')).toBeNull();
  expect(button).toHaveFocus();
});
