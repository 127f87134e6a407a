import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { takeTypedText } from './key-hold.ts';
import { MenuItem, OpenedMenu } from './menu.tsx';
import { OpenedPopover } from './opened-popover.tsx';
import { type Opened, useOpener } from './opener.ts';
import { onPartFailed, type Part, part } from './part.ts';

type Code = (props: { opened: Opened }) => React.JSX.Element;

const Fruits: Code = ({ opened }) => (
  <OpenedMenu opened={opened}>
    <MenuItem>Apple</MenuItem>
    <MenuItem>Pear</MenuItem>
  </OpenedMenu>
);
const Field: Code = ({ opened }) => (
  <OpenedPopover opened={opened} label="Things" className="">
    <input aria-label="Field" />
  </OpenedPopover>
);

const fetchCode = vi.fn<() => Promise<Code>>();
let arrive: (code: Code) => void;
let fail: () => void;
const acted = vi.fn();

beforeEach(() => {
  takeTypedText();
  acted.mockClear();
  fetchCode.mockReset();
  fetchCode.mockImplementation(() => {
    return new Promise((resolve, reject) => {
      arrive = resolve;
      fail = () => reject(new Error('not loaded'));
    });
  });
});

function Opener({ source, kind }: { source: Part<{ opened: Opened }>; kind: 'menu' | 'dialog' }) {
  const { trigger, opened, Shown } = useOpener(source, kind);
  return (
    <main>
      <button type="button" {...trigger}>
        Open
      </button>
      {Shown !== null && <Shown opened={opened} />}
      <button type="button" onKeyDown={acted}>
        Row
      </button>
    </main>
  );
}

function show(kind: 'menu' | 'dialog') {
  const source = part(fetchCode);
  render(<Opener source={source} kind={kind} />);
  return userEvent.setup();
}

const button = () => screen.getByRole('button', { name: 'Open', hidden: true });

test.each(['{Enter}', '{ArrowDown}', ' '])(
  'the key %j opens a menu that is not loaded yet, once, with the focus on its first item',
  async (key) => {
    const user = show('menu');
    button().focus();
    await user.keyboard(key);
    expect(button()).toHaveAttribute('aria-expanded', 'true');
    // Neither closes it nor opens it twice, nor goes anywhere else.
    await user.keyboard('{Enter}u');
    await act(async () => arrive(Fruits));
    expect(await screen.findAllByRole('menu', { name: 'Open' })).toHaveLength(1);
    expect(await screen.findByRole('menuitem', { name: 'Apple' })).toHaveFocus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('menuitem', { name: 'Pear' })).toHaveFocus();
    await user.keyboard('{Escape}');
    expect(button()).toHaveFocus();
    expect(screen.queryByRole('menu')).not.toBeInTheDocument();
    expect(fetchCode).toHaveBeenCalledTimes(1);
  },
);

test.each(['menu', 'dialog'] as const)('impatient clicks open a %s that is loading, once', async (kind) => {
  const user = show(kind);
  await user.click(button());
  await user.click(button());
  await act(async () => arrive(kind === 'menu' ? Fruits : Field));
  const opened = await screen.findByRole(kind);
  expect(opened).toContainElement(document.activeElement as HTMLElement);
  // From then on the button opens and closes it.
  await user.click(button());
  expect(screen.queryByRole(kind)).not.toBeInTheDocument();
  expect(button()).toHaveAttribute('aria-expanded', 'false');
  await user.click(button());
  expect(await screen.findByRole(kind)).toBeInTheDocument();
});

test('no key acts on anything else until the dialog is there', async () => {
  const user = show('dialog');
  button().focus();
  await user.keyboard('{Enter}');
  screen.getByRole('button', { name: 'Row' }).focus();
  await user.keyboard('u');
  expect(acted).not.toHaveBeenCalled();
  await act(async () => arrive(Field));
  expect(await screen.findByRole('textbox')).toHaveFocus();
  await user.keyboard('pear');
  expect(screen.getByRole('textbox')).toHaveValue('pear');
});

test('Escape, or a click elsewhere, takes back what is still loading', async () => {
  const user = show('menu');
  const row = screen.getByRole('button', { name: 'Row' });
  await user.click(button());
  await user.keyboard('{Escape}');
  expect(button()).toHaveAttribute('aria-expanded', 'false');
  await user.click(button());
  await user.click(row);
  expect(button()).toHaveAttribute('aria-expanded', 'false');
  await act(async () => arrive(Fruits));
  expect(screen.queryByRole('menu')).not.toBeInTheDocument();
  await user.keyboard('u');
  expect(acted).toHaveBeenCalledTimes(1);
});

test('a part that cannot be loaded is reported, and the next press tries again', async () => {
  const failed = vi.fn();
  const stop = onPartFailed(failed);
  const user = show('menu');
  await user.click(button());
  await act(async () => fail());
  expect(failed).toHaveBeenCalledTimes(1);
  expect(button()).toHaveAttribute('aria-expanded', 'false');
  await user.click(button());
  await act(async () => arrive(Fruits));
  expect(await screen.findByRole('menu')).toBeInTheDocument();
  stop();
});
